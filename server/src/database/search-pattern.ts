import { Fault, limits } from '../kernel/index.ts'

/**
 * Returns the pattern of `like` and `ilike` that finds a text anywhere in another.
 * @throws Fault `invalid_argument` above `searchTextMax`: PostgreSQL's work grows with the square
 *   of the length of a pattern
 */
export function searchPattern(text: string): string {
  if (text.length > limits.searchTextMax) {
    const rule = `text has at most ${limits.searchTextMax} characters`
    throw new Fault('invalid_argument', rule)
  }
  return `%${text.replaceAll(/[\\%_]/g, (letter) => `\\${letter}`)}%`
}
