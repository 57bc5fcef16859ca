import { isDeepStrictEqual } from 'node:util'
import { Type } from 'typebox'
import { RecordOf, type StaticResult, StrictObject } from './schema/build.ts'

/** The differences between two lists, by the ids of their parts. */
export const createDifferenceSchema = (description: string) =>
  StrictObject(
    {
      added: Type.Array(Type.String()),
      removed: Type.Array(Type.String()),
      changed: Type.Array(StrictObject({ id: Type.String(), fields: Type.Array(Type.String()) }), {
        description: 'With the names of the fields that differ.',
      }),
      // The later name, if both lists have the part.
      names: RecordOf(Type.String(), { description: 'The names of these, by their ids.' }),
    },
    { description },
  )
export type Difference = StaticResult<ReturnType<typeof createDifferenceSchema>>

type Named = { readonly id: string; readonly name: string }

/** Returns what changed from one list to another. */
export function findDifference<Part extends object>(
  before: readonly Part[],
  after: readonly Part[],
  named: (part: Part, at: number) => Named,
): Difference {
  const old = indexParts(before, named)
  const now = indexParts(after, named)
  const added = [...now.keys()].filter((id) => !old.has(id))
  const removed = [...old.keys()].filter((id) => !now.has(id))
  const changed = [...now].flatMap(([id, { part }]) => {
    const other = old.get(id)?.part
    const fields = other === undefined ? [] : changedFields(other, part)
    return fields.length === 0 ? [] : [{ id, fields }]
  })
  const shown = [...added, ...removed, ...changed.map(({ id }) => id)]
  const names = shown.map((id) => [id, (now.get(id) ?? old.get(id))?.name ?? id] as const)
  return { added, removed, changed, names: Object.fromEntries(names) }
}

function indexParts<Part>(parts: readonly Part[], named: (part: Part, at: number) => Named) {
  return new Map(
    parts.map((part, at) => {
      const { id, name } = named(part, at)
      return [id, { part, name }] as const
    }),
  )
}

/** The names of the fields that differ; one that is left out is as null. */
export function changedFields(before: object, after: object): string[] {
  const [old, now] = [new Map(Object.entries(before)), new Map(Object.entries(after))]
  const fields = [...new Set([...now.keys(), ...old.keys()])]
  return fields.filter((one) => !isDeepStrictEqual(old.get(one) ?? null, now.get(one) ?? null))
}
