/** The compared documents: parts with a key, and the words for a part that differs. */
export type Compared<Part> = {
  readonly keyOf: (part: Part) => string
  readonly nameOf: (part: Part) => string
  /** Returns the change of a part that both have; empty if it is the same. */
  readonly changeOf: (before: Part, after: Part) => string
  readonly added: string
  readonly removed: string
}

/** A line for each part that was added, changed or removed. */
export function changesOf<Part>(
  from: readonly Part[],
  to: readonly Part[],
  { keyOf, nameOf, changeOf, added, removed }: Compared<Part>,
): readonly string[] {
  const before = new Map(from.map((part) => [keyOf(part), part]))
  const kept = new Set(to.map(keyOf))
  const changed = to.flatMap((part) => {
    const old = before.get(keyOf(part))
    const change = old === undefined ? added : changeOf(old, part)
    return change === '' ? [] : [`${nameOf(part)}: ${change}`]
  })
  const gone = from.filter((part) => !kept.has(keyOf(part)))
  return [...changed, ...gone.map((part) => `${nameOf(part)}: ${removed}`)]
}

/** The names of the fields that differ; one that is left out is as null, or as an empty text. */
export function fieldsThatDiffer(before: object, after: object): readonly string[] {
  const [old, now] = [new Map(Object.entries(before)), new Map(Object.entries(after))]
  return [...new Set([...old.keys(), ...now.keys()])].filter(
    (field) => JSON.stringify(old.get(field) ?? '') !== JSON.stringify(now.get(field) ?? ''),
  )
}
