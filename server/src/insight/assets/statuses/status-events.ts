import type { Transaction } from '../../../foundation/database/index.ts'
import type { AssetsOptions } from '../options.ts'
import { addEvents } from '../store/status-events.ts'
import {
  defaultCategory,
  type Level,
  levelName,
  type NewStatus,
  type OwnedStatusEvent,
} from '../types.ts'

/** A change of a level that is to be recorded; without a rule a signal is silent. */
export type LevelChange = NewStatus & {
  readonly businessId: string
  readonly assetId: string
  readonly ruleId: string | null
  readonly previous: Level
}

/** Acts on changes of statuses in the transaction in which they are recorded. */
export type StatusListener = (
  transaction: Transaction,
  events: readonly OwnedStatusEvent[],
) => Promise<void>

/** Records changes of the levels of statuses, for all who act on them. */
export class StatusEvents {
  readonly #clock: AssetsOptions['clock']
  readonly #listeners: StatusListener[] = []

  constructor({ clock }: Pick<AssetsOptions, 'clock'>) {
    this.#clock = clock
  }

  onChange(listener: StatusListener): void {
    this.#listeners.push(listener)
  }

  async record(transaction: Transaction, changes: readonly LevelChange[]): Promise<void> {
    if (changes.length === 0) return
    const ids = await addEvents(transaction, changes, this.#clock.nowUs())
    const events = changes.map((change, at) => makeEvent(change, ids[at] ?? ''))
    for (const listener of this.#listeners) await listener(transaction, events)
  }
}

function makeEvent(change: LevelChange, id: string): OwnedStatusEvent {
  const { businessId, assetId, ruleId, ts, level, previous, type, value } = change
  const { signalId = null, category } = change
  const place = { id, businessId, assetId, ruleId, signalId, category: category ?? defaultCategory }
  const event = Object.assign(place, { ts, level, name: levelName(level), previous })
  return Object.assign(event, type == null ? {} : { type }, value === undefined ? {} : { value })
}
