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
 * removed, body `{}`.
 */
export type EntryKind = 'write' | 'set' | 'provisioned' | 'deleted'

/** What a device wrote: as many times as its stamps differ. Values are the texts that it sent. */
export type WriteBody = {
  readonly ip: string
  readonly protocol: string
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
}

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
}
