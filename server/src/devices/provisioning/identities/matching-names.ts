import type { Queryable } from '../../../foundation/database/index.ts'
import { Fault, invalidField, parsePattern } from '../../../foundation/kernel/index.ts'
import { readNames } from '../store/list.ts'

/** Identities that a regular expression of `listIdentities` is matched with; past it 413. */
const deviceMatchesScanned = 200_000
/** Identities that a regular expression of `listIdentities` may find; past it 413. */
const deviceMatchesMax = 10_000

/** Names of one step, between which others run. */
const stepRows = 1_000

/**
 * Returns the identities of a connector that hold a match of a regular expression. It is matched in
 * linear time, in steps; literals that it begins with narrow what is read.
 * @throws Fault `invalid_argument`, `too_large` past the limits of a scan.
 */
export async function matchingNames(
  database: Queryable,
  connectorId: string,
  source: string,
): Promise<string[]> {
  const pattern = parsePattern(source)
  if (typeof pattern === 'string') throw invalidField('identity', pattern)
  const like = `${findPrefix(source).replace(/[\\%_]/g, '\\$&')}%`
  const found: string[] = []
  let after = ''
  for (let scanned = 0; scanned < deviceMatchesScanned; scanned += stepRows) {
    const names = await readNames(database, connectorId, { after, like, rowsMax: stepRows })
    for (const name of names) if (pattern.test(name)) found.push(name)
    if (found.length > deviceMatchesMax) {
      throw tooMany(`finds more than ${deviceMatchesMax} identities`)
    }
    if (names.length < stepRows) return found
    after = names.at(-1) ?? ''
  }
  throw tooMany(`would be matched with more than ${deviceMatchesScanned} identities`)
}

function tooMany(what: string): Fault {
  return new Fault('too_large', `the pattern of identity ${what}; begin it with ^ and literals`)
}

/** The literals that each match begins with: after `^`, and before what makes the last optional. */
function findPrefix(source: string): string {
  if (!source.startsWith('^') || source.includes('|')) return ''
  const [, literals = '', next = ''] = /^\^([A-Za-z0-9_:-]*)(.?)/.exec(source) ?? []
  return '*?{'.includes(next) && next !== '' ? literals.slice(0, -1) : literals
}
