import { Fault } from '../../foundation/kernel/index.ts'
import type { AssetLine } from '../../log/activity/index.ts'
import type { View } from '../../people/groups/index.ts'
import type { AssetsOptions } from './options.ts'
import { absent, requireAsset } from './remove.ts'
import {
  eventsAfter,
  newestEvent,
  unseenAsset,
  unseenSignal,
  type ValuePositions,
  valuesAfter,
} from './store/follow.ts'
import { readLatest } from './store/values.ts'
import type { LogLine, SignalReading, StatusEvent } from './types.ts'

/** A line of an asset's log, and where it lies in it. */
export type PlacedLine = LogLine & { readonly position: string }

/** Readers of what is new: each read goes on from a position that the reader keeps. */
export type Following = {
  /** @throws Fault `not_found` for one that does not exist or is not seen. */
  requireAssets(view: View, assetIds: readonly string[]): Promise<void>
  /** @throws Fault `not_found` for one that does not exist or is not seen. */
  requireSignals(view: View, signalIds: readonly string[]): Promise<void>
  /** By signal id the time of its newest value, in microseconds; -1 for one that has none. */
  newestValues(view: View, signalIds: readonly string[]): Promise<ValuePositions>
  /** Values after these positions, oldest first, at most `limit`. */
  values(view: View, positions: ValuePositions, limit: number): Promise<SignalReading[]>
  /** The number of the newest event of these assets; 0 if there is none. */
  newestEvent(view: View, assetIds: readonly string[]): Promise<number>
  /** Events of these assets after this number, oldest first. */
  events(
    view: View,
    assetIds: readonly string[],
    after: { readonly number: number; readonly limit: number },
  ): Promise<StatusEvent[]>
  /**
   * Calls the listener with new lines of the asset's log, oldest first, until the returned function
   * is called. @throws Fault `not_found`; `invalid_argument` for a position that is none.
   */
  lines(
    view: View,
    assetId: string,
    after: string | undefined,
    listener: (lines: readonly PlacedLine[]) => void,
  ): Promise<() => void>
}

export function createFollowing({ database, activity }: AssetsOptions): Following {
  return {
    async requireAssets(view, assetIds) {
      const unseen = await unseenAsset(database, view, assetIds)
      if (unseen !== undefined) throw absent(unseen)
    },
    async requireSignals(view, signalIds) {
      const unseen = await unseenSignal(database, view, signalIds)
      if (unseen !== undefined) throw new Fault('not_found', `there is no signal ${unseen}`)
    },
    async newestValues(view, signalIds) {
      const latest = await readLatest(database, view, signalIds)
      return new Map(signalIds.map((id) => [id, latest.get(id)?.ts ?? -1]))
    },
    values: (...call) => valuesAfter(database, ...call),
    newestEvent: (...call) => newestEvent(database, ...call),
    events: (...call) => eventsAfter(database, ...call),
    async lines(view, assetId, after, listener) {
      const asset = await requireAsset(database, view, assetId)
      const placed = (lines: readonly AssetLine[]) => listener(lines.map(placedLine))
      return activity.assets.follow(view.businessId, asset.id, placed, { after })
    },
  }
}

function placedLine({ id: position, happenedAt: at, severity, text }: AssetLine): PlacedLine {
  return { position, at, severity, text }
}
