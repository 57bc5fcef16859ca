import {
  type FailureKey,
  mayLoadMore,
  PageSize,
  StrictObject,
  type TArray,
  type TSchema,
  Type,
} from '../../../../foundation/kernel/index.ts'
import { shows } from '../../contract/common.ts'

/** The query of a page of what failed: `before` is the key at which the page before ended. */
export const failurePaging = () => ({
  limit: PageSize(),
  before: Type.Optional(
    Type.Refine(
      Type.String({ description: 'The `before` of a page.' }),
      (text) => parseKey(text) !== undefined,
      () => 'must be what a page before gave',
    ),
  ),
})

/** A query as its module takes it. */
export function pageAsked<Query extends { readonly before?: string }>(query: Query) {
  return { ...query, before: parseKey(query.before ?? '') }
}

/** The answer of a page of what failed. */
export function failurePage<const Name extends string, Schema extends TSchema>(
  name: Name,
  item: Schema,
) {
  const items = { [name]: Type.Array(item) } as { [Key in Name]: TArray<Schema> }
  const before = Type.Optional(Type.String({ description: 'Of the next page.' }))
  return shows('A page.', StrictObject({ ...items, mayLoadMore, before }))
}

/** The end of a page behind which another one begins at the key. */
export function pageEnd(key: FailureKey | undefined) {
  if (key === undefined) return { mayLoadMore: false }
  return { mayLoadMore: true, before: `${key.failedAtUs}.${key.id}` }
}

function parseKey(text: string): FailureKey | undefined {
  const [, time, id = ''] = /^(\d{1,16})\.([a-z0-9-]{1,64})$/.exec(text) ?? []
  const failedAtUs = Number(time)
  return Number.isSafeInteger(failedAtUs) ? { failedAtUs, id } : undefined
}
