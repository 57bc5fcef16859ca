export type LruMapOptions<Key, Value> = {
  /** Part of the map's size that a value takes. 1 if it is not given. */
  readonly sizeOf?: (value: Value) => number
  /** Returns false for a value that must stay, even if the map grows past its size. */
  readonly canEvict?: (value: Value) => boolean
  /** Called for each value that is removed for want of room, not for one that is deleted. */
  readonly onEvicted?: (value: Value, key: Key) => void
}

/** An entry, in a list by the time of its last use. */
type Node<Key, Value> = {
  readonly key: Key
  value: Value
  size: number
  older: Node<Key, Value> | undefined
  newer: Node<Key, Value> | undefined
}

/**
 * A map of bounded size. When an entry is added and the map is past its size, those that were
 * neither read nor written for the longest time are removed; the new entry always stays. It is
 * iterated in that order, the entry used last at the end. A value is not undefined.
 */
export class LruMap<Key, Value> {
  readonly #max: number
  readonly #options: LruMapOptions<Key, Value>
  readonly #nodes = new Map<Key, Node<Key, Value>>()
  #oldest: Node<Key, Value> | undefined
  #newest: Node<Key, Value> | undefined
  #size = 0

  /** @param max the most that the sizes of all values add up to. */
  constructor(max: number, options: LruMapOptions<Key, Value> = {}) {
    this.#max = max
    this.#options = options
  }

  /** Returns how many entries there are. */
  get count(): number {
    return this.#nodes.size
  }

  get(key: Key): Value | undefined {
    const node = this.#nodes.get(key)
    if (node === undefined) return undefined
    if (node !== this.#newest) {
      this.#unlink(node)
      this.#append(node)
    }
    return node.value
  }

  /** Returns a value without counting that as use. */
  peek(key: Key): Value | undefined {
    return this.#nodes.get(key)?.value
  }

  set(key: Key, value: Value): void {
    this.delete(key)
    const size = this.#options.sizeOf?.(value) ?? 1
    const node = { key, value, size, older: undefined, newer: undefined }
    this.#nodes.set(key, node)
    this.#append(node)
    this.#size += size
    if (this.#size > this.#max) this.#evict(node)
  }

  /** @returns whether there was such an entry. */
  delete(key: Key): boolean {
    const node = this.#nodes.get(key)
    if (node === undefined) return false
    this.#remove(node)
    return true
  }

  deleteWhere(condition: (value: Value) => boolean): void {
    for (const node of this.#nodes.values()) if (condition(node.value)) this.#remove(node)
  }

  clear(): void {
    this.#nodes.clear()
    this.#oldest = undefined
    this.#newest = undefined
    this.#size = 0
  }

  *values(): Generator<Value, void> {
    for (let node = this.#oldest; node !== undefined; node = node.newer) yield node.value
  }

  #evict(added: Node<Key, Value>): void {
    const { canEvict, onEvicted } = this.#options
    let node = this.#oldest
    while (node !== undefined && node !== added && this.#size > this.#max) {
      const { newer, value, key } = node
      if (canEvict?.(value) !== false) {
        this.#remove(node)
        onEvicted?.(value, key)
      }
      // The callback may have removed it, too.
      node = newer !== undefined && this.#nodes.has(newer.key) ? newer : undefined
    }
  }

  #remove(node: Node<Key, Value>): void {
    this.#nodes.delete(node.key)
    this.#unlink(node)
    this.#size -= node.size
  }

  #append(node: Node<Key, Value>): void {
    node.older = this.#newest
    node.newer = undefined
    if (this.#newest === undefined) this.#oldest = node
    else this.#newest.newer = node
    this.#newest = node
  }

  #unlink({ older, newer }: Node<Key, Value>): void {
    if (older === undefined) this.#oldest = newer
    else older.newer = newer
    if (newer === undefined) this.#newest = older
    else newer.older = older
  }
}
