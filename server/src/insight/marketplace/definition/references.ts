import {
  type DocumentProblem,
  type Json,
  type JsonObject,
  toPointer,
} from '../../../foundation/kernel/index.ts'
import { marketplaceLimits } from '../limits.ts'
import { valueAt } from './pointers.ts'

/** A `$ref` of a document: the pointer of its object, and its value. */
type Reference = { readonly at: string; readonly value: Json }

/** A reference to a place in its own document. */
type LocalReference = { readonly at: string; readonly target: string }

/**
 * Returns what is wrong with the references of a document: those to a file or the network, which
 * are never read, those that lead nowhere, and those that contain themselves.
 */
export function referenceProblems(document: JsonObject): DocumentProblem[] {
  const references = referencesIn(document)
  const most = marketplaceLimits.definitionReferencesMax
  if (references.length > most) {
    return [{ pointer: '', detail: `it has more than ${most} references` }]
  }
  const problems: DocumentProblem[] = []
  const local: LocalReference[] = []
  for (const { at, value } of references) {
    const target = localTarget(value)
    if (target === undefined) problems.push(problemAt(at, 'it does not begin with #/'))
    else if (valueAt(document, target) === undefined) {
      problems.push(problemAt(at, 'there is nothing in the document at this place'))
    } else local.push({ at, target })
  }
  return [...problems, ...circular(local).map((at) => problemAt(at, 'it contains itself'))]
}

function problemAt(at: string, detail: string): DocumentProblem {
  return { pointer: `${at}/$ref`, detail }
}

function referencesIn(root: JsonObject): Reference[] {
  const found: Reference[] = []
  const open: { readonly value: object; readonly at: string }[] = [{ value: root, at: '' }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, at } = next
    for (const [key, inner] of Object.entries(value)) {
      if (typeof inner === 'object' && inner !== null) {
        open.push({ value: inner, at: `${at}${toPointer(key)}` })
        // A property of a schema may have this name.
      } else if (key === '$ref' && inner !== null) found.push({ at, value: inner })
    }
  }
  return found
}

function localTarget(value: Json): string | undefined {
  if (typeof value !== 'string' || !value.startsWith('#/')) return undefined
  try {
    return decodeURIComponent(value.slice(1))
  } catch {
    return undefined
  }
}

/** Returns the places of the references that close a circle. */
function circular(references: readonly LocalReference[]): string[] {
  const closing: string[] = []
  const state = new Map<string, 'open' | 'done'>()
  const sorted = references.toSorted((one, other) => (one.at < other.at ? -1 : 1))
  /** Follows the references inside a target, its way kept in a list: circles may be long. */
  function follow(first: string): void {
    const way = [{ target: first, left: within(first, sorted) }]
    state.set(first, 'open')
    for (let last = way.at(-1); last !== undefined; last = way.at(-1)) {
      const reference = last.left.pop()
      if (reference === undefined) {
        state.set(last.target, 'done')
        way.pop()
      } else if (state.get(reference.target) === 'open') closing.push(reference.at)
      else if (!state.has(reference.target)) {
        state.set(reference.target, 'open')
        way.push({ target: reference.target, left: within(reference.target, sorted) })
      }
    }
  }
  for (const { target } of references) if (!state.has(target)) follow(target)
  return closing.sort()
}

/** Returns the references at a place or below it, of those sorted by their place. */
function within(target: string, sorted: readonly LocalReference[]): LocalReference[] {
  const first = (text: string) => {
    let [low, high] = [0, sorted.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((sorted[middle]?.at ?? '') < text) low = middle + 1
      else high = middle
    }
    return low
  }
  // A place is followed by those that begin with it and `/`, whose next character is `0`.
  const own = sorted.slice(first(target), first(`${target}\0`))
  return [...own, ...sorted.slice(first(`${target}/`), first(`${target}0`))]
}
