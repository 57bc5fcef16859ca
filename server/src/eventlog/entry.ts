import type { Transaction } from '../database/index.ts'

/** One thing that was said. It is what an acknowledgement promises to have kept. */
export type Entry = {
  readonly businessId: string
  readonly connectorId: string
  readonly identity: string
  readonly kind: EntryKind
  /** Microseconds, the server's clock when the entry was taken. */
  readonly at: number
  /** JSON text; its shape belongs to the kind. */
  readonly body: string
}

/**
 * `write`: values of a device; `set`: values set from the cloud; the body of both is `WriteBody`.
 * `provisioned`: an identity was activated, body `ProvisionedBody`. `deleted`: an identity was
 * removed; `expired`: its activation window closed; the body of both is `{}`. `connected`,
 * `disconnected`: of a device's connection, body `PresenceBody`; only where somebody wants to know,
 * since operators see them as notes.
 */
export type EntryKind = ShownKind | 'connected' | 'disconnected'

/** What is a line of the connector's log as it is. */
export type ShownKind = 'write' | 'set' | 'provisioned' | 'deleted' | 'expired'

export type PresenceBody = {
  readonly ip: string
  readonly protocol: string
  /** Which of the device's connections it is. */
  readonly connection: string
}

/** What a device wrote: as many times as its stamps differ. Values are the texts that it sent. */
export type WriteBody = {
  readonly ip: string
  readonly protocol: string
  /** On which of the device's connections; not there where it came from the cloud. */
  readonly connection?: string
  readonly payload: readonly WritePoint[]
  /** Aliases that the connector does not define: acknowledged, logged, not stored. */
  readonly unknown?: readonly string[]
}

export type WritePoint = {
  /** Microseconds. */
  readonly timestamp: number
  readonly values: Readonly<Record<string, string>>
}

export type ProvisionedBody = {
  readonly ip: string
  readonly protocol: string
  /** The values of before were cleared. */
  readonly anew?: true
  /** It is no activation, but a step of a rotation of the device's credential. */
  readonly rotation?: RotationStep
}

/**
 * `opened` and `cancelled`: by the operator. `given`: the new credential is known. `used`: the
 * device used it, and the one before ended. At the end of the time: `ended`, the one before ended
 * without that; `lapsed`, there was no new one, and it stays.
 */
export type RotationStep = 'opened' | 'cancelled' | 'given' | 'used' | 'ended' | 'lapsed'

/** Where an entry lies. Positions of one partition have no gaps. */
export type Position = { readonly part: number; readonly seq: number }

export type LoggedEntry = Entry & Position

/** An entry that a consumer could not deal with, and why, for a person to read. */
export type Failure = { readonly entry: LoggedEntry; readonly reason: string }

/**
 * A reader with its own durable place in the log. Entries of one device come in order, each at
 * least once; what `apply` writes through its transaction happens exactly once, because the place
 * moves in that same transaction.
 */
export type Consumer<Prepared> = {
  /** Its name in the ledger and in the cursor's table; never change it. */
  readonly name: string
  readonly batchMax?: number
  /**
   * Whose turn it is to read the partition; asked before each batch. For a consumer whose `prepare`
   * must not run in two processes for the same entries; without it, both run it. `again`: the turn
   * came just now, and the entries that were read before it may have been dealt with.
   */
  turn?(part: number): Promise<'mine' | 'again' | 'others'>
  /**
   * The slow part, outside any transaction: reading, calling out. It may run again for the same
   * entries. Thrown errors make the batch run again later, and at last entry by entry.
   */
  prepare(entries: readonly LoggedEntry[]): Promise<Prepared>
  /** The effects. The entries that it returns are counted and set down as failed. */
  apply(
    transaction: Transaction,
    prepared: Prepared,
    entries: readonly LoggedEntry[],
  ): Promise<readonly Failure[]>
  /** Told after the COMMIT of what `apply` wrote. */
  committed?(prepared: Prepared): void
}
