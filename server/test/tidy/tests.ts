import type { Remaining } from './remaining.ts'
import { sizes } from './sizes.ts'
import {
  findNodes,
  isNode,
  linesBetween,
  type Node,
  readMember,
  readName,
  readString,
} from './tree/syntax.ts'
import { type Check, lineAt, matching } from './tree/tree.ts'

const callers = new Set(['test', 'it', 'describe', 'suite'])
const variants = new Set(['only', 'skip', 'todo', 'test'])
const wordsMin = 3

/** Every test of the spec is named in words, so that its list reads as the spec does. */
export const specTestsAreDescribed: Check = (files) =>
  matching(files, /^server\/test\/spec\/.*\.test\.ts$/).flatMap(([file, text]) =>
    findNodes(file, text, 'CallExpression')
      .filter((node) => isTestCall(node) && !isDescribed(node))
      .map((node) => ({
        file,
        line: lineAt(text, node.start),
        message: `name the test in words, ${wordsMin} at least`,
      })),
  )

function isTestCall(node: Node): boolean {
  const name = readName(node.callee)
  if (name !== undefined) return callers.has(name) && (node.arguments as unknown[]).length > 0
  const member = isNode(node.callee) ? readMember(node.callee) : undefined
  if (member === undefined || !variants.has(member.property)) return false
  return callers.has(member.object) || (member.object === 't' && member.property === 'test')
}

function isDescribed(node: Node): boolean {
  const [name] = node.arguments as Node[]
  if (name?.type === 'Literal') return words(readString(name) ?? '') >= wordsMin
  if (name?.type === 'TemplateLiteral') {
    const quasis = name.quasis as { value: { raw: string } }[]
    const inserted = (name.expressions as unknown[]).length
    return words(quasis.map(({ value }) => value.raw).join(' ')) + inserted >= wordsMin
  }
  // The words come from a table of the test's own: a row's name.
  return name?.type === 'MemberExpression' || name?.type === 'Identifier'
}

function words(text: string): number {
  return text.match(/\p{L}+/gu)?.length ?? 0
}

/**
 * All files share a process, so a hook for each test that stands outside a suite runs for the tests
 * of every other file, too.
 */
export const hooksBelongToSuites: Check = (files) =>
  matching(files, /\.test\.ts$/).flatMap(([file, text]) =>
    text.split('\n').flatMap((line, index) => {
      const hook = /^(beforeEach|afterEach)\(/.exec(line)?.[1]
      return hook === undefined
        ? []
        : [{ file, line: index + 1, message: `${hook} belongs into a suite` }]
    }),
  )

const bounds: Readonly<Record<string, number>> = {
  describe: sizes.describeLinesMax,
  it: sizes.testLinesMax,
  test: sizes.testLinesMax,
}

/** A section of tests, and a test, that fit in a head. */
export function testsAreSmall(most: Remaining): Check {
  return (files) => {
    const long = matching(files, /\.test\.tsx?$/).flatMap(([file, text]) =>
      findNodes(file, text, 'CallExpression').flatMap((node) => {
        const name = calledName(node.callee)
        const lines = linesBetween(text, node)
        if (name === undefined || lines <= (bounds[name] ?? lines)) return []
        return [{ file, line: lineAt(text, node.start), name, lines }]
      }),
    )
    return [...Map.groupBy(long, ({ file }) => testFolder(file))].flatMap(([folder, found]) => {
      const allowed = most[folder] ?? 0
      const count = found.length
      if (count <= allowed) return []
      return found.map(({ file, line, name, lines }) => ({
        file,
        line,
        message: `${name} has ${lines} lines, ${bounds[name]} at most (${count} in ${folder})`,
      }))
    })
  }
}

type PlantedFault = {
  readonly file: string
  readonly from: string
  readonly to: string
  readonly tests: readonly string[]
}

/** An entry moves along with code that a planted fault changes, or with a test that kills it. */
export const faultsCanBePlanted: Check = (files) =>
  matching(files, /^dev\/planted-faults\.json$/).flatMap(([list, text]) =>
    (JSON.parse(text) as PlantedFault[]).flatMap(({ file, from, to, tests }) => {
      const line = lineAt(text, text.indexOf(`"from": ${JSON.stringify(from)}`))
      const count = (files.get(file) ?? '').split(from).length - 1
      const missing = tests.filter((test) => !files.has(test))
      const problems = [
        count !== 1 && `${file} holds the text ${count} times, and must hold it once`,
        from === to && 'the fault changes nothing',
        (tests.length === 0 || tests.length > 3) && 'one to three test files kill a fault',
        ...missing.map((test) => `${test} is not there`),
      ]
      return problems.flatMap((message) => (message ? [{ file: list, line, message }] : []))
    }),
  )

/** `it` of `it(…)`, `it.skip(…)` and `it.only(…)`. */
function calledName(callee: unknown): string | undefined {
  if (!isNode(callee)) return undefined
  return readName(callee) ?? readMember(callee)?.object
}

/** A module, or a folder of the tests of the whole platform. */
function testFolder(file: string): string {
  const parts = file.split('/')
  if (/^server\/(test\/spec|src\/scripts\/services)\//.test(file))
    return parts.slice(0, 5).join('/')
  return parts.slice(0, file.startsWith('server/src/') ? 4 : 3).join('/')
}
