import type { Database } from '../../foundation/database/index.ts'
import {
  type Clock,
  checkRetentionHours,
  Fault,
  limits,
  type PeriodsByBusiness,
} from '../../foundation/kernel/index.ts'
import type { View } from '../../people/groups/index.ts'
import { dropValuesBefore } from './maintain.ts'
import type { AssetsOptions } from './options.ts'
import { publishChange } from './publish-change.ts'
import { partitionsBefore, partitionWeeks } from './store/retention.ts'
import {
  dropValuesIn,
  longestOfSignals,
  type RetainedSignal,
  retainedAfter,
  retainedWithIds,
  setSignalHours,
} from './store/value-retention.ts'

/** Signals of whose values one pass of retention looks for old ones; the next pass goes on. */
const retentionSignalsMax = 100_000

/*
 * The period for which values are kept: that of the signal, else that of the connector whose device
 * feeds it, else that of the business, else that of the instance, else for ever. Values older than
 * the longest of all periods go with their week, as a dropped partition. The values of signals
 * whose period is shorter are deleted, in steps, some signals in each pass; the next pass goes on
 * there.
 */

/** The periods of values that lie wider than a signal; those of connectors by their ids. */
export type ValuePeriods = PeriodsByBusiness & { readonly connectors: ReadonlyMap<string, number> }

export type ValueRetention = {
  /** The signals that the view sees of these, with their own periods. */
  some(view: View, signalIds: readonly string[]): Promise<readonly RetainedSignal[]>
  /** Null: as its connector has it. @throws Fault `not_found`, `invalid_argument`. */
  set(view: View, signalId: string, hours: number | null): Promise<void>
}

type Options = { readonly database: Database; readonly clock: Pick<Clock, 'nowUs'> }

const usPerHour = 3_600_000_000

export function createValueRetention(
  options: Pick<AssetsOptions, 'database' | 'changes'>,
): ValueRetention {
  const { database } = options
  return {
    some: (view, ids) => retainedWithIds(database, view, ids),
    async set(view, signalId, hours) {
      checkRetentionHours(hours)
      const [signal] = await retainedWithIds(database, view, [signalId])
      if (signal === undefined) throw new Fault('not_found', 'There is no such signal.')
      await setSignalHours(database, signal.businessId, signal.id, hours)
      publishChange(options, database, [signal])
    },
  }
}

/** Removes old values; one for a process, which keeps where the last pass ended. */
export class OldValues {
  readonly #options: Options
  /** Signals up to this key were looked at. */
  #after = 0

  constructor(options: Options) {
    this.#options = options
  }

  async remove(periods: ValuePeriods): Promise<void> {
    const { database, clock } = this.#options
    const nowUs = clock.nowUs()
    const longest = await longestPeriod(database, periods)
    if (longest !== undefined) await dropValuesBefore(database, nowUs - longest * usPerHour)
    const weeks = await partitionWeeks(database)
    const of = {
      businesses: [...periods.businesses.keys()],
      connectors: [...periods.connectors.keys()],
      all: periods.instance !== undefined && periods.instance !== longest,
    }
    for (let seen = 0; seen < retentionSignalsMax; seen += limits.pageMax) {
      const page = await retainedAfter(database, this.#after, of, limits.pageMax)
      await this.#removeValues(page, periods, longest, weeks)
      this.#after = page.length < limits.pageMax ? 0 : (page.at(-1)?.key ?? 0)
      if (this.#after === 0) return
    }
  }

  async #removeValues(
    page: readonly RetainedSignal[],
    periods: ValuePeriods,
    longest: number | undefined,
    weeks: readonly number[],
  ): Promise<void> {
    const { database, clock } = this.#options
    const rowsMax = limits.retentionBatchMax
    const byHours = Map.groupBy(page, (signal) => retainedHours(signal, periods))
    for (const [hours, signals] of byHours) {
      if (hours === undefined || hours === longest) continue
      const beforeUs = clock.nowUs() - hours * usPerHour
      const keys = signals.map(({ key }) => key)
      for (const partition of partitionsBefore(weeks, beforeUs)) {
        while ((await dropValuesIn(database, partition, keys, beforeUs, rowsMax)) >= rowsMax);
      }
    }
  }
}

/** The narrowest period that is set. */
function retainedHours(signal: RetainedSignal, periods: ValuePeriods): number | undefined {
  const { hours, connectorId, businessId } = signal
  if (hours !== null) return hours
  const ofConnector = connectorId === null ? undefined : periods.connectors.get(connectorId)
  return ofConnector ?? periods.businesses.get(businessId) ?? periods.instance
}

/** Undefined: some values are kept for ever. */
async function longestPeriod(
  database: Database,
  { instance, businesses, connectors }: ValuePeriods,
): Promise<number | undefined> {
  if (instance === undefined) return undefined
  const ofSignals = await longestOfSignals(database)
  return [...businesses.values(), ...connectors.values()].reduce(
    (longest, hours) => Math.max(longest, hours),
    Math.max(instance, ofSignals),
  )
}
