import type { Statement } from '../database/index.ts'
import type { Entry, WriteBody, WritePoint } from '../eventlog/index.ts'
import { type Stamped, type ValueChange, valueStatement } from './store/values.ts'

type Change = { -readonly [Field in keyof ValueChange]: ValueChange[Field] }

/**
 * What entries of the log do to the devices' current values, as statements for the transaction
 * that appends them: a device's write says both values, the cloud's `set` only the one. A batch
 * touches each resource once, with the newest value of it; an older point than what is there (a
 * record of the past) changes nothing.
 */
export function valueEffects(entries: readonly Entry[]): Statement[] {
  const changes = new Map<string, Change>()
  for (const entry of entries) {
    if (entry.kind === 'write' || entry.kind === 'set') applyEntry(changes, entry)
  }
  return changes.size === 0 ? [] : [valueStatement([...changes.values()])]
}

function applyEntry(changes: Map<string, Change>, entry: Entry): void {
  const { payload } = JSON.parse(entry.body) as WriteBody
  for (const { timestamp, values } of inOrder(payload)) {
    // A device whose clock runs ahead must not keep out what it writes when the clock is mended.
    const at = Math.min(timestamp, entry.at)
    for (const [alias, value] of Object.entries(values)) {
      const change = changeOf(changes, entry, alias)
      const said = { value, at }
      if (entry.kind === 'write') change.reported = newer(change.reported, said)
      change.set = newer(change.set, said)
    }
  }
}

/** Points of a record may come in any order. */
function inOrder(payload: readonly WritePoint[]): readonly WritePoint[] {
  return payload.length < 2 ? payload : payload.toSorted((a, b) => a.timestamp - b.timestamp)
}

function changeOf(changes: Map<string, Change>, entry: Entry, alias: string): Change {
  const { connectorId, identity } = entry
  const key = `${connectorId}\0${identity}\0${alias}`
  let change = changes.get(key)
  if (change === undefined) {
    change = { connectorId, identity, alias, reported: null, set: null }
    changes.set(key, change)
  }
  return change
}

/** Of two with one stamp the one that was said later. */
function newer(before: Stamped | null, said: Stamped): Stamped {
  return before === null || said.at >= before.at ? said : before
}
