import { int8Array, textArray, type Writer } from '../../../server/src/foundation/database/index.ts'
import { limits } from '../../../server/src/foundation/kernel/index.ts'
import type { Entry } from '../../../server/src/log/eventlog/index.ts'
import { answerParent } from '../frame/child.ts'
import type { Address } from '../frame/engines.ts'
import { type Fleet, type Instance, makeFleet, openInstance } from './instance.ts'

/** The commits of the engine when nothing else stands before it: no HTTP, no consumer. */

export type OpenCommits = { readonly address: Address; readonly devices: number }
export type Commits = { readonly writers: number; readonly seconds: number }
export type Committed = { readonly perSecond: number; readonly rows: number }

let instance: Instance | undefined
let fleet: Fleet | undefined
let writers: readonly Writer[] = []
let lastSeq = 0

async function open({ address, devices }: OpenCommits): Promise<void> {
  instance = await openInstance(address)
  const { database } = instance.platform
  fleet = await makeFleet(instance.platform, devices)
  await database.run(
    `create table bench_entry (
       part smallint not null, seq bigint not null, at bigint not null, business_id text not null,
       connector_id text not null, identity text not null, kind text not null, body text not null,
       primary key (part, seq))`,
  )
  writers = Array.from({ length: limits.logPartitions }, () => database.writer())
}

/** Appends like the device API, with the same statements and effects, from so many writers. */
async function append({ writers: count, seconds }: Commits): Promise<Committed> {
  const log = instance?.platform.eventlog
  return until(seconds, count, async (turn) => {
    await log?.append(makeEntry(turn))
    return 1
  })
}

/** Plain batched inserts, as many rows on their way as `append` has, a connection a partition. */
async function insert({ writers: count, seconds }: Commits): Promise<Committed> {
  const size = Math.ceil(count / limits.logPartitions)
  return until(seconds, writers.length, async (turn, part) => {
    const entries = Array.from({ length: size }, (_, at) => makeEntry(turn * size + at))
    await writers[part]?.commit([{ text: insertText, values: [part, ...toColumns(entries)] }])
    return size
  })
}

const insertText = `
  insert into bench_entry (part, seq, at, business_id, connector_id, identity, kind, body)
  select $1::smallint, seq, at, business_id, connector_id, identity, kind, body
  from unnest($2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::text[],
              $8::text[])
         as e (seq, at, business_id, connector_id, identity, kind, body)`

function toColumns(entries: readonly Entry[]): Buffer[] {
  const numbers = entries.map(() => {
    lastSeq += 1
    return lastSeq
  })
  return [
    int8Array(numbers),
    int8Array(entries.map((entry) => entry.at)),
    textArray(entries.map((entry) => entry.businessId)),
    textArray(entries.map((entry) => entry.connectorId)),
    textArray(entries.map((entry) => entry.identity)),
    textArray(entries.map((entry) => entry.kind)),
    textArray(entries.map((entry) => JSON.stringify(entry.body))),
  ]
}

function makeEntry(turn: number): Entry {
  const { businessId = '', connectorId = '', identities = [] } = fleet ?? {}
  const at = instance?.platform.clock.nowUs() ?? 0
  return {
    ...{ businessId, connectorId, kind: 'write', at },
    identity: identities[turn % identities.length] ?? '',
    body: {
      ip: '127.0.0.1',
      protocol: 'http',
      payload: [{ timestamp: at, values: { temperature: '21.5' } }],
    },
  }
}

/** Runs `work` in so many loops until the time is up. `work` says how many rows it committed. */
async function until(
  seconds: number,
  loops: number,
  work: (turn: number, loop: number) => Promise<number>,
): Promise<Committed> {
  const start = performance.now()
  const end = start + seconds * 1_000
  let turn = 0
  let rows = 0
  const loop = async (_: unknown, at: number) => {
    while (performance.now() < end) {
      const committed = await work(turn++, at)
      rows += committed
    }
  }
  await Promise.all(Array.from({ length: loops }, loop))
  return { perSecond: (rows * 1_000) / (performance.now() - start), rows }
}

answerParent({ open, append, insert }, async () => {
  await Promise.all(writers.map((writer) => writer.close()))
  await instance?.platform.close()
  await instance?.removeFolder()
})
