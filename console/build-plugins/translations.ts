import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Plugin, parseAst } from 'vite'

/** A node of the syntax tree, or what lies in one. */
type Node = {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [part: string]: unknown
}

/** What replaces a range of the code. */
type Edit = { readonly start: number; readonly end: number; readonly text: string }

/** `translations-de-assets`; `:load` has what loads it. */
const prefix = 'translations-'

/**
 * Leaves the translations of `defineTexts` out of their modules: those of a part of the console are
 * a file of their own, which `ui/languages/translations.ts` loads in the language of the page.
 * What the console loads later, such as a page, comes when its texts are there, too.
 */
export function translations(): Plugin {
  /** The translations of each file, in the order of its modules, as code. */
  const files = new Map<string, string[]>()
  let folder = ''
  return {
    name: 'translations',
    apply: 'build',
    configResolved({ root }) {
      folder = join(root, 'app')
    },
    buildStart() {
      files.clear()
      for (const path of globSync('**/*.{ts,tsx}', { cwd: folder }).sort()) {
        for (const { file, code } of readTranslations(folder, path)) {
          files.set(file, [...(files.get(file) ?? []), `/* ${path} */ ${code}`])
        }
      }
    },
    resolveId: { filter: { id: /^translations-/ }, handler: (id) => `${id}.ts` },
    load: {
      filter: { id: /^translations-/ },
      handler(id) {
        const [, name = '', load] = /^([\w-]+)(:load)?\.ts$/.exec(id) ?? []
        if (load === undefined) return `export default [${files.get(name)?.join(',\n')}]`
        const loaded = `import(${JSON.stringify(name)}).then((all) => all.default[index])`
        return `export const load = (index) => () => ${loaded}`
      },
    },
    transform: {
      filter: { id: /\/console\/app\//, code: /\bdefineTexts\(|\bimport\(/ },
      handler(code, id) {
        if (!id.startsWith(folder)) return null
        const path = id.slice(folder.length + 1)
        return { code: withoutTranslations(code, path, folder, files), map: null }
      },
    },
  }
}

/** The translations in a source file. @throws Error if one needs something of its module. */
function* readTranslations(folder: string, path: string) {
  const code = readFileSync(join(folder, path), 'utf8')
  if (!code.includes('defineTexts(')) return
  const program = parseAst(code, { lang: path.endsWith('x') ? 'tsx' : 'ts' }) as unknown as Node
  const names = topLevelNames(program)
  for (const { language, value } of nodesIn(program).flatMap(translationsOf)) {
    const used = nodesIn(value)
      .map(identifierOf)
      .find((name) => names.has(name))
    if (used !== undefined) throw new Error(`${path}: a translation may not use ${used}`)
    yield { file: fileOf(language, path), code: code.slice(value.start, value.end) }
  }
}

function withoutTranslations(
  code: string,
  path: string,
  folder: string,
  files: ReadonlyMap<string, readonly string[]>,
): string {
  const edits: Edit[] = []
  const imports = new Map<string, string>()
  const counted = new Map<string, number>()
  for (const node of nodesIn(parseAst(code) as unknown as Node)) {
    if (isLaterPart(node)) {
      imports.set('withTexts', join(folder, 'ui', 'texts.ts'))
      edits.push({ start: node.end, end: node.end, text: '.then(withTexts__)' })
    }
    for (const { language, value } of translationsOf(node)) {
      const file = fileOf(language, path)
      const nth = counted.get(file) ?? 0
      counted.set(file, nth + 1)
      const first = files.get(file)?.findIndex((one) => one.startsWith(`/* ${path} */`)) ?? -1
      imports.set('load', `${file}:load`)
      edits.push({ start: value.start, end: value.end, text: `load__(${first + nth})` })
    }
  }
  const heads = [...imports].map(
    ([name, from]) => `import { ${name} as ${name}__ } from ${JSON.stringify(from)}\n`,
  )
  return heads.join('') + edited(code, edits)
}

/** In which file a translation lies: in that of the first page, or of a part of the console. */
function fileOf(language: string, path: string): string {
  const [, page, other] = /^(?:pages\/([\w-]+)|(graphiql))\//.exec(path) ?? []
  const isFirst = /^pages\/overview\/|\/routes\.tsx$|^pages\/(account|marketplace)\/texts\.ts$/
  const part = isFirst.test(path) ? 'console' : (page ?? other ?? 'console')
  return `${prefix}${language}-${part}`
}

/** `import('./page.tsx')`. */
function isLaterPart({ type, source }: Node): boolean {
  return type === 'ImportExpression' && String((source as Node).value).startsWith('.')
}

/** The translations in `defineTexts(texts, { de: translation })`. */
function translationsOf(node: Node): { readonly language: string; readonly value: Node }[] {
  if (node.type !== 'CallExpression') return []
  if (identifierOf(node.callee as Node) !== 'defineTexts') return []
  const [, given] = node.arguments as Node[]
  const properties = (given?.properties ?? []) as Node[]
  return properties.map(({ key, value }) => ({
    language: identifierOf(key as Node),
    value: value as Node,
  }))
}

function identifierOf({ type, name }: Node): string {
  return type === 'Identifier' ? String(name) : ''
}

function topLevelNames({ body }: Node): ReadonlySet<string> {
  const declared = (body as Node[]).flatMap((statement) => {
    const { specifiers, declarations, id } = (statement.declaration ?? statement) as Node
    const locals = ((specifiers ?? []) as Node[]).map(({ local }) => local as Node)
    const ids = ((declarations ?? []) as Node[]).map((one) => one.id as Node)
    return [...locals, ...ids, ...(id ? [id as Node] : [])].map(identifierOf)
  })
  return new Set(declared.filter((name) => name !== ''))
}

/** A node and all that lie in it, but types and names of properties. */
function nodesIn(node: Node): Node[] {
  const isNamed = node.type === 'Property' || node.type === 'MemberExpression'
  const parts = Object.entries(node)
    .filter(([part]) => !isNamed || node.computed === true || !/^(key|property)$/.test(part))
    .flatMap(([, part]) => (Array.isArray(part) ? part : [part]))
  return [node, ...parts.filter(isNode).flatMap(nodesIn)]
}

function isNode(part: unknown): part is Node {
  if (typeof part !== 'object' || part === null || !('type' in part)) return false
  return !String(part.type).startsWith('TS')
}

/** The code with its edits made, the last one first. */
function edited(code: string, edits: readonly Edit[]): string {
  const last = edits.toSorted((a, b) => b.start - a.start)
  return last.reduce((text, edit) => {
    return text.slice(0, edit.start) + edit.text + text.slice(edit.end)
  }, code)
}
