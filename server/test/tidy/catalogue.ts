import { findNodes, isNode, type Node, readName, readString } from './tree/syntax.ts'
import {
  type Check,
  type Files,
  type Finding,
  lineAt,
  matching,
  shippedSources,
} from './tree/tree.ts'

type Entry = { readonly name: string; readonly line: number; readonly value: string }
type Section = { readonly name: string; readonly line: number; readonly body: string }

/** The entries of `const <variable> = { … }` in a file, values as they are written. */
function readEntries(file: string, text: string, variable: string): Entry[] {
  const [declared] = findNodes(file, text, 'VariableDeclarator').filter(
    ({ id }) => readName(id) === variable,
  )
  const object = declared === undefined ? undefined : innermost(declared.init as Node)
  if (object?.type !== 'ObjectExpression') return []
  return (object.properties as Node[]).map((property) => {
    const value = property.value as Node
    return {
      name: readName(property.key) ?? readString(property.key) ?? '',
      line: lineAt(text, property.start),
      value: text.slice(value.start, value.end),
    }
  })
}

/** Returns the expression inside `as const` and `satisfies`. */
function innermost(node: Node): Node {
  const wraps = node.type === 'TSAsExpression' || node.type === 'TSSatisfiesExpression'
  return wraps ? innermost(node.expression as Node) : node
}

function readSections(text: string): Section[] {
  return [...text.matchAll(/^## (\S+)[ \t]*\n([\s\S]*?)(?=^## |(?![\s\S]))/gm)].map((match) => ({
    name: match[1] ?? '',
    line: lineAt(text, match.index),
    body: match[2] ?? '',
  }))
}

type Pair = {
  readonly source: string
  readonly variable: string
  readonly page: string
  /**
   * Returns the words that a section must have about its entry, so that the page cannot drift from
   * the code.
   */
  readonly required: (value: string) => string
}

function compare(files: Files, pair: Pair): Finding[] {
  const source = files.get(pair.source)
  const page = files.get(pair.page)
  if (source === undefined || page === undefined) return []
  const entries = readEntries(pair.source, source, pair.variable)
  const sections = readSections(page)
  const known = new Map(sections.map((section) => [section.name, section]))
  return [
    ...entries
      .filter(({ name }) => !known.has(name))
      .map(({ name, line }) => ({
        file: pair.source,
        line,
        message: `${name} has no section in ${pair.page}`,
      })),
    ...sections.flatMap((section, index) => sectionFaults(section, index, sections, entries, pair)),
  ]
}

function sectionFaults(
  section: Section,
  index: number,
  sections: readonly Section[],
  entries: readonly Entry[],
  pair: Pair,
): Finding[] {
  const at = (message: string) => [{ file: pair.page, line: section.line, message }]
  if (sections.findIndex(({ name }) => name === section.name) < index) {
    return at(`${section.name} has two sections`)
  }
  const entry = entries.find(({ name }) => name === section.name)
  if (entry === undefined) return at(`${section.name} is not in ${pair.source}`)
  const said = pair.required(entry.value)
  return section.body.includes(said) ? [] : at(`${section.name} must say ${said}`)
}

/** Every error code has its section with its status, and every section its code. */
export const errorsAreDocumented: Check = (files) =>
  compare(files, {
    source: 'server/src/foundation/kernel/errors.ts',
    variable: 'catalogue',
    page: 'docs/reference/errors.md',
    required: (value) => `HTTP ${/status: (\d+)/.exec(value)?.[1]}`,
  })

/** A limit that stands in the file that it guards says what it bounds. */
export const limitsAreExplained: Check = (files) =>
  shippedSources(files).flatMap(([file, text]) =>
    [...text.matchAll(/(\*\/\n)?^const (\w+(?:Max|Min)) = [\d_]+/gm)]
      .filter(([, comment]) => comment === undefined)
      .map((match) => ({
        file,
        line: lineAt(text, match.index),
        message: `${match[2]} is a limit: a comment says what it bounds`,
      })),
  )

/** Files whose operations have no schema of ours. */
const exceptions: ReadonlySet<string> = new Set([
  // The operations of an exposed solution have the schemas of its tenant.
  'server/src/scripts/services/interface/exposed/exposed-service.ts',
  // The operations of a described service have the schemas of its file.
  'server/src/scripts/services/openapi/openapi-service.ts',
])

/**
 * The operations of a service are found by `implement`, which takes their schemas. A function in
 * its place would check nothing; `() => undefined` is a service without operations.
 */
export const operationsHaveSchemas: Check = (files) =>
  matching(files, /^server\/src\/scripts\/services\/.*\.ts$/).flatMap(([file, text]) => {
    if (file.endsWith('.test.ts') || exceptions.has(file)) return []
    if (/\bimplement\(/.test(text)) return []
    return findNodes(file, text, 'Property')
      .filter(({ start }) => /^operation\b/.test(text.slice(start)))
      .filter(({ value }) => isNode(value) && /Function/.test(value.type))
      .filter(({ start, end }) => !/^operation: \(\) => undefined$/.test(text.slice(start, end)))
      .map(({ start }) => ({
        file,
        line: lineAt(text, start),
        message: 'an operation without a schema: use implement and defineOperations',
      }))
  })

const referencePage = 'dev/generate/operations.ts'

/** The operations of each service are in the reference. */
export const operationsAreInTheReference: Check = (files) => {
  const page = files.get(referencePage) ?? ''
  return matching(files, /^server\/src\/scripts\/services\/[\w-]+\/operations\.ts$/)
    .filter(([file]) => !page.includes(`/${file.replace(/operations\.ts$/, 'index.ts')}'`))
    .map(([file]) => ({ file, line: 1, message: `the operations are not in ${referencePage}` }))
}
