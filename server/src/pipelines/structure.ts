import { type Asset, type Assets, parseConfigIo } from '../assets/index.ts'
import type { Database } from '../database/index.ts'
import type { LoggedEntry } from '../eventlog/index.ts'
import { Fault } from '../kernel/index.ts'
import type { Note } from './notes.ts'
import { deviceKey, payloadOf } from './points.ts'

const configAlias = 'config_io'

export type StructureOptions = { readonly database: Database; readonly assets: Assets }

export type Structured = {
  readonly notes: readonly Note[]
  /** The reason why an entry's description of channels was not followed, by entry. */
  readonly failures: ReadonlyMap<LoggedEntry, string>
}

/**
 * Follows what entries say about assets and signals themselves: a new device of an intake's
 * connector gets an asset, and a `config_io` makes the asset's signals what it describes. Each can
 * be done again without harm, so this is no part of the cursor's transaction.
 */
export async function followStructure(
  options: StructureOptions,
  entries: readonly LoggedEntry[],
): Promise<Structured> {
  const notes: Note[] = []
  const failures = new Map<LoggedEntry, string>()
  for (const entry of entries) {
    if (entry.kind === 'provisioned') await assetOf(options, entry)
  }
  for (const [entry, text] of newestConfigs(entries)) {
    const config = parseConfigIo(text)
    const asset = await assetOf(options, entry)
    if (asset === undefined) continue
    const { businessId, id: assetId } = asset
    const note = (line: string) =>
      notes.push({ businessId, assetId, severity: 'warning', text: `config_io: ${line}` })
    if ('error' in config) {
      note(config.error)
      failures.set(entry, config.error)
      continue
    }
    for (const complaint of config.complaints) note(complaint)
    try {
      await options.database.transaction((transaction) =>
        options.assets.syncChannels(transaction, businessId, assetId, entry, config.channels),
      )
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      note(error.detail)
      failures.set(entry, error.detail)
    }
  }
  return { notes, failures }
}

/** Of each device the newest description; the ones before it would be undone by it. */
function newestConfigs(entries: readonly LoggedEntry[]): Iterable<[LoggedEntry, string]> {
  const newest = new Map<string, [LoggedEntry, string]>()
  for (const entry of entries) {
    for (const { values } of payloadOf(entry)) {
      const text = Object.hasOwn(values, configAlias) ? values[configAlias] : undefined
      if (text !== undefined) newest.set(deviceKey(entry), [entry, text])
    }
  }
  return newest.values()
}

/** The asset of an entry's device, if there is one; an intake of its connector makes one. */
async function assetOf(
  { database, assets }: StructureOptions,
  entry: LoggedEntry,
): Promise<Asset | undefined> {
  const { businessId, connectorId, identity } = entry
  const device = { connectorId, identity }
  const known = await assets.ofDevice(businessId, device)
  if (known !== undefined) return known
  const intake = await assets.intake.of(connectorId)
  if (intake?.businessId !== businessId) return undefined
  const made = await database.transaction((transaction) =>
    assets.ensureDeviceAsset(transaction, businessId, device),
  )
  return made.asset
}
