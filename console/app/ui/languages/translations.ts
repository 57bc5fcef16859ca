import { useSyncExternalStore } from 'react'

/**
 * The build leaves translations out of the modules that define them (`build-plugins/`). Each is
 * defined here with what loads it, is loaded once the page has its language, and is waited for
 * before anything of its module is shown. Translations that could not be loaded are tried again by
 * whoever reads, or when the browser is online again.
 */
type Unloaded<Name extends string> = { readonly language: Name; readonly load: () => Promise<void> }

export class Translations<Name extends string> {
  readonly #unloaded = new Set<Unloaded<Name>>()
  readonly #listeners = new Set<() => void>()
  #failed: Name | undefined
  #retried = Promise.withResolvers<void>()

  /** The texts that the build makes: English ones, and the loaders of other languages. */
  define<Texts>(language: Name, en: Texts, load: () => Promise<Texts>): Record<string, Texts> {
    const texts = { en, [language]: en }
    this.#unloaded.add({
      language,
      load: async () => {
        texts[language] = await load()
      },
    })
    return texts
  }

  lacks(language: Name): boolean {
    return this.#of(language).length > 0
  }

  /** Loads what is lacking now; if that fails, it ends when a retry is asked for. */
  async load(language: Name): Promise<void> {
    try {
      await Promise.all(this.#of(language).map((one) => this.#loadOne(one)))
    } catch {
      this.#fail(language)
      await this.#retried.promise
    }
  }

  readonly retry = (): void => {
    this.#fail(undefined)
    this.#retried.resolve()
    this.#retried = Promise.withResolvers()
  }

  /** The language whose texts could not be loaded. */
  useFailed(): Name | undefined {
    return useSyncExternalStore(this.#subscribe, () => this.#failed)
  }

  #of(language: Name): Unloaded<Name>[] {
    return [...this.#unloaded].filter((one) => one.language === language)
  }

  async #loadOne(one: Unloaded<Name>): Promise<void> {
    await one.load()
    this.#unloaded.delete(one)
  }

  #fail(language: Name | undefined): void {
    this.#failed = language
    for (const listener of this.#listeners) listener()
  }

  readonly #subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}
