import { Readable } from 'node:stream'
import { provisioningLimits } from '../../../server/src/devices/provisioning/index.ts'
import { textArray } from '../../../server/src/foundation/database/index.ts'
import { answerParent } from '../frame/child.ts'
import type { Address } from '../frame/engines.ts'
import { type Instance, openInstance } from './instance.ts'

/** Takes CSV files as the management API does once an upload is on the disk. */

export type OpenImport = { readonly address: Address }
export type Imported = {
  readonly perSecond: number
  readonly cpuUs: number
  /** The most memory that the process had, sampled between batches. */
  readonly peakMib: number
}

const pieceRows = 1_000
const mib = 1_048_576
let instance: Instance | undefined
let businessId = ''
let connectorId = ''
let turn = 0

async function open({ address }: OpenImport): Promise<void> {
  instance = await openInstance(address)
  const { accounts, provisioning, database } = instance.platform
  businessId = (await accounts.createBusiness({ name: 'Bench' })).id
  connectorId = (await provisioning.connectors.create(businessId, { name: 'Bench' })).id
  await database.run('create table bench_identity (like provisioning_identity including all)')
}

/** A file of identities that nobody saw before. */
async function csv({ rows }: { readonly rows: number }): Promise<Imported> {
  turn += 1
  return again({ rows })
}

/** The same file as the last one. */
async function again({ rows }: { readonly rows: number }): Promise<Imported> {
  return measured(rows, async (sample) => {
    const file = { open: () => Readable.from(pieces(rows), { objectMode: false }) }
    const { identities } = running().platform.provisioning
    const taken = await identities.importCsv(businessId, connectorId, file)
    for await (const _ of taken.answer()) sample()
    const { failed } = taken.counts()
    if (failed > 0) throw new Error(`${failed} rows failed`)
  })
}

function* pieces(rows: number): Generator<Buffer> {
  yield Buffer.from('ID,Tags\r\n')
  for (let at = 0; at < rows; at += pieceRows) {
    const piece = makeNames(at, rows).map((name) => `${name},"${tagsCell}"\r\n`)
    yield Buffer.from(piece.join(''))
  }
}

const tags = '[{"name":"group","value":"north"}]'
const tagsCell = tags.replaceAll('"', '""')

function makeNames(from: number, rows: number): string[] {
  const count = Math.min(pieceRows, rows - from)
  return Array.from({ length: count }, (_, at) => `device-${turn}-${from + at}`)
}

/** The same rows, a transaction a batch, with nothing before the statement. */
async function raw({ rows }: { readonly rows: number }): Promise<Imported> {
  turn += 1
  const { database, clock } = running().platform
  return measured(rows, async (sample) => {
    for (let at = 0; at < rows; at += provisioningLimits.csvBatchRowsMax) {
      const names = makeNames(at, rows)
      const values = [
        connectorId,
        clock.nowUs(),
        textArray(names),
        textArray(names.map(() => tags)),
      ]
      await database.transaction((transaction) => transaction.run(insertText, values))
      sample()
    }
  })
}

const insertText = `
  insert into bench_identity
    (connector_id, identity, locked, tags, activate_until, created_at)
  select $1, identity, false, tags::jsonb, $2::bigint, $2::bigint
  from unnest($3::text[], $4::text[]) as s (identity, tags)`

async function measured(
  rows: number,
  work: (sample: () => void) => Promise<void>,
): Promise<Imported> {
  let peak = 0
  const sample = () => {
    peak = Math.max(peak, process.memoryUsage.rss())
  }
  const cpu = process.cpuUsage()
  const start = performance.now()
  await work(sample)
  const perSecond = (rows * 1_000) / (performance.now() - start)
  const { user, system } = process.cpuUsage(cpu)
  return { perSecond, cpuUs: (user + system) / rows, peakMib: peak / mib }
}

function running(): Instance {
  if (instance === undefined) throw new Error('open comes first')
  return instance
}

answerParent({ open, csv, again, raw }, async () => {
  await instance?.platform.close()
  await instance?.removeFolder()
})
