import type { Json } from '../../foundation/kernel/index.ts'
import { type LoggedEntry, reportedPoints, type WritePoint } from '../../log/eventlog/index.ts'
import { wholeView } from '../../people/groups/index.ts'
import {
  type Assets,
  type Feed,
  type Generations,
  parseDataIn,
  type Signal,
  toSignalValue,
} from '../assets/index.ts'
import type { Note } from './notes.ts'

/** A value of a signal, from a device. `ts` in microseconds. */
export type SignalPoint = {
  readonly signal: Signal
  readonly ts: number
  readonly value: Json
  /** `<connector>.<device>.<resource>.<channel>`, without the channel for a whole resource. */
  readonly origin: string
}

/** The points of an entry; `failure` names the first part of it that could not be read. */
export type EntryPoints = {
  readonly points: readonly SignalPoint[]
  readonly notes: readonly Note[]
  readonly failure: string | undefined
}

/** The feeds of a batch's devices, by device and resource. */
export type FeedMap = ReadonlyMap<string, ReadonlyMap<string, readonly Feed[]>>

/** A device as a key of maps: two devices never share one. */
export function deviceKey(device: { readonly connectorId: string; readonly identity: string }) {
  return `${device.connectorId}/${device.identity}`
}

export function mapFeeds(feeds: readonly Feed[]): FeedMap {
  const devices = Map.groupBy(feeds, deviceKey)
  const byAlias = [...devices].map(([key, those]) => {
    return [key, Map.groupBy(those, (feed) => feed.alias)] as const
  })
  return new Map(byAlias)
}

/** The values in an entry, whoever wrote them. */
export function readPayload(entry: LoggedEntry): readonly WritePoint[] {
  return entry.kind === 'write' || entry.kind === 'set' ? entry.body.payload : []
}

function formatOrigin({ connectorId, identity, alias, channel }: Feed): string {
  const resource = `${connectorId}.${identity}.${alias}`
  return channel === undefined ? resource : `${resource}.${channel}`
}

/** The targets of entries: the feeds of devices, and the signals that are named. */
export type EntryTargets = { readonly feeds: FeedMap; readonly signals: SignalMap }

/** Reads the feeds of the devices that wrote, and the signals that others wrote to. */
export async function findTargets(
  { feeds, signals }: Pick<Assets, 'feeds' | 'signals'>,
  entries: readonly LoggedEntry[],
  generations?: Generations,
): Promise<EntryTargets> {
  const writes = entries.filter((entry) => reportedPoints(entry).length > 0)
  const fed = writes.length === 0 ? [] : await feeds(writes, generations)
  return { feeds: mapFeeds(fed), signals: await namedSignals(signals, entries) }
}

/** By business and id. */
type SignalMap = ReadonlyMap<string, Signal>

const signalKey = (businessId: string, id: string) => `${businessId}/${id}`

async function namedSignals(
  signals: Pick<Assets['signals'], 'some'>,
  entries: readonly LoggedEntry[],
): Promise<SignalMap> {
  const named = entries.filter((entry) => entry.kind === 'values')
  const found = new Map<string, Signal>()
  for (const [businessId, those] of Map.groupBy(named, (entry) => entry.businessId)) {
    const ids = new Set(those.flatMap(({ body }) => body.values.map(({ signalId }) => signalId)))
    for (const signal of await signals.some(wholeView(businessId), [...ids])) {
      found.set(signalKey(businessId, signal.id), signal)
    }
  }
  return found
}

/** The points of an entry for the signals that its device feeds, or that it names. Pure. */
export function readPoints(entry: LoggedEntry, { feeds, signals }: EntryTargets): EntryPoints {
  if (entry.kind === 'values') return namedPoints(entry, signals)
  const byAlias = feeds.get(deviceKey(entry))
  const reader = new PointReader()
  if (byAlias === undefined) return reader.reading()
  for (const { timestamp, values } of reportedPoints(entry)) {
    for (const [alias, text] of Object.entries(values)) {
      const those = byAlias.get(alias)
      if (those !== undefined) readResource(reader, those, timestamp, text)
    }
  }
  return reader.reading()
}

/** A signal that was removed since fails the entry; the other values are kept. */
function namedPoints(
  { businessId, identity: assetId, body }: Extract<LoggedEntry, { readonly kind: 'values' }>,
  signals: SignalMap,
): EntryPoints {
  const reader = new PointReader()
  for (const { signalId, timestamp, value } of body.values) {
    const signal = signals.get(signalKey(businessId, signalId))
    if (signal === undefined) {
      reader.fail({ businessId, assetId }, `there is no signal ${signalId} any more`)
      continue
    }
    reader.keep(signal, timestamp, writtenValue(signal, value), body.by)
  }
  return reader.reading()
}

/** A value that is written to a signal itself has its unit already. */
export function writtenValue(signal: Signal, value: Json): Reading {
  return toSignalValue({ ...signal, multiplier: null, offset: null }, value)
}

type Reading = ReturnType<typeof toSignalValue>

function readResource(reader: PointReader, feeds: readonly Feed[], ts: number, text: string): void {
  const channels = feeds.filter((feed) => feed.channel !== undefined)
  for (const feed of feeds) if (feed.channel === undefined) reader.take(feed, ts, text)
  if (channels.length === 0) return
  const dataIn = parseDataIn(text)
  if ('error' in dataIn) {
    for (const feed of oneAnAsset(channels)) reader.complain(feed, dataIn.error)
    return
  }
  for (const feed of channels) {
    const { channel = '' } = feed
    const raw = dataIn.values.get(channel)
    if (raw !== undefined && raw !== null) reader.take(feed, ts, raw)
    const error = dataIn.errors.get(channel)
    if (error !== undefined) reader.note(feed, `channel ${channel} reports: ${error}`)
  }
}

function oneAnAsset(feeds: readonly Feed[]): Feed[] {
  return [...new Map(feeds.map((feed) => [feed.signal.assetId, feed])).values()]
}

type AssetPlace = Pick<Signal, 'businessId' | 'assetId'>

class PointReader {
  readonly #points: SignalPoint[] = []
  readonly #notes: Note[] = []
  #failure: string | undefined

  take(feed: Feed, ts: number, raw: Json): void {
    this.keep(feed.signal, ts, toSignalValue(feed.signal, raw), formatOrigin(feed))
  }

  keep(signal: Signal, ts: number, read: Reading, origin: string): void {
    if ('complaint' in read) this.fail(signal, `"${signal.name}": ${read.complaint}`)
    else this.#points.push({ signal, ts, value: read.value, origin })
  }

  /** The entry could not be dealt with as a whole. */
  complain(feed: Feed, text: string): void {
    this.fail(feed.signal, text)
  }

  fail(asset: AssetPlace, text: string): void {
    this.#failure ??= text
    this.#note(asset, text)
  }

  note({ signal }: Feed, text: string): void {
    this.#note(signal, text)
  }

  #note({ businessId, assetId }: AssetPlace, text: string): void {
    this.#notes.push({ businessId, assetId, severity: 'warning', text })
  }

  reading(): EntryPoints {
    return { points: this.#points, notes: this.#notes, failure: this.#failure }
  }
}
