export type LruMapOptions<Key, Value> = {
  /** Part of the map's size that a value takes. 1 if it is not given. */
  readonly sizeOf?: (value: Value) => number
  /** Returns false for a value that must stay, even if the map grows past its size. */
  readonly canEvict?: (value: Value) => boolean
  /** Called for each value that is removed for want of room, not for one that is deleted. */
  readonly onEvicted?: (value: Value, key: Key) => void
}

/**
 * A map of bounded size. When an entry is added and the map is past its size, those that were
 * neither read nor written for the longest time are removed; the new entry always stays. It is
 * iterated in that order, the entry used last at the end. A value is not undefined.
 */
export class LruMap<Key, Value> {
  readonly #max: number
  readonly #options: LruMapOptions<Key, Value>
  /** A Map keeps the order of insertion: what is used is inserted again. */
  readonly #values = new Map<Key, Value>()
  #size = 0

  /** @param max the most that the sizes of all values add up to. */
  constructor(max: number, options: LruMapOptions<Key, Value> = {}) {
    this.#max = max
    this.#options = options
  }

  /** Returns how many entries there are. */
  get count(): number {
    return this.#values.size
  }

  get(key: Key): Value | undefined {
    const value = this.#values.get(key)
    if (value === undefined) return undefined
    this.#values.delete(key)
    this.#values.set(key, value)
    return value
  }

  /** Returns a value without counting that as use. */
  peek(key: Key): Value | undefined {
    return this.#values.get(key)
  }

  set(key: Key, value: Value): void {
    this.delete(key)
    this.#values.set(key, value)
    this.#size += this.#sizeOf(value)
    if (this.#size > this.#max) this.#evict(key)
  }

  /** @returns whether there was such an entry. */
  delete(key: Key): boolean {
    const value = this.#values.get(key)
    if (value !== undefined) this.#size -= this.#sizeOf(value)
    return this.#values.delete(key)
  }

  deleteWhere(condition: (value: Value) => boolean): void {
    for (const [key, value] of this.#values) if (condition(value)) this.delete(key)
  }

  clear(): void {
    this.#values.clear()
    this.#size = 0
  }

  values(): IterableIterator<Value> {
    return this.#values.values()
  }

  #sizeOf(value: Value): number {
    return this.#options.sizeOf?.(value) ?? 1
  }

  #evict(added: Key): void {
    const { canEvict, onEvicted } = this.#options
    for (const [key, value] of this.#values) {
      if (this.#size <= this.#max || key === added) return
      if (canEvict?.(value) === false) continue
      this.delete(key)
      onEvicted?.(value, key)
    }
  }
}
