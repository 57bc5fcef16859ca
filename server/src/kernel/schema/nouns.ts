import { type TProperties, type TSchemaOptions, Type } from 'typebox'
import { refuseTime } from '../time/iso.ts'
import { Nullable, type SchemaKeywords, StrictObject } from './build.ts'

/**
 * The schema of a noun that the management API shows, by the names of its module. It stands under
 * `name` in the OpenAPI document.
 */
export function component<Properties extends TProperties>(
  name: string,
  properties: Properties,
  options: TSchemaOptions & SchemaKeywords = {},
) {
  return StrictObject(properties, Object.assign({ component: name }, options))
}

/** True if another page follows. */
export const mayLoadMore = Type.Boolean({
  description: 'True if there is a next page.',
  wire: 'mayLoadMore',
})

/** A time: whole microseconds since 1970. */
export function Microseconds(
  description = 'A time in microseconds since 1970.',
  keywords: SchemaKeywords = {},
) {
  return Type.Refine(
    Type.Integer({ description, ...keywords }),
    (us) => refuseTime(us) === undefined,
    (us) => refuseTime(us) ?? '',
  )
}

/** A time that may not be: null where there is none. */
export function OptionalMicroseconds(description: string, keywords: SchemaKeywords = {}) {
  return Nullable(Type.Integer(), { description, ...keywords })
}
