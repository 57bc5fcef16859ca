import { parseSync } from 'oxc-parser'
import { lineAt } from './tree.ts'

/** A node of the syntax tree (ESTree with TypeScript's nodes); offsets count UTF-16 units. */
export type Node = { readonly type: string; readonly start: number; readonly end: number } & {
  readonly [field: string]: unknown
}

type Parsed = {
  readonly program: Node
  readonly comments: readonly { readonly value: string; readonly start: number }[]
}

const parsed = new Map<string, Parsed>()

/** Each text is parsed once, however many checks ask. */
function parse(path: string, text: string): Parsed {
  const key = `${path}\n${text}`
  const known = parsed.get(key)
  if (known !== undefined) return known
  const { errors, program, comments } = parseSync(path, text)
  const [error] = errors
  if (error !== undefined) throw new Error(`${path} cannot be parsed: ${error.message}`)
  const made = { program: program as unknown as Node, comments }
  parsed.set(key, made)
  return made
}

/** The syntax tree of a file. */
export function parseSyntax(path: string, text: string): Node {
  return parse(path, text).program
}

/** The comments of a file: their text without its marks, and where each begins. */
export function readComments(path: string, text: string): Parsed['comments'] {
  return parse(path, text).comments
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'
}

/** Calls `see` for every node, a parent before its children. */
export function walk(node: Node, see: (node: Node) => void): void {
  see(node)
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (isNode(child)) walk(child, see)
    }
  }
}

/** All nodes of the given kinds, in the order of the text. */
export function findNodes(path: string, text: string, ...types: string[]): Node[] {
  const found: Node[] = []
  walk(parseSyntax(path, text), (node) => {
    if (types.includes(node.type)) found.push(node)
  })
  return found.sort((a, b) => a.start - b.start)
}

/** The lines of a node, its first and its last included. */
export function linesBetween(text: string, node: Node): number {
  return text.slice(node.start, node.end).split('\n').length
}

/** The name of an identifier, or undefined for any other node. */
export function readName(value: unknown): string | undefined {
  return isNode(value) && value.type === 'Identifier' ? String(value.name) : undefined
}

/** The text of a string literal, or undefined for any other node. */
export function readString(value: unknown): string | undefined {
  if (!isNode(value) || value.type !== 'Literal') return undefined
  return typeof value.value === 'string' ? value.value : undefined
}

/** `object.property` and `object['property']`, where both are plain names. */
export function readMember(node: Node): { object: string; property: string } | undefined {
  if (node.type !== 'MemberExpression') return undefined
  const object = readName(node.object)
  const property = node.computed ? readString(node.property) : readName(node.property)
  return object === undefined || property === undefined ? undefined : { object, property }
}

/** Literals and templates of a file; what a template inserts reads as `…`. */
export function readStrings(path: string, text: string): { value: string; start: number }[] {
  return findNodes(path, text, 'Literal', 'TemplateLiteral').flatMap((node) => {
    const value = node.type === 'Literal' ? readString(node) : readTemplate(node)
    return value === undefined ? [] : [{ value, start: node.start + 1 }]
  })
}

function readTemplate(node: Node): string {
  const quasis = node.quasis as { value: { raw: string } }[]
  return quasis.map((quasi) => quasi.value.raw).join('…')
}

export type Import = {
  /** Undefined where an `import()` computes what it loads. */
  readonly specifier: string | undefined
  readonly names: readonly string[]
  readonly typeOnly: boolean
  readonly isExport: boolean
  readonly line: number
}

/** Returns the imports of a file: imports, re-exports, `import()` and `import('…')` in types. */
export function readImports(path: string, text: string): Import[] {
  const kinds = ['ImportDeclaration', 'ExportNamedDeclaration', 'ExportAllDeclaration']
  return findNodes(path, text, ...kinds, 'ImportExpression', 'TSImportType').flatMap((node) => {
    if (node.type === 'ExportNamedDeclaration' && !isNode(node.source)) return []
    const specifiers = ((node.specifiers ?? []) as Node[]).filter(isNode)
    return {
      specifier: readString(node.source),
      names: specifiers.flatMap((specifier) => readName(specifier.imported) ?? []),
      typeOnly: isTypeOnly(node, specifiers),
      isExport: node.type.startsWith('Export'),
      line: lineAt(text, node.start),
    }
  })
}

function isTypeOnly(node: Node, specifiers: readonly Node[]): boolean {
  if (node.type === 'TSImportType' || node.importKind === 'type') return true
  if (node.exportKind === 'type') return true
  const kinds = specifiers.map((specifier) => specifier.importKind ?? specifier.exportKind)
  return kinds.length > 0 && kinds.every((kind) => kind === 'type')
}
