import { describeType, type Fields, isObject } from './reading.ts'
import type { Translation, Translations } from './types.ts'

/** The translations of an object; entries that break the protocol are left out. */
export function readTranslations(fields: Fields): Translations | undefined {
  const given = fields.raw('translations')
  if (given === undefined || given === null) return undefined
  if (!isObject(given)) {
    fields.complain(`translations is ${describeType(given)}, not an object; it is left out`)
    return undefined
  }
  const languages = Object.entries(given).filter(([language, words]) => {
    if (!isObject(words)) fields.complain(`translations of ${language} are not an object`)
    return isObject(words)
  })
  const read = languages.map(([language, words]) => [language, readWords(fields, language, words)])
  return Object.fromEntries(read)
}

function readWords(fields: Fields, language: string, words: unknown): Translation {
  if (!isObject(words)) return {}
  const given = Object.entries(words)
  const kept = given.filter(([key, value]) =>
    key === 'enum_presented' ? isStrings(value) : typeof value === 'string',
  )
  if (kept.length < given.length) {
    fields.complain(`translations of ${language} that are not text are left out`)
  }
  return Object.fromEntries(kept)
}

function isStrings(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}
