import { type TObject, type TProperties, type TSchema, Type } from 'typebox'
import { Nullable, type StaticInput, type StaticResult, StrictObject } from './schema/build.ts'
import { component, Microseconds } from './schema/nouns.ts'

/** The user or the token that saved something. */
export function savedBy(description: string) {
  return Nullable(Type.String(), { description, wire: 'saved_by' })
}

/** The version that a change replaces. */
export const changedVersion = Type.Optional(
  Type.Integer({
    description: 'The version that is changed; refused if there is a newer one.',
  }),
)

/** A request to save an earlier version again. */
export const restoredVersionSchema = StrictObject({
  version: Type.Integer({ minimum: 1, description: 'The version that is saved again.' }),
  current: Type.Optional(
    Type.Integer({
      description: 'The newest version that the caller has seen; refused if there is a newer one.',
    }),
  ),
})
export type RestoredVersion = StaticInput<typeof restoredVersionSchema>

/** The number of a version, when it was saved, and by whom. */
const versionFields = {
  version: Type.Integer({ description: 'From 1.' }),
  savedAt: Microseconds('When it was saved, in microseconds.', { wire: 'saved_at' }),
  savedBy: savedBy('A user or a token; null: the platform.'),
}
export type VersionFacts = StaticResult<TObject<typeof versionFields>>

/** A version in a list of them. */
export function versionSchema<Difference extends TSchema>(name: string, difference: Difference) {
  const description = 'Since the version before; null if that is not kept any more.'
  return component(name, { ...versionFields, difference: Nullable(difference, { description }) })
}

/** A version by itself, with the fields of its document. */
export function comparedVersionSchema<Document extends TProperties, Difference extends TSchema>(
  name: string,
  document: Document,
  difference: Difference,
) {
  const description =
    'Since the one before, or `since`; null if the one before is not kept any more.'
  const compared = { difference: Nullable(difference, { description }) }
  return component(name, { ...versionFields, ...document, ...compared })
}
