import type { Database } from '../../foundation/database/index.ts'
import { Fault } from '../../foundation/kernel/index.ts'
import type { LoggedEntry } from '../../log/eventlog/index.ts'
import { type Asset, type Assets, type ChannelSpec, parseConfigIo } from '../assets/index.ts'
import type { Note } from './notes.ts'
import { deviceKey, readPayload } from './points.ts'

/** Descriptions of channels that are followed in one transaction; the last one may go past it. */
const channelBatchBytesMax = 512 * 1024

const configAlias = 'config_io'

export type StructureOptions = { readonly database: Database; readonly assets: Assets }

export type Structured = {
  readonly notes: readonly Note[]
  /** The reason why an entry's description of channels was not followed, by entry. */
  readonly failures: ReadonlyMap<LoggedEntry, string>
}

/** The newest description of a device's channels. */
type Config = { readonly entry: LoggedEntry; readonly text: string }

/** The same, as it was read, with the asset of the device. */
type Description = {
  readonly entry: LoggedEntry
  readonly asset: Asset
  readonly channels: readonly ChannelSpec[]
}

/**
 * Follows what entries say about assets and signals themselves: a new device of an intake's
 * connector gets an asset, and a `config_io` makes the asset's signals what it describes. Each can
 * be done again without harm, so this is no part of the cursor's transaction. All new devices share
 * a transaction, and so do all descriptions, up to `channelBatchBytesMax`: a thousand devices that
 * begin together must not keep the values of the others waiting.
 */
export async function followStructure(
  options: StructureOptions,
  entries: readonly LoggedEntry[],
): Promise<Structured> {
  const outcome = new Outcome()
  const configs = newestConfigs(entries)
  const provisioned = entries.filter((entry) => entry.kind === 'provisioned')
  const devices = [...provisioned, ...configs.map(({ entry }) => entry)]
  if (devices.length === 0) return outcome
  const assets = await findAssets(options, devices)
  for (const descriptions of readConfigs(configs, assets, outcome)) {
    await sync(options, descriptions, outcome)
  }
  return outcome
}

class Outcome implements Structured {
  readonly notes: Note[] = []
  readonly failures = new Map<LoggedEntry, string>()

  note({ businessId, id: assetId }: Asset, line: string): void {
    this.notes.push({ businessId, assetId, severity: 'warning', text: `config_io: ${line}` })
  }

  fail(entry: LoggedEntry, asset: Asset, reason: string): void {
    this.note(asset, reason)
    this.failures.set(entry, reason)
  }
}

/** Returns the newest description of each device; it would undo the ones before it. */
function newestConfigs(entries: readonly LoggedEntry[]): readonly Config[] {
  const newest = new Map<string, Config>()
  for (const entry of entries) {
    for (const { values } of readPayload(entry)) {
      const text = Object.hasOwn(values, configAlias) ? values[configAlias] : undefined
      if (text !== undefined) newest.set(deviceKey(entry), { entry, text })
    }
  }
  return [...newest.values()]
}

/** The assets of these entries' devices; the intake of a connector makes those that are missing. */
async function findAssets(
  { database, assets }: StructureOptions,
  entries: readonly LoggedEntry[],
): Promise<ReadonlyMap<string, Asset>> {
  const devices = [...new Map(entries.map((entry) => [ownedKey(entry), entry])).values()]
  const found = new Map<string, Asset>()
  const unknown: LoggedEntry[] = []
  for (const [at, asset] of (await assets.ofDevices(devices)).entries()) {
    const device = devices[at]
    if (device === undefined) continue
    if (asset === undefined) unknown.push(device)
    else found.set(ownedKey(device), asset)
  }
  const intakes = await assets.intake.of(unknown.map(({ connectorId }) => connectorId))
  const wanted = unknown.filter(({ businessId, connectorId }) => {
    return intakes.get(connectorId)?.businessId === businessId
  })
  if (wanted.length === 0) return found
  const made = await database.transaction((transaction) =>
    assets.ensureDeviceAssets(transaction, wanted.map(toDevice)),
  )
  for (const [at, device] of wanted.entries()) {
    const asset = made[at]?.asset
    if (asset !== undefined) found.set(ownedKey(device), asset)
  }
  return found
}

function toDevice({ businessId, connectorId, identity }: LoggedEntry) {
  return { businessId, connectorId, identity }
}

function ownedKey(entry: LoggedEntry): string {
  return `${entry.businessId}/${deviceKey(entry)}`
}

/** Reads descriptions of devices that have an asset, a part of them at a time. */
function* readConfigs(
  configs: readonly Config[],
  assets: ReadonlyMap<string, Asset>,
  outcome: Outcome,
): Generator<readonly Description[]> {
  let descriptions: Description[] = []
  let size = 0
  for (const { entry, text } of configs) {
    const asset = assets.get(ownedKey(entry))
    if (asset === undefined) continue
    const config = parseConfigIo(text)
    if ('error' in config) {
      outcome.fail(entry, asset, config.error)
      continue
    }
    for (const complaint of config.complaints) outcome.note(asset, complaint)
    descriptions.push({ entry, asset, channels: config.channels })
    size += Buffer.byteLength(text)
    if (size < channelBatchBytesMax) continue
    yield descriptions
    descriptions = []
    size = 0
  }
  if (descriptions.length > 0) yield descriptions
}

async function sync(
  { database, assets }: StructureOptions,
  descriptions: readonly Description[],
  outcome: Outcome,
): Promise<void> {
  const given = descriptions.map(({ entry, asset, channels }) => {
    return { businessId: asset.businessId, assetId: asset.id, device: toDevice(entry), channels }
  })
  const results = await database.transaction((held) => assets.syncChannels(held, given))
  for (const [at, { entry, asset }] of descriptions.entries()) {
    const result = results[at]
    if (result instanceof Fault) outcome.fail(entry, asset, result.detail)
  }
}
