/** The compared documents: parts with a key, and the words for a part that differs. */
export type Compared<Part> = {
  readonly partKey: (part: Part) => string
  readonly partName: (part: Part) => string
  /** Returns the change of a part that both have; empty if it is the same. */
  readonly describeChange: (before: Part, after: Part) => string
  readonly added: string
  readonly removed: string
}

/** A line for each part that was added, changed or removed. */
export function listChanges<Part>(
  from: readonly Part[],
  to: readonly Part[],
  { partKey, partName, describeChange, added, removed }: Compared<Part>,
): readonly string[] {
  const before = new Map(from.map((part) => [partKey(part), part]))
  const kept = new Set(to.map(partKey))
  const changed = to.flatMap((part) => {
    const old = before.get(partKey(part))
    const change = old === undefined ? added : describeChange(old, part)
    return change === '' ? [] : [`${partName(part)}: ${change}`]
  })
  const gone = from.filter((part) => !kept.has(partKey(part)))
  return [...changed, ...gone.map((part) => `${partName(part)}: ${removed}`)]
}

/** The names of the fields that differ; one that is left out is as null, or as an empty text. */
export function fieldsThatDiffer(before: object, after: object): readonly string[] {
  const [old, now] = [new Map(Object.entries(before)), new Map(Object.entries(after))]
  return [...new Set([...old.keys(), ...now.keys()])].filter(
    (field) => JSON.stringify(old.get(field) ?? '') !== JSON.stringify(now.get(field) ?? ''),
  )
}
