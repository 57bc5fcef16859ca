import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { createContext, Script } from 'node:vm'
import { Redis } from 'ioredis'
import { createLogger } from '../../../server/src/foundation/kernel/index.ts'
import { createScriptHost } from '../../../server/src/scripts/scripting/runtime/create-host.ts'
import type { ScriptHost } from '../../../server/src/scripts/scripting/runtime/host.ts'
import { answerParent } from '../frame/child.ts'
import {
  type Called,
  type Calls,
  event,
  keepCalling,
  program,
  redisScripts,
  result,
  vmSource,
} from './script-work.ts'

/** A side of the bench of calls: the host, node:vm, or Redis. */

const callsPerSecondInC = 50_000

const logger = createLogger('warn')
let host: ScriptHost | undefined
let clients: Redis[] = []

/** Answers in a turn of its own, as what waits for a socket does. */
function later(): Promise<{ value: string }> {
  return new Promise((resolve) => setImmediate(resolve, { value: 'kept' }))
}

async function callHost(asked: Calls): Promise<Called> {
  host ??= createScriptHost({ hooks: { callService: later, log: () => {} }, logger })
  const opened = host
  const context = { solution_id: 'bench', tracking_id: 't', service: 'bench' }
  const handler = asked.asks ? 'ask' : 'handle'
  const call = async () => {
    const end = await opened.call(program, { handler, args: [event], context, depth: 0 })
    if (end.kind !== 'returned') throw new Error(end.error.error)
    return end.value
  }
  check(await call())
  return keepCalling(asked, call)
}

/** Each call under a time-out, in one context; what it awaits afterwards has none. */
async function callVm(asked: Calls): Promise<Called> {
  const sandbox = createContext({ event, get: later })
  new Script(vmSource).runInContext(sandbox)
  const script = new Script(asked.asks ? 'ask(event)' : 'handle(event)')
  const call = async () => script.runInContext(sandbox, { timeout: 1_000 })
  check(await call())
  return keepCalling(asked, call)
}

export type RedisCalls = Calls & { readonly connections: number }

async function callRedis(asked: RedisCalls): Promise<Called & { readonly serverCpuUs: number }> {
  const opened = await connections(asked.connections)
  const [first] = opened
  assert(first !== undefined)
  const sha = await load(first, asked)
  const call = async (slot: number) => {
    const client = opened[slot % asked.connections]
    const text = await client?.evalsha(sha, 1, 'bench:k', JSON.stringify(event))
    return JSON.parse(String(text))
  }
  check(await call(0))
  const before = await serverCpuUs(first)
  const called = await keepCalling(asked, call)
  return { ...called, serverCpuUs: (await serverCpuUs(first)) - before }
}

/** Redis's own measure: no JSON is made or read by its client, which is written in C. */
async function callRedisInC(asked: Calls): Promise<Called> {
  const [first] = await connections(1)
  assert(first !== undefined)
  const script = ['EVALSHA', await load(first, asked), '1', 'bench:k', JSON.stringify(event)]
  const calls = Math.ceil(callsPerSecondInC * asked.seconds)
  const options = ['-c', String(asked.inFlight), '-n', String(calls), '--csv', ...script]
  const { stdout } = await promisify(execFile)('redis-benchmark', options)
  // "test","rps","avg","min","p50","p95","p99","max", the test's name being the script's call.
  const [perSecond, , , p50Ms, , p99Ms] = (stdout.trim().split('\n').at(-1) ?? '')
    .slice(1, -1)
    .split('","')
    .slice(-7)
    .map(Number)
  assert(perSecond !== undefined && p50Ms !== undefined && p99Ms !== undefined)
  return { calls, perSecond, p50Ms, p99Ms }
}

async function load(client: Redis, { asks }: Calls): Promise<string> {
  return String(await client.script('LOAD', redisScripts[asks ? 'ask' : 'handle']))
}

async function connections(count: number): Promise<readonly Redis[]> {
  while (clients.length < count) {
    const client = new Redis({ host: '127.0.0.1', port: 6379, lazyConnect: true })
    await client.connect()
    clients.push(client)
  }
  return clients
}

async function serverCpuUs(client: Redis): Promise<number> {
  const info = await client.info('cpu')
  const part = (name: string) => Number(new RegExp(`used_cpu_${name}:([\\d.]+)`).exec(info)?.[1])
  return (part('sys') + part('user')) * 1_000_000
}

/** Returns whether a Redis is here to be compared with. */
async function findRedis(): Promise<boolean> {
  const client = new Redis({
    ...{ host: '127.0.0.1', port: 6379, lazyConnect: true, connectTimeout: 2_000 },
    retryStrategy: () => null,
  })
  client.on('error', () => {})
  const found = await client.connect().then(
    () => true,
    () => false,
  )
  client.disconnect()
  return found
}

function check(value: unknown): void {
  assert.deepEqual(JSON.parse(JSON.stringify(value)), result)
}

answerParent({ callHost, callVm, callRedis, callRedisInC, findRedis }, async () => {
  for (const client of clients) client.disconnect()
  clients = []
  await host?.close()
})
