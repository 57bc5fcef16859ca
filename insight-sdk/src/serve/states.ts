/**
 * The states of linkages between calls, by function and linkage. Bounded: where a platform never
 * tells of deleted linkages, those not used for longest are forgotten.
 */
export class States {
  readonly #byKey = new Map<string, unknown>()
  readonly #linksMax: number

  constructor(linksMax: number) {
    this.#linksMax = linksMax
  }

  of<S>(functionId: string, linkId: string, make: () => S): S {
    const key = JSON.stringify([functionId, linkId])
    // A state under a function's key was made by the same function's `make`.
    const state = this.#byKey.has(key) ? (this.#byKey.get(key) as S) : make()
    this.#byKey.delete(key)
    this.#byKey.set(key, state)
    this.#trim()
    return state
  }

  forget(functionIds: Iterable<string>, linkId: string): void {
    for (const functionId of functionIds) this.#byKey.delete(JSON.stringify([functionId, linkId]))
  }

  get size(): number {
    return this.#byKey.size
  }

  #trim(): void {
    for (const key of this.#byKey.keys()) {
      if (this.#byKey.size <= this.#linksMax) return
      this.#byKey.delete(key)
    }
  }
}
