import { LRUCache } from 'lru-cache'

export type LruMapOptions<Key, Value> = {
  /** Part of the map's size that a value takes, a whole number above 0. 1 if it is not given. */
  readonly sizeOf?: (value: Value) => number
  /** Called for each value that is removed for want of room, not for one that is deleted. */
  readonly onEvicted?: (value: Value, key: Key) => void
}

/**
 * A map of bounded size. When an entry is added and the map is past its size, those that were
 * neither read nor written for the longest time are removed; the new entry always stays.
 */
export class LruMap<Key extends {}, Value extends {}> extends LRUCache<Key, Value> {
  /** @param max the most that the sizes of all values add up to. */
  constructor(max: number, { sizeOf, onEvicted }: LruMapOptions<Key, Value> = {}) {
    super({
      // Its option `max` takes the room of all entries at once: 220 kB for 10,000.
      maxSize: max,
      sizeCalculation: sizeOf === undefined ? () => 1 : (value) => Math.min(max, sizeOf(value)),
      disposeAfter: (value, key, reason) => {
        if (reason === 'evict') onEvicted?.(value, key)
      },
    })
  }

  deleteWhere(condition: (value: Value) => boolean): void {
    for (const [key, value] of [...this.entries()]) if (condition(value)) this.delete(key)
  }
}
