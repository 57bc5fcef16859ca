/** A map of bounded size: past it the oldest entry is forgotten. */
export type Memory<Value> = {
  get(key: string): Value | undefined
  set(key: string, value: Value): void
  delete(key: string): void
  deleteWhere(condition: (value: Value) => boolean): void
}

export function createMemory<Value>(max: number): Memory<Value> {
  const values = new Map<string, Value>()
  return {
    get: (key) => values.get(key),
    set(key, value) {
      values.delete(key)
      values.set(key, value)
      if (values.size <= max) return
      const [oldest] = values.keys()
      if (oldest !== undefined) values.delete(oldest)
    },
    delete: (key) => values.delete(key),
    deleteWhere(condition) {
      for (const [key, value] of values) if (condition(value)) values.delete(key)
    },
  }
}
