import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { type TestContext, test } from 'node:test'
import type { Insight } from '@millrace/insight-sdk/protocol'
import { until } from '../../../test/fixtures/engine.ts'
import { type FakeModule, fakeModule, insight, module } from '../../../test/fixtures/pipelines.ts'
import { createLogger, limits, systemClock } from '../../kernel/index.ts'
import { createOutbound } from '../../outbound/index.ts'
import type { ExternalModule } from '../types.ts'
import { createClient, type ModuleClient } from './client.ts'
import { endpointsOf } from './endpoints.ts'
import { createHealth } from './health.ts'

const fn = insight('f') as Insight
const request = { id: 'link', data: [], args: { function_id: 'f', constants: {} } }

/** A client of modules that hold the responses of their function until the test ends them. */
async function modulesThatHang(t: TestContext) {
  const held: ServerResponse[] = []
  const fake = await fakeModule(t, module([]))
  fake.answer({ 'POST /process': (response) => void held.push(response) })
  const other = await fakeModule(t, module([]))
  const allow = [fake.host, other.host]
  const outbound = createOutbound({ allow, logger: createLogger('silent') })
  t.after(() => outbound.close())
  const health = createHealth(systemClock())
  return { client: createClient({ outbound, guestOf: () => undefined, health }), held, fake, other }
}

function moduleAt({ url }: FakeModule, id: string, businessId: string): ExternalModule {
  const endpoints = endpointsOf(url, undefined, businessId)
  const info = { group_id_required: false }
  return { id, businessId, name: id, url, endpoints, info, complaints: [], createdAt: 0 }
}

function processMany(client: ModuleClient, called: ExternalModule, count: number) {
  return Array.from({ length: count }, () => client.process(called, fn, request))
}

test('a module that hangs leaves room for the others of its business', async (t) => {
  const { client, held, fake, other } = await modulesThatHang(t)
  const most = limits.moduleCallsOfModuleMax
  const calls = processMany(client, moduleAt(fake, 'slow', 'b'), most + 2)
  assert.deepEqual((await client.process(moduleAt(other, 'quick', 'b'), fn, request)).value, [[]])
  await until(async () => held.length >= most)
  assert.equal(held.length, most)
  fake.answer({ 'POST /process': [[]] })
  for (const response of held) response.end('[[]]')
  assert.equal((await Promise.all(calls)).length, most + 2)
})

test('a business whose modules hang leaves room for other businesses', async (t) => {
  const { client, held, fake, other } = await modulesThatHang(t)
  const most = limits.moduleCallsOfBusinessMax
  const half = most / 2
  const calls = ['one', 'two', 'three'].flatMap((id) =>
    processMany(client, moduleAt(fake, id, 'b'), half),
  )
  assert.deepEqual((await client.process(moduleAt(other, 'quick', 'c'), fn, request)).value, [[]])
  await until(async () => held.length >= most)
  assert.equal(held.length, most)
  fake.answer({ 'POST /process': [[]] })
  for (const response of held) response.end('[[]]')
  assert.equal((await Promise.all(calls)).length, 3 * half)
})

test('calls that waited while a module failed are not sent to it', async (t) => {
  const { client, held, fake } = await modulesThatHang(t)
  const most = limits.moduleCallsOfModuleMax
  const waiting = 100
  const calls = processMany(client, moduleAt(fake, 'slow', 'b'), most + waiting)
  await until(async () => held.length >= most)
  fake.answer({ 'POST /process': (response) => void response.writeHead(503).end() })
  for (const response of held) response.writeHead(503).end()
  const ended = await Promise.allSettled(calls)
  const reasons = ended.map((one) => (one.status === 'rejected' ? String(one.reason.detail) : ''))
  assert.ok(reasons.every((reason) => /answered 503|rests after/.test(reason)))
  assert.match(reasons.at(-1) ?? '', /rests after/)
  // Each of the first failures lets one more call begin, until the module rests.
  const sent = fake.bodies('POST /process').length
  assert.ok(sent < most + waiting / 2, `${sent} calls were sent`)
})
