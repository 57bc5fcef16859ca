import { type TProperties, type TSchemaOptions, Type } from 'typebox'
import { limits } from '../limits.ts'
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

/** A text to find: any that a line may hold. */
export function SearchText(description: string) {
  const rule = `must be a text of at most ${limits.settingCharsMax} characters, without a NUL`
  return Type.Refine(
    Type.String({ description, rule }),
    (text) => text.length <= limits.settingCharsMax && !text.includes('\0'),
    () => rule,
  )
}

/** A size of a page, for a query. */
export function PageSize(maximum = limits.pageMax) {
  return Type.Optional(
    Type.Integer({ description: 'The most items of the page.', minimum: 1, maximum }),
  )
}

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
