import {
  Fault,
  limits,
  Nullable,
  RecordOf,
  StrictObject,
  type TProperties,
  type TSchema,
  Type,
} from '../../../kernel/index.ts'
import { json, Microseconds, Offset, PageSize, PathText } from '../common.ts'

/** The parameter of a path that is the number of a version. */
export const PathVersion = () => PathText('Its number, from 1.')

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
  query: StrictObject({ limit: PageSize(limits.pageMax), offset: Offset() }),
  answers: { 200: json('A page.', StrictObject({ versions: Type.Array(version) })) },
})

/** What a request for one version takes and answers. @param owner the parameters of the path. */
export const versionCompared = <Owner extends TProperties, Version extends TSchema>(
  owner: Owner,
  version: Version,
) => ({
  params: StrictObject({ ...owner, version: PathVersion() }),
  query: StrictObject({
    since: Type.Optional(
      Type.Integer({
        description: 'The version with which it is compared; the one before if it is left out.',
        minimum: 1,
      }),
    ),
  }),
  answers: { 200: json('The version.', version) },
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

/** The number of a version, when it was saved, and by whom. */
export const versionFields = {
  version: Type.Integer({ description: 'From 1.' }),
  saved_at: Microseconds('When it was saved, in microseconds.'),
  saved_by: Nullable(Type.String(), { description: 'A user or a token; null: the platform.' }),
}
