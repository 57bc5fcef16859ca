import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { type Asset, type Assets, createAssets, type Signal } from '../../src/assets/index.ts'
import type { Database } from '../../src/database/index.ts'
import { createEventLog, type EntryKind, type EventLog } from '../../src/eventlog/index.ts'
import {
  type Clock,
  createLogger,
  type Json,
  newId,
  systemClock,
  systemRandom,
} from '../../src/kernel/index.ts'
import { createOutbound, type OutboundCall } from '../../src/outbound/index.ts'
import { createPipelines, type Pipelines } from '../../src/pipelines/index.ts'
import { testDatabase } from './database.ts'

const logger = createLogger(process.env.MILLRACE_TEST_LOG ?? 'silent')

/** What a module heard: `POST /process`, and the body's JSON. */
export type Heard = { readonly call: string; readonly body: unknown; readonly headers: object }

/** How a fake module answers: JSON with 200, or anything through the raw response. */
export type Answer = Json | ((response: ServerResponse, body: unknown) => void | Promise<void>)

/** A module of the test's own on a loopback port. It says nothing that it was not told to say. */
export type FakeModule = {
  readonly host: string
  readonly url: string
  readonly heard: Heard[]
  /** What it answers from now on, by call: `{ 'POST /process': [[]] }`. */
  answer(answers: Readonly<Record<string, Answer>>): void
  /** The bodies of one call, in order. */
  bodies(call: string): unknown[]
  stop(): Promise<void>
}

