import {
  createSettingsParser,
  invalidField,
  limits,
  omitUndefined,
} from '../../../foundation/kernel/index.ts'
import type { Connectors } from '../connectors/connectors.ts'
import type { ProvisioningOptions } from '../options.ts'
import {
  extendWindows,
  type IdentityFilter,
  listWindows,
  type WindowCursor,
} from '../store/windows.ts'
import { toDeadline } from './identity-input.ts'
import {
  createIdentityFilterSchema,
  createWindowExtensionSchema,
  createWindowListSchema,
  type Extended,
  type ExtendInput,
  type IdentityFilterInput,
  type NextInput,
  type WindowPage,
} from './schemas.ts'

/** Windows of activation. All @throw Fault `not_found` for a foreign connector. */
export type Windows = {
  /**
   * Makes windows longer in one step: of identities that wait for an activation, closed ones too.
   * None becomes shorter.
   * @throws Fault `invalid_argument`.
   */
  extend(businessId: string, connectorId: string, input: ExtendInput): Promise<Extended>
  /** The windows that are open and have a deadline, the next to close first. */
  next(businessId: string, connectorId: string, input?: NextInput): Promise<WindowPage>
}

export function createWindows(
  { database, changes, clock }: Pick<ProvisioningOptions, 'database' | 'changes' | 'clock'>,
  connectors: Connectors,
): Windows {
  return {
    extend: changes.publishing('devices', async (businessId, connectorId, input) => {
      const part = parseExtension(omitUndefined(input))
      const expire = parseUntil(part, clock.nowUs())
      const which = oneFilter(part)
      const { id } = await connectors.get(businessId, connectorId)
      return { extended: await extendWindows(database, id, expire, which), expire }
    }),
    async next(businessId, connectorId, input = {}) {
      const { limit: rowsMax = limits.pageDefault, before, after } = parseNext(omitUndefined(input))
      const place = after === undefined ? atTime(clock.nowUs()) : parseAfter(after)
      const { id } = await connectors.get(businessId, connectorId)
      const found = await listWindows(database, id, place, { before, rowsMax: rowsMax + 1 })
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

/** A window that closes at this very microsecond has closed. */
const atTime = (until: number): WindowCursor => ({ until, identity: undefined })

const parseExtension = createSettingsParser(createWindowExtensionSchema, 'body', '')
const parseNext = createSettingsParser(createWindowListSchema, 'query', '')
const parseFilter = createSettingsParser(createIdentityFilterSchema, 'body', '')

type Extension = ReturnType<typeof parseExtension>

function parseUntil({ expire, hours }: Extension, nowUs: number): number | null {
  if (hours !== undefined) {
    if (expire !== undefined) throw invalidField('hours', 'must not be combined with expire')
    return nowUs + hours * usPerHour
  }
  const activateUntil = toDeadline(expire)
  if (activateUntil === undefined) throw invalidField('expire', 'or hours must be given')
  if (activateUntil !== null && activateUntil <= nowUs)
    throw invalidField('expire', 'must be ahead')
  return activateUntil
}

/** @throws Fault `invalid_argument`. */
export function parseIdentityFilter(input: IdentityFilterInput): IdentityFilter {
  return oneFilter(parseFilter(input))
}

function oneFilter({ identity, tag, all }: ReturnType<typeof parseFilter>): IdentityFilter {
  const said = [identity !== undefined, tag !== undefined, all === true].filter(Boolean).length
  if (said !== 1) throw invalidField('body', 'must have one of identity, tag and all: true')
  return { identity, tag }
}

function parseAfter(after: string): WindowCursor {
  const [, until = '', identity] = /^(\d{1,16}):(.+)$/u.exec(after) ?? []
  if (until === '' || !Number.isSafeInteger(Number(until))) {
    throw invalidField('after', 'must be <expire>:<identity>')
  }
  return { until: Number(until), identity }
}
