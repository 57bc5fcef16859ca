import type { Readable } from 'node:stream'
import { isDeepStrictEqual } from 'node:util'
import {
  type Provisioning,
  readCsvRows,
  spreadsheetTrace,
} from '../../devices/provisioning/index.ts'
import type { Database } from '../../foundation/database/index.ts'
import { Fault, omitUndefined, toFault } from '../../foundation/kernel/index.ts'
import type { View } from '../../people/groups/index.ts'
import type { Assets } from '../assets/index.ts'
import type { Pipelines } from '../pipelines/index.ts'
import { type AssetColumn, type ReadAsset, readHeader, readRow } from './columns.ts'
import type { ImportedRow, ImportResult } from './schema.ts'

/** Rows of one file of assets. */
const assetCsvRowsMax = 5_000

export type ImportOptions = {
  readonly database: Database
  readonly assets: Assets
  readonly pipelines: Pick<Pipelines, 'templates'>
  readonly provisioning: Pick<Provisioning, 'connectors'>
}

export type AssetImport = {
  readonly view: View
  /** The principal's subject. */
  readonly by: string
  readonly file: Readable
  /** Everything is checked, and nothing kept. */
  readonly dryRun: boolean
}

/** Ends a transaction of which nothing is to be kept. */
class DryRun extends Error {}

/**
 * Follows the rows of a file, each for itself: with an id it changes that asset, without it makes
 * one. @throws Fault `csv_invalid`, `too_large`; what is nobody's doing
 */
export async function importRows(
  options: ImportOptions,
  wanted: AssetImport,
): Promise<ImportResult> {
  const connectors = await ownConnectors(options, wanted.view)
  const { places, lines } = await readLines(wanted.file)
  const rows: ImportedRow[] = []
  for (const [at, cells] of lines.entries()) {
    rows.push(await importRow(options, wanted, connectors, { row: at + 1, cells, places }))
  }
  const count = (status: ImportedRow['status']) =>
    rows.filter((row) => row.status === status).length
  return {
    total: rows.length,
    created: count('created'),
    changed: count('changed'),
    unchanged: count('unchanged'),
    failed: count('failed'),
    rows,
  }
}

type Lines = {
  readonly places: ReadonlyMap<AssetColumn, number>
  readonly lines: readonly (readonly string[])[]
}

/** All lines before the first is followed: a file that is no CSV changes nothing. */
async function readLines(file: Readable): Promise<Lines> {
  const most = assetCsvRowsMax
  const lines: (readonly string[])[] = []
  for await (const some of readCsvRows(file)) {
    lines.push(...some)
    if (lines.length > most + 1) {
      throw new Fault('too_large', `A file of assets has at most ${most} rows.`)
    }
  }
  const [header, ...rest] = lines
  return { places: readHeader(header ?? []), lines: rest }
}

/** Devices are named by those who see the whole business. */
async function ownConnectors(
  { provisioning }: ImportOptions,
  view: View,
): Promise<ReadonlySet<string>> {
  if (view.groups !== 'all') return new Set()
  const own = await provisioning.connectors.list(view)
  return new Set(own.map(({ id }) => id))
}

type Line = {
  readonly row: number
  readonly cells: readonly string[]
  readonly places: ReadonlyMap<AssetColumn, number>
}

async function importRow(
  options: ImportOptions,
  wanted: AssetImport,
  connectors: ReadonlySet<string>,
  { row, cells, places }: Line,
): Promise<ImportedRow> {
  let done: ImportedRow | undefined
  try {
    const read = readRow(cells, places)
    const { device } = read
    if (device !== undefined && !connectors.has(device.connectorId)) {
      throw new Fault('not_found', `There is no connector ${device.connectorId}.`)
    }
    await options.database.joined(async () => {
      const followed = await followRow(options, wanted, read)
      const message = spreadsheetTrace(device?.identity ?? '')
      done = { row, ...followed, ...omitUndefined({ message }) }
      if (wanted.dryRun) throw new DryRun()
    })
  } catch (error) {
    if (error instanceof DryRun && done !== undefined) {
      return done.status === 'created' ? { ...done, id: null } : done
    }
    const { code, detail: message } = toFault(error)
    if (code === 'internal' || code === 'database_unavailable') throw error
    return { row, status: 'failed', id: null, code, message }
  }
  if (done === undefined) throw new Error('the row was not applied')
  return done
}

async function followRow(
  { assets, pipelines }: ImportOptions,
  { view, by }: AssetImport,
  { id, templateId, name, locked, ...row }: ReadAsset,
): Promise<{ readonly id: string; readonly status: ImportedRow['status'] }> {
  if (id !== undefined) {
    const asset = await assets.get(view, id)
    if (templateId !== undefined && templateId !== asset.templateId) {
      throw new Fault('invalid_argument', 'An asset keeps its template.')
    }
    const change = omitUndefined({ name, locked, ...row })
    const own = Object.keys(change) as (keyof typeof change)[]
    // A locked asset takes a row that says what it is already.
    if (own.every((field) => isDeepStrictEqual(change[field], asset[field]))) {
      return { id, status: 'unchanged' }
    }
    return { id: (await assets.update(view, id, change)).id, status: 'changed' }
  }
  const wanted = { name: name ?? '', ...row }
  const made =
    templateId === undefined
      ? await assets.create(view, wanted)
      : await pipelines.templates.make(view, { ...wanted, templateId }, by)
  if (locked === true) await assets.update(view, made.id, { locked })
  return { id: made.id, status: 'created' }
}
