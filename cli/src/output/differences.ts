import { formatTime } from './output.ts'

/** The differences between two lists, as the API has them. */
type Parts = {
  readonly added: readonly string[]
  readonly removed: readonly string[]
  readonly changed: readonly { readonly id: string; readonly fields: readonly string[] }[]
  readonly names: Readonly<Record<string, string>>
}

export type Version<Difference> = {
  readonly version: number
  readonly saved_at: number
  readonly saved_by: string | null
  readonly difference: Difference | null
}

/** A row for each version: its number, when, by whom, and what it changed. */
export function versionRows<Difference>(
  versions: readonly Version<Difference>[],
  linesOf: (difference: Difference) => readonly string[],
): string[][] {
  return versions.map(({ version, saved_at: at, saved_by: by, difference }) => {
    const changed = differenceLines(difference, linesOf).join('; ')
    return [`version ${version}`, formatTime(at), by ?? 'platform', changed]
  })
}

/** Prints the differences; also that there are none, or that they are not known any more. */
export function differenceLines<Difference>(
  difference: Difference | null,
  linesOf: (difference: Difference) => readonly string[],
): readonly string[] {
  if (difference === null) return ['unknown']
  const lines = linesOf(difference)
  return lines.length === 0 ? ['nothing'] : lines
}

/** A line for each part that differs, such as `signal "Level" added`. */
export function partLines(kind: string, { added, removed, changed, names }: Parts): string[] {
  const named = (id: string) => `${kind} "${names[id] ?? id}"`
  return [
    ...added.map((id) => `${named(id)} added`),
    ...removed.map((id) => `${named(id)} removed`),
    ...changed.map(({ id, fields }) => `${named(id)}: ${fields.join(', ')}`),
  ]
}
