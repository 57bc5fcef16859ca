import { currentLanguage } from './texts.ts'

/** The texts of an insight module in other languages, by the code of the language. */
type Translations = Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>

/** A text of an insight module in the language of the page, else as it was given. */
export function translated(
  translations: unknown,
  field: 'name' | 'description' | 'suggested_name',
  given: string,
): string {
  const text = inLanguage(translations)?.[field]
  return typeof text === 'string' && text !== '' ? text : given
}

/** The texts of the values of `enum` in the language of the page, where the module has them. */
export function translatedTexts(
  translations: unknown,
  given: readonly string[] | null,
): readonly string[] | null {
  const texts = inLanguage(translations)?.enum_presented
  return Array.isArray(texts) ? texts.map(String) : given
}

function inLanguage(translations: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof translations !== 'object' || translations === null) return undefined
  const found = (translations as Translations)[currentLanguage()]
  return typeof found === 'object' && found !== null ? found : undefined
}
