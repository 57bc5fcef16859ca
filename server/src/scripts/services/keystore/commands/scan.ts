import { createHash } from 'node:crypto'
import { Fault } from '../../../../foundation/kernel/index.ts'
import { keystoreLimits } from '../limits.ts'
import type { Args } from './command.ts'

/** The cursor of the start, and of the end. */
const scanEnd = '0'

/** Names to a page, as Redis has it. */
const countDefault = 10

/**
 * Returns the names of a hash or a set after a cursor. They go by a hash of the name, so that a
 * cursor is a number and what is there all the time is found once, whatever is added and removed
 * meanwhile.
 */
export function scan(
  all: readonly string[],
  args: Args,
): { readonly names: string[]; readonly cursor: string } {
  const cursor = args.name('cursor')
  if (!/^\d{1,15}$/.test(cursor)) {
    throw new Fault('invalid_argument', 'cursor must be that of the scan before, or "0"')
  }
  const { count, matches } = scanOptions(args)
  const after = Number(cursor)
  const placed = all
    .map((name) => ({ name, place: hashPlace(name) }))
    .filter(({ place }) => place > after)
    .sort((one, other) => one.place - other.place)
  const last = placed[count - 1]
  const isEnd = last === undefined || placed.at(-1)?.place === last.place
  const page = isEnd ? placed : placed.filter(({ place }) => place <= last.place)
  const names = page.map(({ name }) => name).filter(matches)
  return { names, cursor: isEnd ? scanEnd : String(last.place) }
}

/** A number above 0, which a double has exactly. */
function hashPlace(name: string): number {
  return createHash('sha1').update(name).digest().readUIntBE(0, 6) + 1
}

function scanOptions(args: Args) {
  let count = countDefault
  let matches: (name: string) => boolean = () => true
  while (args.left > 0) {
    const option = args.name('option').toUpperCase()
    if (option === 'COUNT') count = checkCount(args.integer('count'))
    else if (option === 'MATCH') matches = makeMatcher(args.name('pattern'))
    else
      throw new Fault('invalid_argument', `the option ${option.slice(0, 40)} is not COUNT or MATCH`)
  }
  return { count, matches }
}

function checkCount(count: number): number {
  if (count < 1) throw new Fault('invalid_argument', 'count must be above 0')
  return Math.min(count, keystoreLimits.keystoreListMax)
}

/** `*` is any text, `?` one character; a walk that goes back at most once a star. */
export function makeMatcher(pattern: string): (name: string) => boolean {
  return (name) => {
    let at = 0
    let star = -1
    let from = 0
    let place = 0
    while (place < name.length) {
      if (pattern[at] === '*') {
        star = at
        from = place
        at += 1
      } else if (at < pattern.length && (pattern[at] === '?' || pattern[at] === name[place])) {
        at += 1
        place += 1
      } else if (star >= 0) {
        at = star + 1
        from += 1
        place = from
      } else {
        return false
      }
    }
    while (pattern[at] === '*') at += 1
    return at === pattern.length
  }
}
