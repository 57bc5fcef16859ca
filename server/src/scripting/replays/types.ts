import type { Json } from '../../kernel/index.ts'
import type { FolderFile } from '../projects/folder.ts'
import type { LogText } from '../runtime/host.ts'

/** Recorded events of the devices of a solution, and the scripts that they are to go through. */
export type ReplayRequest = {
  /** Microseconds; part of the range. */
  readonly from: number
  /** Microseconds; not part of the range. */
  readonly to: number
  /** The folder with the changed scripts; left out: only the scripts as they are run. */
  readonly files?: readonly FolderFile[] | undefined
}

export type ReplayedCall = {
  readonly service: string
  readonly operation: string
  readonly args: Json
  /** False for one that may change something: it was recorded only. */
  readonly made: boolean
}

/** What one handler did with one event. */
export type ReplayedRun = {
  /** `none`: the scripts have no handler for it. */
  readonly outcome: 'returned' | 'failed' | 'stopped' | 'none'
  /** Null if it returned. */
  readonly error: string | null
  readonly calls: readonly ReplayedCall[]
  readonly logs: readonly LogText[]
}

export type ReplayedEvent = {
  /** Its entry of the log. */
  readonly part: number
  readonly seq: number
  /** Microseconds. */
  readonly at: number
  readonly connectorId: string
  readonly identity: string
  /** As scripts see it: `data_in`. */
  readonly type: string
  readonly handler: string
  /** By the scripts as they are; null if no others were tried. */
  readonly live: ReplayedRun | null
  readonly changed: ReplayedRun
}

export type ReplayCounts = {
  readonly calls: number
  /** Those of them that were not made. */
  readonly writes: number
  readonly logs: number
  /** Events whose handler failed or was stopped. */
  readonly failed: number
}

export type Replay = {
  readonly from: number
  readonly to: number
  readonly events: number
  /** Events with which the two do not do the same. */
  readonly differing: number
  readonly live: ReplayCounts | null
  readonly changed: ReplayCounts
  /** Those that differ, or all if there is nothing to compare; the first ones, by time. */
  readonly shown: readonly ReplayedEvent[]
  /** What was not replayed, a sentence each. */
  readonly notes: readonly string[]
}
