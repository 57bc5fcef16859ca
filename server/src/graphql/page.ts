import { Fault, limits } from '../kernel/index.ts'

/** As the schema's `Pagination`. */
export type Pagination = {
  readonly limit?: number | null | undefined
  readonly offset?: number | null | undefined
}

export type Page = { readonly limit: number; readonly offset: number }

/** @throws Fault `invalid_argument`, naming the limit. */
export function pageOf(pagination: Pagination | null | undefined): Page {
  const limit = pagination?.limit ?? limits.pageDefault
  const offset = pagination?.offset ?? 0
  if (limit < 0 || limit > limits.pageMax) {
    throw new Fault('invalid_argument', `limit is from 0 to ${limits.pageMax}.`)
  }
  if (offset < 0) throw new Fault('invalid_argument', 'offset is not below 0.')
  return { limit, offset }
}
