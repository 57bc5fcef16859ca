import { parseMicros } from '../../api/graphql.ts'
import { useSignedIn } from '../../ui/session.tsx'
import { defineTexts, useTexts } from '../../ui/texts.ts'

/** A saved version, in a list of them. */
export type Version = {
  readonly version: number
  /** Microseconds since 1970. */
  readonly savedAt: number
  /** The user or the token; null if the platform did it. */
  readonly savedBy: string | null
  /** The user who did; null for a program, and for a user who is gone. */
  readonly user: { readonly name: string; readonly email: string } | null
  /** A line for each part that it changed; null if the version before is not kept any more. */
  readonly changes: readonly string[] | null
}

type Read<Difference> = Omit<Version, 'savedAt' | 'changes'> & {
  readonly savedAt: string
  readonly difference: Difference | null
}

/** Versions as the API has them, in the words of who reads them. */
export function toVersions<Difference>(
  found: readonly Read<Difference>[],
  linesOf: (difference: Difference, version: number) => readonly string[],
): readonly Version[] {
  return found.map(({ savedAt, difference, ...version }) => ({
    ...{ ...version, savedAt: parseMicros(savedAt) },
    changes: difference === null ? null : linesOf(difference, version.version),
  }))
}

/** The differences between two lists of parts, as the server compares them. */
export type PartsDifference = {
  readonly added: readonly string[]
  readonly removed: readonly string[]
  readonly changed: readonly { readonly id: string; readonly fields: readonly string[] }[]
  readonly names: Readonly<Record<string, string>>
}

export const partTexts = defineTexts({
  added: ['new', 'neu'],
  removed: ['removed', 'entfernt'],
})

/** Returns a line for each part that differs. */
export function usePartLines() {
  const t = useTexts(partTexts)
  return ({ added, removed, changed, names }: PartsDifference): readonly string[] => {
    const line = (id: string, what: string) => `${names[id] ?? id}: ${what}`
    return [
      ...added.map((id) => line(id, t.added)),
      ...changed.map(({ id, fields }) => line(id, fields.join(', '))),
      ...removed.map((id) => line(id, t.removed)),
    ]
  }
}

const texts = defineTexts({
  platform: ['the platform', 'die Plattform'],
  you: ['you', 'Sie'],
})

/** Returns the words for who saved a version. */
export function useAuthor() {
  const t = useTexts(texts)
  const { caller } = useSignedIn()
  return ({ savedBy, user }: Pick<Version, 'savedBy' | 'user'>): string => {
    if (savedBy === null) return t.platform
    if (savedBy === caller.subject) return t.you
    return user?.name || user?.email || savedBy
  }
}
