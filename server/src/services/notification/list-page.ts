import { limits } from '../../kernel/index.ts'
import type { ScriptValue } from '../../scripting/index.ts'
import { type Given, listOf, refused, sidOf, take, wholeOf } from './sending/arguments.ts'
import { bindingsUrl } from './wire.ts'

/** The arguments of `listBinding`, read; days as microseconds, from (inclusive) and to (not). */
export type ListArguments = {
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

const names = ['ServiceSid', 'Identity', 'Tag', 'StartDate', 'EndDate', 'Page', 'PageSize']
const dayUs = 24 * 3_600_000_000

/** @throws Fault invalid_argument */
export function readList(args: ScriptValue): ListArguments {
  const given = take(args, names)
  const [identities, tags] = [listOf('Identity', given.Identity), listOf('Tag', given.Tag)]
  const [first, last] = [dayOf(given, 'StartDate'), dayOf(given, 'EndDate')]
  const pageSize = wholeOf(
    'PageSize',
    given.PageSize,
    limits.notificationPageDefault,
    limits.notificationPageMax,
  )
  if (pageSize === 0) throw refused('PageSize', 'must be at least 1')
  return {
    serviceSid: sidOf('ServiceSid', given.ServiceSid),
    identities,
    tags,
    pageSize,
    fromUs: first ?? 0,
    toUs: last === undefined ? Number.MAX_SAFE_INTEGER : last + dayUs,
    page: wholeOf('Page', given.Page, 0, limits.notificationPagesMax),
    filter: [
      ...pairs('Identity', identities),
      ...pairs('Tag', tags),
      ...['StartDate', 'EndDate'].flatMap((name) => {
        const day = given[name]
        return typeof day === 'string' && day !== '' ? pairs(name, [day]) : []
      }),
    ],
  }
}

function pairs(name: string, texts: readonly string[]): [string, string][] {
  return texts.map((text) => [name, text])
}

/** The first microsecond of a day of UTC. */
function dayOf(given: Given, field: string): number | undefined {
  const value = given[field]
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value)) {
    const ms = Date.parse(`${value}T00:00:00Z`)
    if (!Number.isNaN(ms) && new Date(ms).toISOString().startsWith(value)) return ms * 1_000
  }
  throw refused(field, 'must be a day: YYYY-MM-DD')
}

/** The `meta` of a page. `more`: there is a page behind it. */
export function pageMeta(asked: ListArguments, count: number, more: boolean, baseUrl: string) {
  const { page, pageSize, serviceSid } = asked
  const url = (at: number) => {
    const query = new URLSearchParams(asked.filter)
    query.append('PageSize', String(pageSize))
    query.append('Page', String(at))
    return `${bindingsUrl(baseUrl, serviceSid)}?${query}`
  }
  return {
    key: 'bindings',
    url: url(page),
    page,
    page_size: count,
    next_page_url: more ? url(page + 1) : '',
    first_page_url: url(0),
    previous_page_url: page === 0 ? '' : url(page - 1),
  }
}
