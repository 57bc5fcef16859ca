import { int8Array, textArray, type Writer } from '../../../server/src/foundation/database/index.ts'
import { answerParent } from '../frame/child.ts'
import type { Address } from '../frame/engines.ts'
import { type Instance, openInstance } from '../platform/instance.ts'
import { makeSolution, runHandler } from '../platform/solutions.ts'
import { type Called, keepCalling } from './script-work.ts'

/** The keystore from scripts, and the engine's own upserts of rows like its own. */

export type KeystoreCalls = {
  readonly inFlight: number
  readonly seconds: number
  readonly operation: 'set' | 'get' | 'command'
  /** Operations that one handler calls, one after the other. */
  readonly each: number
  /** Solutions that share the calls; each waits for one batcher of the keystore. */
  readonly solutions: number
}

export type Upserts = {
  readonly rows: number
  readonly seconds: number
  readonly writers: number
}

const keys = 10_000

let instance: Instance | undefined
let businessId = ''
let writers: readonly Writer[] = []
let last = 0

async function open({ address, solutions }: { readonly address: Address; solutions: number }) {
  instance = await openInstance(address)
  const { platform } = instance
  businessId = (await platform.accounts.createBusiness({ name: 'Bench' })).id
  for (let at = 0; at < solutions; at += 1) {
    await makeSolution(platform, businessId, `keeper${at}`, { bench_go: asking })
  }
  await platform.database.run(
    `create table bench_keys (
       solution_id text not null, key text not null, kind text not null, body text not null,
       expires_at bigint, primary key (solution_id, key))`,
  )
  writers = Array.from({ length: writersMax }, () => platform.database.writer())
}

const writersMax = 4

const asking = `
  for turn = 1, event.each do
    local key, answer = "key-" .. (event.number * event.each + turn) % ${keys}, nil
    if event.operation == "set" then answer = Keystore.set{key = key, value = "21.5"}
    elseif event.operation == "get" then answer = Keystore.get{key = key}
    else answer = Keystore.command{key = "n" .. key, command = "incr"} end
    if answer.error then error(answer.error) end
  end`

async function run(asked: KeystoreCalls): Promise<Called> {
  const { operation, each, solutions } = asked
  const opened = instance
  if (opened === undefined) throw new Error('not open')
  const called = await keepCalling({ ...asked, asks: true }, () => {
    last += 1
    const id = `keeper${last % solutions}`
    return runHandler(opened.platform, businessId, id, { operation, each, number: last })
  })
  return { ...called, calls: called.calls * each, perSecond: called.perSecond * each }
}

const upsert = `
  insert into bench_keys (solution_id, key, kind, body, expires_at)
  select n.solution_id, n.key, 'string', n.body, n.expires_at
  from unnest($1::text[], $2::text[], $3::text[], $4::bigint[])
    as n (solution_id, key, body, expires_at)
  on conflict (solution_id, key) do update
  set kind = excluded.kind, body = excluded.body, expires_at = excluded.expires_at`

/** As many rows in each transaction, by as many writers at once, as scripts have on their way. */
async function upserts({ rows, seconds, writers: count }: Upserts): Promise<Called> {
  const called = await keepCalling({ inFlight: count, seconds, asks: false }, async (at) => {
    const numbers = Array.from({ length: rows }, () => {
      last += 1
      return last % keys
    })
    const values = [
      textArray(numbers.map(() => `keeper${at}`)),
      textArray(numbers.map((one) => `key-${one}`)),
      textArray(numbers.map(() => '"21.5"')),
      int8Array(numbers.map(() => null)),
    ]
    await writers[at]?.commit([{ text: upsert, values }])
  })
  return { ...called, calls: called.calls * rows, perSecond: called.perSecond * rows }
}

answerParent({ open, run, upserts }, async () => {
  await Promise.all(writers.map((writer) => writer.close()))
  await instance?.platform.close()
  await instance?.removeFolder()
})
