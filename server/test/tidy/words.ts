import type { Remaining } from './remaining.ts'
import { findNodes, isNode, type Node, readComments, readName, readString } from './tree/syntax.ts'
import { type Check, type Finding, lineAt, matching } from './tree/tree.ts'

const sources = /^(server|console|bench|dev|insight-sdk|examples)\/.*\.tsx?$/
const ownFiles = /^server\/test\/tidy\/(words(\.test)?|remaining)\.ts$/
const testCalls = new Set(['test', 'it', 'describe', 'suite'])

type Piece = { readonly text: string; readonly start: number }

/**
 * A word that docs/glossary.md replaces stands in identifiers, comments and names of tests no more
 * often than is allowed.
 */
export function wordsAreReplaced(allowed: Remaining): Check {
  return (files) => {
    const found = new Map<string, Finding[]>(Object.keys(allowed).map((word) => [word, []]))
    for (const [file, text] of matching(files, sources)) {
      if (ownFiles.test(file)) continue
      for (const { text: piece, start } of listPieces(file, text)) {
        for (const word of wordsIn(piece)) {
          found.get(word)?.push({ file, line: lineAt(text, start), message: word })
        }
      }
    }
    return [...found].flatMap(([word, places]) => overflow(word, places, allowed[word] ?? 0))
  }
}

function overflow(word: string, places: readonly Finding[], most: number): Finding[] {
  if (places.length <= most) return []
  const message = `“${word}” stands ${places.length} times, ${most} at most: see docs/glossary.md`
  return (most === 0 ? places : places.slice(-1)).map((place) => ({ ...place, message }))
}

function listPieces(file: string, text: string): Piece[] {
  const identifiers = findNodes(file, text, 'Identifier', 'PrivateIdentifier')
  // An identifier with a type stands twice in the tree.
  const starts = new Map(identifiers.map(({ name, start }) => [start, String(name)]))
  return [
    ...[...starts].map(([start, name]) => ({ text: name, start })),
    ...readComments(file, text).map(({ value, start }) => ({ text: value, start })),
    ...testNames(file, text),
  ]
}

function testNames(file: string, text: string): Piece[] {
  return findNodes(file, text, 'CallExpression').flatMap((node) => {
    const [name] = node.arguments as { start: number }[]
    const value = readString(name)
    if (name === undefined || value === undefined) return []
    return testCalls.has(readName(node.callee) ?? '') ? [{ text: value, start: name.start }] : []
  })
}

/** Names of the schema that clients in the field ask for: they are not ours to choose. */
const fieldNames = /\blastHeard\b/g

/** `closeDoor2` has the words close and door. */
function wordsIn(text: string): string[] {
  const spaced = text
    .replace(fieldNames, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
  return spaced.match(/[a-z]+/g) ?? []
}

/** A kind of schema, named as its library names others, and names that read best so. */
const namesWithOf = new Set(['RecordOf', 'isOneOf', 'sizeOf'])
const everySource = /^(server|console|client|cli|bench|dev|insight-sdk|examples)\/.*\.(tsx?|mjs)$/

/** A function is named by what it does: `readTags`, `toSentence`, `unitFor`, not `tagsOf`. */
export const functionsAreNamedByVerbs: Check = (files) =>
  matching(files, everySource).flatMap(([file, text]) => {
    if (!/Of\b/.test(text)) return []
    const kinds = ['FunctionDeclaration', 'VariableDeclarator', 'MethodDefinition', 'Property']
    return findNodes(file, text, ...kinds).flatMap((node) => {
      const name = functionName(node)
      if (name === undefined || !name.endsWith('Of') || namesWithOf.has(name)) return []
      const message = `“${name}” is no verb: name the function by what it does`
      return [{ file, line: lineAt(text, node.start), message }]
    })
  })

/** The name of a function, of a constant that is one, or of a method. */
function functionName({ type, id, key, init, method }: Node): string | undefined {
  if (type === 'FunctionDeclaration') return readName(id)
  if (type === 'VariableDeclarator') {
    return isNode(init) && /^(Arrow)?Function/.test(init.type) ? readName(id) : undefined
  }
  if (type === 'Property' && method !== true) return undefined
  return isNode(key) ? String(key.name) : undefined
}

const pages = /^console\/app\/.*\.tsx$/
const readAttributes = new Set(['action', 'aria-label', 'description', 'label', 'title'])
const isWord = /\p{L}{2,}/u
/** Names that are the same in every language. */
const names = new Set(['Millrace', 'Ctrl K', 'CSV', 'JSON', 'curl', 'websocat'])

/**
 * Texts that a person reads in the console come from `defineTexts`, which has them in each
 * language.
 */
export const textsAreTranslated: Check = (files) =>
  matching(files, pages).flatMap(([file, text]) =>
    findNodes(file, text, 'JSXText', 'JSXAttribute').flatMap((node) => {
      const words = wordsShown(node)
      if (words === undefined || names.has(words) || !isWord.test(words)) return []
      const line = lineAt(text, node.start + leadingSpace(node))
      return [{ file, line, message: `“${words}” is written in one language: use defineTexts` }]
    }),
  )

function wordsShown({ type, name, value }: Node): string | undefined {
  if (type === 'JSXText') return String(value).trim()
  const attribute = isNode(name) ? String(name.name) : ''
  return readAttributes.has(attribute) ? readString(value) : undefined
}

function leadingSpace({ type, value }: Node): number {
  return type === 'JSXText' ? (/^\s*/.exec(String(value))?.[0].length ?? 0) : 0
}
