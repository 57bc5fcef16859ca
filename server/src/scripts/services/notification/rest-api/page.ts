import { limits } from '../../../../foundation/kernel/index.ts'
import type { Binding } from '../bindings/binding.ts'
import { notificationLimits } from '../limits.ts'
import type { ListQuery } from '../list-page.ts'
import { parseWhole, refused } from '../sending/arguments.ts'
import type { BindingPage } from '../store/bindings.ts'
import { bindingsUrl } from '../wire.ts'
import { numberIn } from './arguments.ts'
import type { FormFields } from './request.ts'

/** Which page of a list is asked for. A token counts, not the number beside it. */
export type RestPage = {
  readonly size: number
  readonly number: number
  readonly place: BindingPage
}

/** A token names the binding that the page comes after (`PA7`) or before (`PB7`). */
const tokenPattern = /^P([AB])(\d{1,15})$/

/**
 * Reads one binding more than it shows: there is a page behind it.
 * @throws Fault
 */
export function readPage(fields: FormFields): RestPage {
  const size = parseSize(numberIn(fields, 'PageSize'))
  const count = size + 1
  const token = numberIn(fields, 'PageToken')
  const max =
    token === '' ? notificationLimits.notificationPagesMax : limits.notificationBindingsMax
  const number = parseWhole('Page', numberIn(fields, 'Page'), 0, max)
  if (token === '') return { size, number, place: { offset: number * size, count } }
  const [, side, text] = tokenPattern.exec(token) ?? []
  if (side === undefined) throw refused('PageToken', 'is none that was given')
  const at = Number(text)
  return { size, number, place: side === 'A' ? { after: at, count } : { before: at, count } }
}

function parseSize(text: string): number {
  const { notificationPageDefault: preset, notificationRestPageMax: max } = notificationLimits
  const size = parseWhole('PageSize', text, preset, max)
  if (size === 0) throw refused('PageSize', 'must be at least 1')
  return size
}

/** The bindings of a page, and where its neighbours are. */
export function cutPage(asked: RestPage, list: ListQuery, found: Binding[], baseUrl: string) {
  const { size, number, place } = asked
  const back = 'before' in place
  const bindings = back ? found.slice(-size) : found.slice(0, size)
  const more = found.length > size
  const hasNext = back || more
  const hasPrevious = back ? more : 'after' in place || number > 0
  const url = (at: number, token = '') => {
    const query = new URLSearchParams(list.filter)
    query.append('PageSize', String(size))
    query.append('Page', String(at))
    if (token !== '') query.append('PageToken', token)
    return `${bindingsUrl(baseUrl, list.serviceSid)}?${query}`
  }
  const [first, last] = [bindings[0], bindings.at(-1)]
  const next = `PA${last?.number ?? 0}`
  const previous = `PB${first?.number ?? Number.MAX_SAFE_INTEGER}`
  const meta = {
    page: number,
    page_size: size,
    first_page_url: url(0),
    previous_page_url: hasPrevious ? url(Math.max(0, number - 1), previous) : null,
    url: url(number, formatToken(place)),
    next_page_url: hasNext && last !== undefined ? url(number + 1, next) : null,
    key: 'bindings',
  }
  return { bindings, meta }
}

function formatToken(place: BindingPage): string {
  if ('after' in place) return `PA${place.after}`
  return 'before' in place ? `PB${place.before}` : ''
}
