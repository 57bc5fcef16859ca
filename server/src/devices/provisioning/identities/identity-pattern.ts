import { invalidField, limits, refuseText } from '../../../foundation/kernel/index.ts'

/**
 * A `like` pattern from the part of regular expressions that cannot run away: literals, `\` before
 * one, `.`, `.*`, `.+`, `^` at the start, `$` at the end. As with a regular expression, an identity
 * that holds a match is one.
 * @throws Fault `invalid_argument` for every other operator, naming it.
 */
export function toLikePattern(pattern: string): string {
  const refusal = refuseText(pattern, limits.identityCharsMax)
  if (refusal !== undefined) throw invalidField('identity', refusal)
  const atStart = pattern.startsWith('^')
  const atEnd = /(?<!\\)(?:\\\\)*\$$/.test(pattern)
  const inner = pattern.slice(atStart ? 1 : 0, atEnd ? -1 : undefined)
  const like = inner.replace(/\\?.[*+?]?/gsu, likeOfAtom)
  return `${atStart ? '' : '%'}${like}${atEnd ? '' : '%'}`
}

function likeOfAtom(atom: string): string {
  if (atom === '.') return '_'
  if (atom === '.*') return '%'
  if (atom === '.+') return '_%'
  const literal = atom.startsWith('\\') ? atom.slice(1) : atom
  const escaped = literal !== atom && /^[^a-zA-Z0-9\s]$/.test(literal)
  if (!escaped && /[\\^$.*+?()[\]{}|]/.test(atom)) {
    throw invalidField('identity', `knows only literals, ".", ".*", ".+", "^" and "$", not ${atom}`)
  }
  return literal.replace(/[\\%_]/, '\\$&')
}
