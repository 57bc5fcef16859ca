import type { Statement } from '../../../foundation/database/index.ts'
import { presentUntil } from '../../../foundation/kernel/index.ts'
import type { Entry, WritePoint } from '../../../log/eventlog/index.ts'
import { currentStatement, pastStatement, type Stamped, type ValueChange } from '../store/values.ts'

/** A value with its stamp; `now`: it was stamped when it was sent, so it replaces any before. */
type ValueUpdate = Stamped & { readonly now: boolean }

type ValueEntry = Extract<Entry, { readonly kind: 'write' | 'set' }>

type Change = Pick<ValueChange, 'connectorId' | 'identity' | 'alias'> & {
  reported: ValueUpdate | null
  set: ValueUpdate | null
  /** True if the cloud wrote `set`. */
  pending: boolean
}

/**
 * Returns the statements that update the devices' current values, for the transaction that appends
 * the entries: a device's write changes both values, the cloud's `set` only the one, unless it
 * counts as reported. A later entry
 * of the log replaces an earlier one, whatever the clocks were. Only a point that
 * the device stamped with a time before its entry (a record of the past) is compared by time, and
 * changes nothing where a newer one is there.
 */
export function valueEffects(entries: readonly Entry[]): Statement[] {
  const changes = new Map<string, Change>()
  for (const entry of entries) {
    if (entry.kind === 'write' || entry.kind === 'set') applyEntry(changes, entry)
  }
  const all = [...changes.values()]
  const current = all.flatMap((change) => pickPart(change, true))
  const past = all.flatMap((change) => pickPart(change, false))
  return [
    ...(current.length === 0 ? [] : [currentStatement(current)]),
    ...(past.length === 0 ? [] : [pastStatement(past, presentUntil(latest(entries)))]),
  ]
}

/** Returns the part of a change that replaces any value before it, or the part compared by time. */
function pickPart({ reported, set, ...change }: Change, now: boolean): ValueChange[] {
  const part = {
    ...change,
    reported: reported?.now === now ? reported : null,
    set: set?.now === now ? set : null,
  }
  return part.reported === null && part.set === null ? [] : [part]
}

function latest(entries: readonly Entry[]): number {
  return entries.reduce((most, { at }) => Math.max(most, at), 0)
}

function applyEntry(changes: Map<string, Change>, entry: ValueEntry): void {
  for (const { timestamp, values } of inOrder(entry.body.payload)) {
    // A device whose clock runs ahead must not keep out what it writes when the clock is mended.
    const at = Math.min(timestamp, entry.at)
    for (const [alias, value] of Object.entries(values)) {
      const change = getChange(changes, entry, alias)
      const said = { value, at, now: timestamp >= entry.at }
      const isReport = entry.kind === 'write' || entry.body.reported?.includes(alias) === true
      if (isReport) change.reported = later(change.reported, said)
      const set = later(change.set, said)
      if (set !== change.set) change.pending = !isReport
      change.set = set
    }
  }
}

/** Points of a record may come in any order. */
function inOrder(payload: readonly WritePoint[]): readonly WritePoint[] {
  return payload.length < 2 ? payload : payload.toSorted((a, b) => a.timestamp - b.timestamp)
}

function getChange(changes: Map<string, Change>, entry: Entry, alias: string): Change {
  const { connectorId, identity } = entry
  const key = `${connectorId}\0${identity}\0${alias}`
  let change = changes.get(key)
  if (change === undefined) {
    change = { connectorId, identity, alias, reported: null, set: null, pending: false }
    changes.set(key, change)
  }
  return change
}

/** A point of the past that replaces a value of this batch is as current as that one. */
function later(before: ValueUpdate | null, said: ValueUpdate): ValueUpdate {
  if (before === null || said.now) return said
  return said.at >= before.at ? { ...said, now: before.now } : before
}
