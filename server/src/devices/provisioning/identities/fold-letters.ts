/*
 * Letters of searches, without their case. PostgreSQL compares letters by the locale of the
 * database, of which each folds others: "C" the ASCII letters alone, Turkish an I to a dotless one.
 * This fold makes all letters the same that any of them does, one by one: if a text holds another
 * by `ilike`, its folded letters hold the folded ones of the other. The reverse need not be so.
 * An index of folded letters thus finds no device too few, on whichever server it was filled.
 */

/** An i without its dot, and those of which Lithuanian writes the accent apart. */
const manyI = /[\u0131\u00ec\u00ed\u0129]/g

/** The dot that locales put above an i or take from it, and the accents that stay apart then. */
const accents = /[\u0300\u0301\u0303\u0307]/g

/** Returns the letters in lower case, with one i and one sigma. */
export function foldLetters(text: string): string {
  return text.toLowerCase().replace(manyI, 'i').replaceAll('ς', 'σ').replace(accents, '')
}

/** Returns parts that each text has which holds this one: its threes, or all of a short one. */
export function splitGrams(text: string): string[] {
  const letters = [...foldLetters(text)]
  if (letters.length === 0) return []
  const last = Math.max(letters.length - 3, 0)
  const grams = letters.slice(0, last + 1).map((_, at) => letters.slice(at, at + 3).join(''))
  return [...new Set(grams)]
}

/** The same of a pattern of `like`: the parts of what it says letter by letter. */
export function gramsOfPattern(pattern: string): string[] {
  const said = pattern.replace(/\\(.)|[%_]/gsu, (_, letter: string | undefined) => letter ?? '\0')
  return [...new Set(said.split('\0').flatMap(splitGrams))]
}
