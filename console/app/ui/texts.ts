import { useSyncExternalStore } from 'react'
import { Translations } from './languages/translations.ts'

/** The languages of the console. */
export const languages = { en: 'English', de: 'Deutsch' } as const

export type Language = keyof typeof languages

/** A text in each language, in the order of `languages`. */
type Said = readonly [en: string, de: string]
type Texts = Readonly<Record<string, Said | ((...values: never[]) => Said)>>
type Translated<Source extends Texts> = {
  readonly [Key in keyof Source]: Source[Key] extends (...values: infer Values) => Said
    ? (...values: Values) => string
    : string
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
export function defineTexts<const Source extends Texts>(said: Source): TextsOf<Source> {
  return { en: textsIn(said, 0), de: textsIn(said, 1) }
}

function textsIn<Source extends Texts>(said: Source, place: 0 | 1): Translated<Source> {
  const texts = Object.entries(said).map(([name, text]) => [
    name,
    typeof text === 'function' ? (...values: never[]) => text(...values)[place] : text[place],
  ])
  return Object.fromEntries(texts)
}

type German = Readonly<Record<string, string>>

/** German for English texts that come from elsewhere, such as a schema of the server. */
export function defineGerman(de: German): Readonly<Record<Language, German>> {
  return { en: {}, de }
}

/** Returns a part of the console when the texts of all that is loaded are there. */
export async function withTexts<Part>(part?: Part): Promise<Part | undefined> {
  while (translated.lacks(current)) await translated.load(current)
  return part
}

/** The words that many parts of the console have in one sense, so that each reads the same. */
const words = defineTexts({
  actions: ['Actions', 'Aktionen'],
  asset: ['Asset', 'Anlage'],
  assets: ['Assets', 'Anlagen'],
  cancel: ['Cancel', 'Abbrechen'],
  change: ['Change', 'Ändern'],
  changed: ['Changed', 'Geändert'],
  close: ['Close', 'Schließen'],
  connector: ['Connector', 'Konnektor'],
  copied: ['Copied', 'Kopiert'],
  create: ['Create', 'Anlegen'],
  delete: ['Delete', 'Löschen'],
  description: ['Description', 'Beschreibung'],
  device: ['Device', 'Gerät'],
  devices: ['Devices', 'Geräte'],
  failed: ['failed', 'fehlgeschlagen'],
  file: ['File', 'Datei'],
  from: ['From', 'Von'],
  group: ['Group', 'Gruppe'],
  groups: ['Groups', 'Gruppen'],
  identity: ['Identity', 'Identität'],
  import: ['Import', 'Importieren'],
  level: ['Level', 'Stufe'],
  log: ['Log', 'Protokoll'],
  name: ['Name', 'Name'],
  needed: ['This is needed.', 'Diese Angabe fehlt.'],
  never: ['never', 'nie'],
  none: ['none', 'keine'],
  off: ['off', 'aus'],
  remove: ['Remove', 'Entfernen'],
  role: ['Role', 'Rolle'],
  save: ['Save', 'Speichern'],
  saved: ['Saved.', 'Gespeichert.'],
  settings: ['Settings', 'Einstellungen'],
  signal: ['Signal', 'Signal'],
  signals: ['Signals', 'Signale'],
  stage: ['Stage', 'Stufe'],
  state: ['State', 'Zustand'],
  status: ['Status', 'Status'],
  text: ['Text', 'Text'],
  to: ['To', 'Bis'],
  value: ['Value', 'Wert'],
  version: ['Version', 'Version'],
  when: ['When', 'Wann'],
})

type Words = typeof words extends TextsOf<infer Source> ? Source : never
type Own = Readonly<Record<never, Said>>

/**
 * Returns the texts of a part, beside the words of all parts, in the language of this browser; a
 * component shows another when it changes.
 */
export function useTexts<Source extends Texts = Own>(
  texts?: TextsOf<Source>,
): Translated<Source & Omit<Words, keyof Source>> {
  const language = useLanguage()
  return withWords(words[language], texts?.[language]) as Translated<
    Source & Omit<Words, keyof Source>
  >
}

const joined = new WeakMap<object, object>()

/** Components that show the texts of a part share one object of them. */
function withWords(shared: object, own: object | undefined): object {
  if (own === undefined) return shared
  const known = joined.get(own) ?? { ...shared, ...own }
  joined.set(own, known)
  return known
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
  // Readers that wait for texts of another language wait no more.
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
