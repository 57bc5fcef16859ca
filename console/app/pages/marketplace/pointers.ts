import { pointerKeys } from '../../ui/field-errors.ts'

/** A line of a text, counted from 1. */
type Line = { readonly number: number; readonly text: string }

/**
 * The line of a JSON text at which the value of a pointer begins, or the nearest value around it.
 * Undefined for the whole, and for a text that is no JSON, such as YAML.
 */
export function findLine(text: string, pointer: string): Line | undefined {
  if (pointer === '' || !isJson(text)) return undefined
  const wanted = pointerKeys(pointer)
  let at = skipSpace(text, 0)
  let found: number | undefined
  for (const part of wanted) {
    const next = findMember(text, at, part)
    if (next === undefined) break
    at = next
    found = next
  }
  if (found === undefined) return undefined
  const before = text.slice(0, found).split('\n')
  const from = found - (before.at(-1)?.length ?? 0)
  const end = text.indexOf('\n', found)
  return { number: before.length, text: text.slice(from, end < 0 ? undefined : end).trim() }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function skipSpace(text: string, from: number): number {
  let at = from
  while (/\s/.test(text[at] ?? '')) at += 1
  return at
}

/**
 * Returns the place where the value of a key, or of an index, begins in the object or array at a
 * place.
 */
function findMember(text: string, from: number, part: string): number | undefined {
  const isObject = text[from] === '{'
  if (!isObject && text[from] !== '[') return undefined
  let at = skipSpace(text, from + 1)
  for (let index = 0; at < text.length && !/[}\]]/.test(text[at] ?? ''); index += 1) {
    let key = `${index}`
    if (isObject) {
      const end = findEnd(text, at)
      key = JSON.parse(text.slice(at, end))
      at = skipSpace(text, skipSpace(text, end) + 1)
    }
    if (key === part) return at
    at = skipSpace(text, findEnd(text, at))
    if (text[at] === ',') at = skipSpace(text, at + 1)
  }
  return undefined
}

/** Behind the value that begins at a place of a text that is JSON. */
function findEnd(text: string, from: number): number {
  let depth = 0
  for (let at = from; at < text.length; at += 1) {
    const char = text[at] ?? ''
    if (char === '"') at = endOfText(text, at)
    else if (/[[{]/.test(char)) depth += 1
    else if (/[\]}]/.test(char)) depth -= 1
    if (depth < 0 || (depth === 0 && /[,\s]/.test(text[at] ?? ''))) return at
    if (depth === 0 && /["\]}]/.test(text[at] ?? '')) return at + 1
  }
  return text.length
}

function endOfText(text: string, from: number): number {
  let at = from + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at
}
