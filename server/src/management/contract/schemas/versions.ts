import {
  Fault,
  Microseconds,
  Nullable,
  RecordOf,
  StrictObject,
  type TSchema,
  Type,
} from '../../../kernel/index.ts'
import { lists, paging, shows } from '../common.ts'

/** @throws Fault `not_found` if a path names no number of a version. */
export function versionNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Fault('not_found')
  return Number(text)
}

/** The body of a request that saves an earlier version again. */
export const restoredVersion = StrictObject({
  version: Type.Integer({ minimum: 1, description: 'The version that is saved again.' }),
  current: Type.Optional(
    Type.Integer({
      description: 'The newest version that the caller has seen; refused if there is a newer one.',
    }),
  ),
})

/** The version that a change replaces, for its body. */
export const changedVersion = Type.Optional(
  Type.Integer({
    description: 'The version that is changed; refused if there is a newer one.',
  }),
)

/** What a list of versions takes and answers. */
export const versionPage = <Version extends TSchema>(version: Version) => ({
  query: StrictObject(paging()),
  ...lists('versions', version),
})

/** The request and the answer for one version. */
export const versionCompared = <Version extends TSchema>(version: Version) => ({
  query: StrictObject({
    since: Type.Optional(
      Type.Integer({
        description: 'The version with which it is compared; the one before if it is left out.',
        minimum: 1,
      }),
    ),
  }),
  ...shows('The version.', version),
})

/** What a version changed in the one before, in a list of them. */
export const sinceBefore = <Difference extends TSchema>(difference: Difference) =>
  Nullable(difference, {
    description: 'Since the version before; null if that is not kept any more.',
  })

/** What a version changed in the one that `since` names. */
export const sinceAny = <Difference extends TSchema>(difference: Difference) =>
  Nullable(difference, {
    description: 'Since the one before, or `since`; null if the one before is not kept any more.',
  })

/** What differs between two lists, by the ids of their parts. */
export const differenceSchema = (description: string) =>
  StrictObject(
    {
      added: Type.Array(Type.String()),
      removed: Type.Array(Type.String()),
      changed: Type.Array(StrictObject({ id: Type.String(), fields: Type.Array(Type.String()) }), {
        description: 'With the names of the fields that differ.',
      }),
      names: RecordOf(Type.String(), { description: 'The names of these, by their ids.' }),
    },
    { description },
  )

/** The user or the token that saved something. */
export function savedBy(description: string) {
  return Nullable(Type.String(), { description, wire: 'saved_by' })
}

/** The number of a version, when it was saved, and by whom. */
export const versionFields = {
  version: Type.Integer({ description: 'From 1.' }),
  savedAt: Microseconds('When it was saved, in microseconds.', { wire: 'saved_at' }),
  savedBy: savedBy('A user or a token; null: the platform.'),
}
