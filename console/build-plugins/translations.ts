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

/** A replacement of a range of the code. */
type Edit = { readonly start: number; readonly end: number; readonly text: string }

/** `translations-de-assets`, of German as yet; `load-translations-de-assets` loads it. */
const prefix = 'translations-de-'

/**
 * Leaves the translations of `defineTexts` and `defineGerman` out of their modules: those of a part
 * of the console are a file of their own, which `ui/languages/translations.ts` loads in the
 * language of the page. Parts that the console loads later, such as a page, come when their texts
 * are there, too.
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
    resolveId: { filter: { id: /^(?:load-)?translations-/ }, handler: (id) => `${id}.ts` },
    load: {
      filter: { id: /^(?:load-)?translations-/ },
      handler(id) {
        const [, load, name = ''] = /^(load-)?([\w-]+)\.ts$/.exec(id) ?? []
        if (load === undefined) return `export default [${files.get(name)?.join(',\n')}]`
        const loaded = `import(${JSON.stringify(name)}).then((all) => all.default[index])`
        return `export const load = (index) => () => ${loaded}`
      },
    },
    transform: {
      filter: { id: /\/console\/app\//, code: /\bdefine(?:Texts|German)\(|\bimport\(/ },
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
  if (!/\bdefine(?:Texts|German)\(/.test(code)) return
  const program = parseAst(code, { lang: path.endsWith('x') ? 'tsx' : 'ts' }) as unknown as Node
  const names = topLevelNames(program)
  for (const { said, pairs } of nodesIn(program).flatMap(readTexts)) {
    const used = (pairs.length === 0 ? [said] : pairs.map(({ parts }) => parts[1]))
      .flatMap(nodesIn)
      .map(identifierName)
      .find((name) => names.has(name))
    if (used !== undefined) throw new Error(`${path}: a translation may not use ${used}`)
    yield { file: fileFor(path), code: inLanguage(code, said, pairs, 1) }
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
  let defined = 0
  for (const node of nodesIn(parseAst(code) as unknown as Node)) {
    if (isLaterPart(node)) {
      imports.set('withTexts', join(folder, 'ui', 'texts.ts'))
      edits.push({ start: node.end, end: node.end, text: '.then(withTexts__)' })
    }
    for (const { said, pairs } of readTexts(node)) {
      const file = fileFor(path)
      const first = files.get(file)?.findIndex((one) => one.startsWith(`/* ${path} */`)) ?? -1
      imports.set('load', `load-${file}`)
      imports.set('translated', join(folder, 'ui', 'texts.ts'))
      const english = pairs.length === 0 ? '{}' : inLanguage(code, said, pairs, 0)
      const text = `translated__.define('de', ${english}, load__(${first + defined}))`
      edits.push({ start: node.start, end: node.end, text })
      defined += 1
    }
  }
  const heads = [...imports].map(
    ([name, from]) => `import { ${name} as ${name}__ } from ${JSON.stringify(from)}\n`,
  )
  return heads.join('') + edited(code, edits)
}

/** In which file a translation lies: in that of the first page, of a part, or of all forms. */
function fileFor(path: string): string {
  const [, page, other] = /^(?:pages\/([\w-]+)|(?:components\/)?(form|graphiql))\//.exec(path) ?? []
  const isFirst = /^pages\/overview\/|\/routes\.tsx$|^pages\/(account|marketplace)\/texts\.ts$/
  const part = isFirst.test(path) ? 'console' : (page ?? other ?? 'console')
  return `${prefix}${part}`
}

/** `import('./page.tsx')`. */
function isLaterPart({ type, source }: Node): boolean {
  return type === 'ImportExpression' && String((source as Node).value).startsWith('.')
}

/** The list of a text in both languages, and its two parts. */
type Pair = { readonly list: Node; readonly parts: readonly [english: Node, german: Node] }

/** The texts of a part of the console; no pairs where they are in German alone. */
type Said = { readonly said: Node; readonly pairs: readonly Pair[] }

/** The texts of `defineTexts({ key: [english, german] })` and `defineGerman({ key: german })`. */
function readTexts(node: Node): Said[] {
  if (node.type !== 'CallExpression') return []
  const name = identifierName(node.callee as Node)
  const [said] = node.arguments as Node[]
  if (said === undefined || !/^define(?:Texts|German)$/.test(name)) return []
  if (name === 'defineGerman') return [{ said, pairs: [] }]
  const values = (said.properties as Node[]).map(({ value }) => value as Node)
  return [{ said, pairs: values.map(readPair) }]
}

/** Reads a list of two, which a function may return. */
function readPair(text: Node): Pair {
  const list = text.type === 'ArrowFunctionExpression' ? (text.body as Node) : text
  const [english, german] = (list.elements ?? []) as Node[]
  if (english === undefined || german === undefined) throw new Error('a text is no list of two')
  return { list, parts: [english, german] }
}

/** The code of the texts, of which each is in one language alone. */
function inLanguage(code: string, said: Node, pairs: Said['pairs'], place: 0 | 1): string {
  const edits = pairs.map(({ list, parts }) => ({
    start: list.start - said.start,
    end: list.end - said.start,
    text: code.slice(parts[place].start, parts[place].end),
  }))
  return edited(code.slice(said.start, said.end), edits)
}

function identifierName({ type, name }: Node): string {
  return type === 'Identifier' ? String(name) : ''
}

function topLevelNames({ body }: Node): ReadonlySet<string> {
  const declared = (body as Node[]).flatMap((statement) => {
    const { specifiers, declarations, id } = (statement.declaration ?? statement) as Node
    const locals = ((specifiers ?? []) as Node[]).map(({ local }) => local as Node)
    const ids = ((declarations ?? []) as Node[]).map((one) => one.id as Node)
    return [...locals, ...ids, ...(id ? [id as Node] : [])].map(identifierName)
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
