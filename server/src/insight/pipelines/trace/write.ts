import { limits } from '../../../foundation/kernel/index.ts'
import type { EventLog } from '../../../log/eventlog/index.ts'
import type { Asset, Signal } from '../../assets/index.ts'
import type { TraceStepOf } from './schema.ts'

/** Entries of a connector among which the write of a traced value is looked for. */
const traceEntriesMax = 20_000

type Log = Pick<EventLog, 'connectorEntries'>

/** The period after its stamp in which a value is looked for first, before the newest entries. */
const nearUs = 60_000_000

/**
 * Finds the entry of the log by which a value was reported: around its stamp, else among the
 * newest of its connector. Undefined if retention has removed it, or too many came since.
 */
export async function findWrite(
  { connectorEntries }: Log,
  { id: signalId, businessId, source }: Signal,
  asset: Asset,
  ts: number,
  nowUs: number,
): Promise<TraceStepOf<'write'> | undefined> {
  const device = (source !== null && 'alias' in source ? source.device : undefined) ?? asset.device
  if (device === null || device === undefined) return undefined
  const { connectorId, identity } = device
  for (const beforeUs of [ts + nearUs, nowUs]) {
    const rows = traceEntriesMax
    const from = await connectorEntries.horizon(connectorId, beforeUs, rows)
    const found = await connectorEntries.read({
      businessId,
      connectorId,
      newerThan: { at: from, part: -1, seq: -1 },
      olderThan: { at: beforeUs + 1, part: 0, seq: 0 },
      kinds: ['write', 'set'],
      identity,
      text: String(ts),
      bodyBytesMax: 0,
      limit: limits.pageMax,
    })
    const entry = found.find(({ kind }) => kind === 'write') ?? found[0]
    if (entry === undefined) continue
    const { at, part, seq } = entry
    return { kind: 'write', connectorId, identity, at, part, seq, signalId }
  }
  return undefined
}
