import { Fault, parseOwnJson } from '../../../foundation/kernel/index.ts'
import type { ConnectorEntry, EventLog, LoggedEntry } from '../../../log/eventlog/index.ts'
import { type EntryKind, entryKinds } from '../../../log/eventlog/index.ts'
import { connectorEvent, type TagsOf, tagsOfEntries } from '../events/planned-events.ts'
import { scriptingLimits } from '../limits.ts'
import type { LoadedSolution } from '../registry/build.ts'
import type { ScriptValue } from '../runtime/value.ts'

/** A recorded event for one service of a solution. */
export type RecordedEvent = {
  readonly entry: LoggedEntry
  readonly type: string
  /** The script key of the service. */
  readonly alias: string
  readonly argument: ScriptValue
}

export type RecordedEventsOptions = {
  readonly eventlog: Pick<EventLog, 'connectorEntries'>
  readonly tagsOf: TagsOf
}

type Range = { readonly from: number; readonly to: number }

const kinds = Object.keys(entryKinds) as EntryKind[]

/**
 * Reads the events of a solution's connectors in a range, by time.
 * @throws Fault invalid_argument if they are more, or larger, than a replay takes.
 */
export async function readRecordedEvents(
  options: RecordedEventsOptions,
  { businessId, configurations }: LoadedSolution,
  range: Range,
): Promise<readonly RecordedEvent[]> {
  const connectors = configurations.filter(({ connector }) => connector)
  const entries: LoggedEntry[] = []
  for (const connectorId of new Set(connectors.map(({ service }) => service))) {
    const own = await readEntries(options, businessId, connectorId, range)
    entries.push(...own)
    if (entries.length > scriptingLimits.replayEventsMax) throw tooMany()
  }
  entries.sort((a, b) => a.at - b.at || a.part - b.part || a.seq - b.seq)
  const tags = await tagsOfEntries(options.tagsOf, entries)
  return entries.flatMap((entry) => {
    const { connectorId, identity, kind } = entry
    const argument = connectorEvent(entry, tags.get(`${connectorId}/${identity}`) ?? [])
    if (argument === undefined) return []
    const own = connectors.filter(({ service }) => service === connectorId)
    const type = entryKinds[kind].event
    return own.map(({ alias }) => ({ entry, type, alias, argument }))
  })
}

async function readEntries(
  { eventlog: { connectorEntries } }: RecordedEventsOptions,
  businessId: string,
  connectorId: string,
  { from, to }: Range,
): Promise<LoggedEntry[]> {
  const most = scriptingLimits.replayEventsMax
  if ((await connectorEntries.horizon(connectorId, to, most + 1)) > from) throw tooMany()
  const read = (bodyBytesMax: number) =>
    connectorEntries.read({
      businessId,
      connectorId,
      newerThan: { at: from, part: -1, seq: -1 },
      olderThan: { at: to, part: -1, seq: -1 },
      kinds,
      identity: undefined,
      text: undefined,
      bodyBytesMax,
      limit: most + 1,
    })
  const sizes = await read(0)
  const bytes = sizes.reduce((sum, entry) => sum + entry.bytes, 0)
  if (sizes.length > most || bytes > scriptingLimits.replayBytesMax) throw tooMany()
  const found = await read(scriptingLimits.replayBytesMax)
  return found.map((entry) => toLoggedEntry(businessId, connectorId, entry))
}

function toLoggedEntry(
  businessId: string,
  connectorId: string,
  { at, part, seq, identity, kind, body }: ConnectorEntry,
): LoggedEntry {
  const head = { businessId, connectorId, identity, at, part, seq }
  return { ...head, kind, body: parseOwnJson(body ?? '{}') } as LoggedEntry
}

function tooMany(): Fault {
  const { replayEventsMax, replayBytesMax } = scriptingLimits
  const most = `${replayEventsMax} events, or ${replayBytesMax} bytes of them`
  return new Fault('invalid_argument', `The range has more than ${most}; take a shorter one.`)
}
