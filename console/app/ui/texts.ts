import { useSyncExternalStore } from 'react'
import { Translations } from './languages/translations.ts'

/** The languages of the console. */
export const languages = { en: 'English', de: 'Deutsch' } as const

export type Language = keyof typeof languages

type Text = string | ((...values: never[]) => string)
type Texts = Readonly<Record<string, Text>>
type Translated<Source extends Texts> = {
  readonly [Key in keyof Source]: Source[Key] extends string ? string : Source[Key]
}

/** The texts of a part of the console in each language. */
export type TextsOf<Source extends Texts> = Readonly<Record<Language, Translated<Source>>>

const key = 'millrace.language'
const listeners = new Set<() => void>()
/** The requests of the console are also run without a browser, which has no choice. */
let current: Language = typeof document === 'undefined' ? 'en' : preset()
/** It becomes the current one when its texts are there. */
let chosen = current
export const translated = new Translations<Language>()
if (typeof document !== 'undefined') {
  apply(current)
  // Another tab chose another one.
  window.addEventListener('storage', (event) => {
    if (event.key === key) void change(preset())
  })
  window.addEventListener('online', translated.retry)
}

/** The texts of a part of the console: a text that a language lacks is a type error. */
export function defineTexts<Source extends Texts>(
  en: Source,
  translations: Readonly<Record<Exclude<Language, 'en'>, Translated<Source>>>,
): TextsOf<Source> {
  const texts: Record<Language, Translated<Source>> = {
    en: en as Translated<Source>,
    ...translations,
  }
  for (const language of Object.keys(translations) as Exclude<Language, 'en'>[]) {
    // In the build it is what loads it.
    const given: unknown = translations[language]
    if (typeof given !== 'function') continue
    translated.add(language, async () => {
      texts[language] = await given()
    })
  }
  return texts
}

/** Returns a part of the console when the texts of all that is loaded are there. */
export async function withTexts<Part>(part?: Part): Promise<Part | undefined> {
  while (translated.lacks(current)) await translated.load(current)
  return part
}

/** Returns the texts in the language of this browser; a component shows another when it changes. */
export function useTexts<Source extends Texts>(texts: TextsOf<Source>): Translated<Source> {
  return texts[useLanguage()]
}

export function useLanguage(): Language {
  return useSyncExternalStore(subscribe, currentLanguage)
}

/** The language now, for numbers and times outside of components. */
export function currentLanguage(): Language {
  return current
}

export function setLanguage(language: Language): void {
  try {
    window.localStorage.setItem(key, language)
  } catch {
    // Storage is off: the choice holds until the page is closed.
  }
  void change(language)
}

async function change(language: Language): Promise<void> {
  chosen = language
  // What waits for texts of another language waits no more.
  translated.retry()
  while (chosen === language && translated.lacks(language)) await translated.load(language)
  if (chosen !== language) return
  current = language
  translated.retry()
  apply(language)
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The choice that was kept, else the first language of the browser that the console has. */
function preset(): Language {
  const wanted = [kept(), ...navigator.languages.map((tag) => tag.slice(0, 2))]
  return wanted.find(isLanguage) ?? 'en'
}

function kept(): string | null {
  try {
    return window.localStorage.getItem(key)
  } catch {
    return null
  }
}

function isLanguage(value: string | null): value is Language {
  return value !== null && Object.hasOwn(languages, value)
}

function apply(language: Language): void {
  document.documentElement.lang = language
}
