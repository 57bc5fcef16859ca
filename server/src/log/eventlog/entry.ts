import type { Transaction } from '../../foundation/database/index.ts'
import type { Json } from '../../foundation/kernel/index.ts'

/** An event of a device. An acknowledgement promises that its entry is stored. */
export type Entry = EntryHead & EntryContent

type EntryHead = {
  readonly businessId: string
  readonly connectorId: string
  readonly identity: string
  /** Microseconds, the server's clock when the entry was taken. */
  readonly at: number
}

/** The kind of an entry with its body, which the store makes into JSON. */
type EntryContent = {
  readonly [Kind in EntryKind]: { readonly kind: Kind; readonly body: EntryBodies[Kind] }
}[EntryKind]

/** The table of kinds: a new one does not compile until each reader of entries handles it. */
type EntryBodies = {
  /** Values of a device. */
  readonly write: WriteBody
  /** Values that were set from the cloud. */
  readonly set: WriteBody
  /** Values that a person or a program wrote to signals of an asset, which is the identity. */
  readonly values: ValuesBody
  /** An identity was activated, or took a step of a rotation. */
  readonly provisioned: ProvisionedBody
  /** An identity was removed. */
  readonly deleted: EmptyBody
  /** The activation window of an identity closed. */
  readonly expired: EmptyBody
  /** A device connected; only if a script subscribes, since operators have a line of it. */
  readonly connected: PresenceBody
  /** A device's connection ended; as `connected`. */
  readonly disconnected: PresenceBody
}

export type EntryKind = keyof EntryBodies

/**
 * The line of the connector's activity log that an entry of each kind is, if it is one, and the
 * event of scripts. For connections, operators have lines with more than an entry.
 */
export const entryKinds = {
  provisioned: { line: 'provision', event: 'provisioned' },
  write: { line: 'write', event: 'data_in' },
  set: { line: 'set', event: 'data_out' },
  values: { event: 'values' },
  deleted: { line: 'delete', event: 'deleted' },
  expired: { line: 'expire', event: 'expired' },
  connected: { event: 'connect' },
  disconnected: { event: 'disconnect' },
} as const satisfies Readonly<Record<EntryKind, { readonly line?: string; readonly event: string }>>

type EmptyBody = Readonly<Record<string, never>>

export type PresenceBody = {
  readonly ip: string
  readonly protocol: string
  /** The id of the connection. */
  readonly connection: string
}

/** Values by their stamps. A value is the text that the device sent, or that was set. */
export type WriteBody = {
  readonly ip: string
  readonly protocol: string
  /** The id of the device's connection; left out if the values come from the cloud. */
  readonly connection?: string
  readonly payload: readonly WritePoint[]
  /** Aliases that the connector does not define: acknowledged, logged, not stored. */
  readonly unknown?: readonly string[]
  /** Aliases of a `set` whose values count as reported: no device acknowledges them. */
  readonly reported?: readonly string[]
}

export type WritePoint = {
  /** Microseconds. */
  readonly timestamp: number
  readonly values: Readonly<Record<string, string>>
}

/** Returns the points of an entry that count as the device's report. */
export function reportedPoints(entry: Entry): readonly WritePoint[] {
  if (entry.kind === 'write') return entry.body.payload
  const { payload = [], reported = [] } = entry.kind === 'set' ? entry.body : {}
  if (reported.length === 0) return []
  return payload.map(({ timestamp, values }) => {
    const kept = Object.entries(values).filter(([alias]) => reported.includes(alias))
    return { timestamp, values: Object.fromEntries(kept) }
  })
}

/**
 * The id that stands for the connector in entries of the kind `values`: no connector has this id.
 */
export const signalsId = 'signals'

export type ValuesBody = {
  /** The principal's subject. */
  readonly by: string
  readonly values: readonly SignalWrite[]
}

/** A value as the signal keeps it. */
export type SignalWrite = {
  readonly signalId: string
  /** Microseconds. */
  readonly timestamp: number
  readonly value: Json
}

export type ProvisionedBody = {
  readonly ip: string
  readonly protocol: string
  /** The values of before were cleared. */
  readonly anew?: true
  /** The device had a token that it never used, which ended. */
  readonly again?: true
  /** It is no activation, but a step of a rotation of the device's credential. */
  readonly rotation?: RotationStep
}

/**
 * `opened` and `cancelled`: by the operator. `given`: the new credential is known. `used`: the
 * device used it, and the one before ended. At the end of the time: `ended`, the one before ended
 * without that; `lapsed`, there was no new one, and it stays.
 */
export type RotationStep = 'opened' | 'cancelled' | 'given' | 'used' | 'ended' | 'lapsed'

/** The position of an entry. Positions of one partition have no gaps. */
export type Position = { readonly part: number; readonly seq: number }

/** The tracking id of all that comes of an entry: one word finds it in every log. */
export function entryTrackingId({ part, seq }: Position): string {
  return `entry-${part}-${seq}`
}

/** An entry that was read from the log. Its body is parsed when it is read for the first time. */
export type LoggedEntry = Entry & Position

/** An entry that a consumer could not deal with, and why, for a person to read. */
export type Failure = { readonly entry: LoggedEntry; readonly reason: string }

/** An entry that a consumer could not deal with. */
export type EntryFailure = {
  /** The name of the consumer. */
  readonly stage: string
  readonly part: number
  readonly seq: number
  readonly connectorId: string
  readonly identity: string
  readonly reason: string
  /** Microseconds. */
  readonly failedAt: number
}

/**
 * A reader with its own durable place in the log. Entries of one device come in order, each at
 * least once; what `apply` writes through its transaction happens exactly once, because the place
 * moves in that same transaction.
 */
export type Consumer<Prepared> = {
  /** Its name in the ledger and in the cursor's table; never change it. */
  readonly name: string
  readonly batchMax?: number
  /** True if entries of several partitions may be in one batch; those of each are in order. */
  readonly acrossPartitions?: boolean
  /** Returns how many entries the next batch may have now, if those are fewer. */
  batchMost?(): number
  /**
   * Called before the first batch of a partition that this process reads from now on, while it has
   * the lease. If it throws, it is called again.
   */
  acquired?(part: number): Promise<void>
  /** Called before the partition is given to another process; nothing of it may run afterwards. */
  leaving?(part: number): Promise<void>
  /**
   * The slow part, outside any transaction: reading, calling out. It may run again for the same
   * entries. Thrown errors make the batch run again later, and at last entry by entry.
   */
  prepare(entries: readonly LoggedEntry[]): Promise<Prepared>
  /**
   * Returns true if `apply` would write nothing and return no failures: then it is not called, and
   * the place is stored later. Without it, each batch is applied.
   */
  isEmpty?(prepared: Prepared): boolean
  /** The effects. The entries that it returns are counted and set down as failed. */
  apply(
    transaction: Transaction,
    prepared: Prepared,
    entries: readonly LoggedEntry[],
  ): Promise<readonly Failure[]>
  /** Called after the COMMIT of what `apply` wrote, or if there was nothing to write. */
  committed?(prepared: Prepared): void
  /**
   * Called if the transaction of `apply` failed. It is committed all the same if only the answer to
   * its COMMIT was lost; the reader then goes on behind the batch, and does not prepare it again.
   */
  failed?(prepared: Prepared): void
  /** Called if another process had moved the cursor: nothing was applied. */
  dropped?(prepared: Prepared): void
}
