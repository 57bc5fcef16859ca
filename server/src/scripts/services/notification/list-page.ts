import { type ListArguments, parseDay } from './operations.ts'
import { parseList } from './sending/arguments.ts'
import { bindingsUrl } from './wire.ts'

/** The arguments of `listBinding`, read; days as microseconds, from (inclusive) and to (not). */
export type ListQuery = {
  readonly serviceSid: string
  readonly identities: readonly string[]
  readonly tags: readonly string[]
  readonly fromUs: number
  readonly toUs: number
  readonly page: number
  readonly pageSize: number
  /** As they were given, for the URLs of other pages. */
  readonly filter: readonly [string, string][]
}

const dayUs = 24 * 3_600_000_000

/** @throws Fault invalid_argument */
export function readList(given: ListArguments): ListQuery {
  const { ServiceSid: serviceSid, StartDate, EndDate, Page: page, PageSize: pageSize } = given
  const [identities, tags] = [parseList('Identity', given.Identity), parseList('Tag', given.Tag)]
  const [first, last] = [parseDay(StartDate ?? ''), parseDay(EndDate ?? '')]
  return {
    serviceSid,
    identities,
    tags,
    pageSize,
    fromUs: first ?? 0,
    toUs: last === undefined ? Number.MAX_SAFE_INTEGER : last + dayUs,
    page,
    filter: [
      ...pairs('Identity', identities),
      ...pairs('Tag', tags),
      ...pairs('StartDate', StartDate === undefined ? [] : [StartDate]),
      ...pairs('EndDate', EndDate === undefined ? [] : [EndDate]),
    ],
  }
}

function pairs(name: string, texts: readonly string[]): [string, string][] {
  return texts.map((text) => [name, text])
}

/** The `meta` of a page. `more`: there is a page behind it. */
export function pageMeta(asked: ListQuery, count: number, more: boolean, baseUrl: string) {
  const { page, pageSize, serviceSid } = asked
  const url = (at: number) => {
    const query = new URLSearchParams(asked.filter)
    query.append('PageSize', String(pageSize))
    query.append('Page', String(at))
    return `${bindingsUrl(baseUrl, serviceSid)}?${query}`
  }
  return {
    key: 'bindings' as const,
    url: url(page),
    page,
    page_size: count,
    next_page_url: more ? url(page + 1) : '',
    first_page_url: url(0),
    previous_page_url: page === 0 ? '' : url(page - 1),
  }
}