export async function fakeModule(
  t: Pick<TestContext, 'after'>,
  given: Readonly<Record<string, Answer>> = {},
): Promise<FakeModule> {
  const answers = new Map(Object.entries(given))
  const heard: Heard[] = []
  const server = createServer(async (request, response) => {
    const call = `${request.method} ${request.url}`
    const body = await bodyOf(request)
    heard.push({ call, body, headers: request.headers })
    const answer = answers.get(call)
    if (typeof answer === 'function') await answer(response, body)
    else if (answer === undefined) response.writeHead(404).end('nothing here')
    else response.setHeader('content-type', 'application/json').end(JSON.stringify(answer))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const stop = async () => {
    server.closeAllConnections()
    if (server.listening) await new Promise((resolve) => server.close(resolve))
  }
  t.after(stop)
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    host,
    url: `http://${host}`,
    heard,
    stop,
    answer(more) {
      for (const [call, answer] of Object.entries(more)) answers.set(call, answer)
    },
    bodies: (call) => heard.filter((one) => one.call === call).map((one) => one.body),
  }
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk
  return text === '' ? undefined : JSON.parse(text)
}

/** The fields that a module's function needs, with what a test says of it. */
export function insight(id: string, more: Readonly<Record<string, Json>> = {}): Json {
  const inlet = { name: 'in', primitive_type: 'NUMERIC' }
  const outlet = { name: 'out', primitive_type: 'NUMERIC', suggested_name: '{} out' }
  return {
    id,
    name: `The ${id}`,
    description: '',
    type: 'transform',
    constants: [],
    inlets: [inlet],
    outlets: [outlet],
    ...more,
  }
}

/** The answers of a module that has these functions. */
export function module(functions: readonly Json[], info: Readonly<Record<string, Json>> = {}) {
  const count = functions.length
  return {
    'GET /info': { group_id_required: false, name: 'Fake', ...info },
    'POST /insights': { total: count, count, insights: functions },
    'POST /process': [[]],
  } as Record<string, Answer>
}

export type PipelinesBench = {
  readonly database: Database
  readonly eventlog: EventLog
  readonly assets: Assets
  readonly pipelines: Pipelines
  readonly clock: Clock & { advance(ms: number): void }
  readonly business: string
  readonly other: string
  readonly connectorId: string
  /** What a device says, as the connector would append it. `ts` in microseconds. */
  write(identity: string, values: Readonly<Record<string, string>>, ts?: number): Promise<void>
  say(kind: EntryKind, identity: string, body: object): Promise<void>
  /** An asset with a device of that identity and numeric signals fed by its `data_in`. */
  assetWith(identity: string, channels: readonly string[]): Promise<[Asset, ...Signal[]]>
  /** The asset's log, oldest first. */
  lines(assetId: string): Promise<string[]>
  /** One stage's sums, and proof that all stages add up. */
  stage(name: string): Promise<{ taken: number; done: number; failed: number }>
}

export type BenchOptions = {
  /** Hosts that may be called. */
  readonly allow?: readonly string[]
  /** Cuts the time of each call, so that a time-out is seen in a test. */
  readonly totalMsMax?: number
}

/** Pipelines on a real log, real assets and the real way out; started, and stopped by the test. */
export async function pipelinesBench(
  t: Pick<TestContext, 'after'>,
  { allow = [], totalMsMax }: BenchOptions = {},
): Promise<PipelinesBench> {
  const running: { stop(): Promise<void> }[] = []
  t.after(async () => {
    for (const one of running.reverse()) await one.stop()
  })
  const database = await testDatabase(t)
  const clock = movableClock()
  const random = systemRandom
  const eventlog = await createEventLog({ database, clock, logger, effects: () => [] })
  running.push({ stop: () => eventlog.close() })
  const assets = createAssets({ database, clock, random })
  const outbound = createOutbound({ allow, logger })
  running.push({ stop: () => outbound.close() })
  const call = (one: OutboundCall) =>
    outbound.call(totalMsMax === undefined ? one : { ...one, totalMsMax })
  const services = { database, eventlog, assets, outbound: { call }, clock, random, logger }
  const pipelines = createPipelines(services)
  pipelines.start()
  running.push(pipelines)
  const business = newId(random)
  const connectorId = newId(random)
  const ground = { database, eventlog, assets, pipelines, clock, business, connectorId }
  return { ...ground, other: newId(random), ...verbsOf(ground) }
}

type Ground = Pick<PipelinesBench, 'eventlog' | 'assets' | 'clock' | 'business' | 'connectorId'>

function verbsOf({ eventlog, assets, clock, business, connectorId }: Ground) {
  async function say(kind: EntryKind, identity: string, body: object): Promise<void> {
    const entry = { businessId: business, connectorId, identity, kind, at: clock.nowUs() }
    await eventlog.append({ ...entry, body: JSON.stringify(body) })
  }
  return {
    say,
    write: (identity: string, values: Readonly<Record<string, string>>, ts = clock.nowUs()) =>
      say('write', identity, {
        ip: '127.0.0.1',
        protocol: 'http',
        payload: [{ timestamp: ts, values }],
      }),
    async assetWith(identity: string, channels: readonly string[]) {
      const asset = await assets.create(business, {
        name: identity,
        device: { connectorId, identity },
        signals: channels.map((channel) => ({
          name: channel,
          primitiveType: 'NUMERIC' as const,
          source: { alias: 'data_in', channel },
        })),
      })
      const signals = await assets.signals.ofAssets(business, [asset.id])
      return [asset, ...signals] as [Asset, ...Signal[]]
    },
    async lines(assetId: string) {
      const lines = await assets.logLines(business, assetId)
      return lines.map((line) => `${line.severity} ${line.text}`).reverse()
    },
    async stage(name: string) {
      const { stages, faults } = await eventlog.ledger.verify()
      if (faults.length > 0) throw new Error(faults.join('; '))
      const { taken = 0, done = 0, failed = 0 } = stages.find((one) => one.stage === name) ?? {}
      return { taken, done, failed }
    },
  }
}

function movableClock() {
  const clock = systemClock()
  let aheadMs = 0
  return {
    nowMs: () => clock.nowMs() + aheadMs,
    nowUs: () => clock.nowUs() + aheadMs * 1_000,
    elapsedMs: () => clock.elapsedMs() + aheadMs,
    advance(ms: number) {
      aheadMs += ms
    },
  }
}
