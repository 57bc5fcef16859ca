import {
  booleanField,
  invalidField,
  limits,
  objectField,
  refuseUnit,
  textField,
  wholeField,
} from '../../kernel/index.ts'
import type { Connectors } from '../connectors/connectors.ts'
import type { ProvisioningOptions } from '../options.ts'
import {
  extendWindows,
  type IdentityFilter,
  listWindows,
  type WindowCursor,
} from '../store/windows.ts'
import type { Tag } from './identity.ts'
import { parseExpire } from './identity.ts'

/** Selects identities: exactly one of the three is given. */
export type IdentityFilterInput = {
  readonly identity?: unknown
  /** `{name, value}`: those with this tag; without `value` those with any tag of this name. */
  readonly tag?: unknown
  readonly all?: unknown
}

/** The windows to extend, and their new end; every field is checked here. */
export type ExtendInput = IdentityFilterInput & {
  /** Microseconds; null or 0: no deadline. Either this or `hours`. */
  readonly expire?: unknown
  /** From now. */
  readonly hours?: unknown
}

export type Extended = {
  readonly extended: number
  /** Microseconds; null: no deadline. */
  readonly expire: number | null
}

export type NextInput = {
  /** Microseconds: only what closes before. */
  readonly before?: unknown
  /** `<expire>:<identity>` of the last one of the page before. */
  readonly after?: unknown
  readonly limit?: unknown
}

export type OpenWindow = {
  readonly identity: string
  /** Microseconds. */
  readonly expire: number
  readonly locked: boolean
  readonly tags: readonly Tag[]
}

/** Windows of activation. All @throw Fault `not_found` for a foreign connector. */
export type Windows = {
  /**
   * Makes windows longer in one step: of identities that wait for an activation, closed ones too.
   * None becomes shorter.
   * @throws Fault `invalid_argument`.
   */
  extend(businessId: string, connectorId: string, input: ExtendInput): Promise<Extended>
  /** The windows that are open and have a deadline, the next to close first. */
  next(
    businessId: string,
    connectorId: string,
    input?: NextInput,
  ): Promise<{ readonly mayLoadMore: boolean; readonly windows: readonly OpenWindow[] }>
}

export function createWindows(
  { database, clock }: Pick<ProvisioningOptions, 'database' | 'clock'>,
  connectors: Connectors,
): Windows {
  return {
    async extend(businessId, connectorId, input) {
      const part: ExtendInput = objectField('body', input, extendFields)
      const expire = parseUntil(part, clock.nowUs())
      const which = parseIdentityFilter(part)
      const { id } = await connectors.get(businessId, connectorId)
      return { extended: await extendWindows(database, id, expire, which), expire }
    },
    async next(businessId, connectorId, input = {}) {
      const { limit, before, after } = input
      const rowsMax =
        limit === undefined ? limits.pageDefault : wholeField('limit', limit, pageSize())
      const page = {
        before: before === undefined ? undefined : parseBefore(before),
        rowsMax: rowsMax + 1,
      }
      const place = after === undefined ? atTime(clock.nowUs()) : parseAfter(after)
      const { id } = await connectors.get(businessId, connectorId)
      const found = await listWindows(database, id, place, page)
      return {
        mayLoadMore: found.length > rowsMax,
        windows: found.slice(0, rowsMax).map(({ activate_until: expire, ...row }) => ({
          identity: row.identity,
          expire,
          locked: row.locked,
          tags: row.tags,
        })),
      }
    },
  }
}

const usPerHour = 3_600_000_000
const extendFields = ['expire', 'hours', 'identity', 'tag', 'all']
const pageSize = () => ({ min: 1, max: limits.pageMax })
const anyTime = { min: 0, max: Number.MAX_SAFE_INTEGER }

/** A window that closes at this very microsecond has closed. */
const atTime = (until: number): WindowCursor => ({ until, identity: undefined })

function parseUntil({ expire, hours }: ExtendInput, nowUs: number): number | null {
  if (hours !== undefined) {
    if (expire !== undefined) throw invalidField('hours', 'must not be said together with expire')
    return nowUs + wholeField('hours', hours, { min: 1, max: limits.windowHoursMax }) * usPerHour
  }
  const activateUntil = parseExpire('expire', expire)
  if (activateUntil === undefined) throw invalidField('expire', 'or hours must be said')
  if (activateUntil !== null && activateUntil <= nowUs)
    throw invalidField('expire', 'must be ahead')
  return activateUntil
}

/** @throws Fault `invalid_argument`. */
export function parseIdentityFilter({ identity, tag, all }: IdentityFilterInput): IdentityFilter {
  const every = all === undefined ? false : booleanField('all', all)
  const said = [identity !== undefined, tag !== undefined, every].filter(Boolean).length
  if (said !== 1) throw invalidField('body', 'must say one of identity, tag and all: true')
  const charsMax = limits.identityCharsMax
  return {
    identity:
      identity === undefined
        ? undefined
        : textField('identity', identity, { charsMin: 1, charsMax }),
    tag: tag === undefined ? undefined : parseTag(tag),
  }
}

function parseTag(input: unknown): { name: string; value?: string } {
  const { name, value } = objectField('tag', input, ['name', 'value'])
  return {
    name: textField('tag.name', name, { charsMin: 1, charsMax: limits.nameCharsMax }),
    ...(value !== undefined && {
      value: textField('tag.value', value, { charsMax: limits.settingCharsMax }),
    }),
  }
}

function parseBefore(before: unknown): number {
  const us = wholeField('before', before, anyTime)
  const refusal = refuseUnit(us)
  if (refusal !== undefined) throw invalidField('before', refusal)
  return us
}

function parseAfter(after: unknown): WindowCursor {
  const text = textField('after', after, { charsMax: limits.settingCharsMax })
  const [, until = '', identity] = /^(\d{1,16}):(.+)$/u.exec(text) ?? []
  if (until === '' || !Number.isSafeInteger(Number(until))) {
    throw invalidField('after', 'must be <expire>:<identity>')
  }
  return { until: Number(until), identity }
}
