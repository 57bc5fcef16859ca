import type { Connector } from '../../../server/src/devices/provisioning/index.ts'
import { provisioningLimits } from '../../../server/src/devices/provisioning/index.ts'
import {
  type Database,
  openDatabase,
  type Writer,
} from '../../../server/src/foundation/database/index.ts'
import {
  createLogger,
  hashToken,
  newToken,
  systemRandom,
} from '../../../server/src/foundation/kernel/index.ts'
import { serve } from '../../../server/src/main.ts'
import type { Served } from '../../../server/src/platform/platform.ts'
import { answerParent } from '../frame/child.ts'
import type { Address } from '../frame/engines.ts'
import { type Instance, openInstance } from './instance.ts'

/** Activations one at a time: over HTTP, without HTTP, and as the engine's rows alone. */

export type OpenedHttp = { readonly port: number; readonly host: string }
export type Loops = { readonly loops: number; readonly seconds: number }
export type Made = { readonly perSecond: number; readonly rows: number }

const origin = { ip: '127.0.0.1', protocol: 'http', encrypted: false }

let instance: Instance | undefined
let served: Served | undefined
let connector: Connector | undefined
let database: Database | undefined
let writers: readonly Writer[] = []
let made = 0

async function openHttp(address: Address): Promise<OpenedHttp> {
  instance = await openInstance(address)
  const { platform } = instance
  const { id } = await platform.accounts.createBusiness({ name: 'Bench' })
  connector = await platform.provisioning.connectors.create(id, {
    name: 'Bench',
    devmode: true,
    selfRegistration: true,
    registrationsPerMinute: provisioningLimits.registrationsPerMinuteMax,
    resources: { temperature: { format: 'number' } },
  })
  served = await serve(platform)
  const port = Number(new URL(served.httpUrl).port)
  return { port, host: `${connector.id}.${platform.config.domain}` }
}

/** The same work without HTTP. */
function activate({ loops, seconds }: Loops): Promise<Made> {
  return until(seconds, loops, async (turn) => {
    if (instance === undefined || connector === undefined) return
    await instance.platform.provisioning.activate(connector, `direct-${turn}`, origin)
  })
}

async function openRows({ address, loops }: { address: Address; loops: number }): Promise<void> {
  database = await openDatabase({ ...address, owner: false, logger: createLogger('warn') })
  for (const statement of tables) await database.run(statement)
  const opened = database
  writers = Array.from({ length: loops }, () => opened.writer())
}

/**
 * Inserts the rows of an activation: its identity and its entry of the log, each pair a
 * transaction.
 */
function insert({ loops, seconds }: Loops): Promise<Made> {
  return until(seconds, loops, async (turn, loop) => {
    const identity = `raw-${turn}`
    const at = Date.now() * 1_000
    const hash = hashToken(newToken(systemRandom))
    await writers[loop]?.commit([
      { text: insertIdentity, values: ['connector', identity, at, hash] },
      { text: insertEntry, values: [loop, turn, at, identity, JSON.stringify(origin)] },
    ])
  })
}

const tables = [
  `create table bench_identity (
     connector_id text not null, identity text not null, locked boolean not null,
     reprovision boolean not null default false, devmode boolean not null, activate_until bigint,
     provisioned_at bigint, auth_type text, token_hash text, tags jsonb not null,
     created_at bigint not null, primary key (connector_id, identity))`,
  'create index bench_identity_token on bench_identity (token_hash)',
  `create table bench_entry (
     part smallint not null, seq bigint not null, at bigint not null, business_id text not null,
     connector_id text not null, identity text not null, kind text not null, body text not null,
     primary key (part, seq))`,
]

const insertIdentity = `
  insert into bench_identity (connector_id, identity, locked, devmode, provisioned_at, auth_type,
                              token_hash, tags, created_at)
  values ($1, $2, false, true, $3::bigint, 'token', $4, '[]'::jsonb, $3::bigint)`

const insertEntry = `
  insert into bench_entry (part, seq, at, business_id, connector_id, identity, kind, body)
  values ($1::smallint, $2::bigint, $3::bigint, 'business', 'connector', $4, 'provisioned', $5)`

async function until(
  seconds: number,
  loops: number,
  work: (turn: number, loop: number) => Promise<void>,
): Promise<Made> {
  const before = made
  const start = performance.now()
  const end = start + seconds * 1_000
  const loop = async (_: unknown, at: number) => {
    while (performance.now() < end) await work(made++, at)
  }
  await Promise.all(Array.from({ length: loops }, loop))
  const rows = made - before
  return { rows, perSecond: (rows * 1_000) / (performance.now() - start) }
}

answerParent({ openHttp, activate, openRows, insert }, async () => {
  await Promise.all(writers.map((writer) => writer.close()))
  await database?.close()
  await served?.close()
  await instance?.removeFolder()
})
