import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { type TestContext, test } from 'node:test'
import type { Insight } from '@millrace/insight-sdk/protocol'
import { until } from '../../../../test/fixtures/engine.ts'
import {
  type FakeModule,
  fakeModule,
  insight,
  module,
} from '../../../../test/fixtures/pipelines.ts'
import { testSecrets } from '../../../../test/fixtures/secrets.ts'
import type { Database } from '../../../foundation/database/index.ts'
import { createLogger, systemClock, systemRandom } from '../../../foundation/kernel/index.ts'
import { createOutbound } from '../../../foundation/outbound/index.ts'
import type { Changes } from '../../../log/changes/index.ts'
import { createMarketplace } from '../../marketplace/index.ts'
import { pipelineLimits } from '../limits.ts'
import type { ExternalModule } from '../types.ts'
import { createCallLimits } from './call-limits.ts'
import { createClient } from './client.ts'
import { createHealth } from './health.ts'
import { createSpeed } from './speed.ts'

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
  const clock = systemClock()
  const health = createHealth(clock)
  const callLimits = createCallLimits()
  const { calls } = createMarketplace({
    database: {} as Database,
    changes: {} as Changes,
    secrets: testSecrets(),
    prefixes: [],
    outbound,
    clock,
    random: systemRandom,
  })
  const client = createClient({ calls, health, speed: createSpeed(clock), clock, callLimits })
  const process = (called: ExternalModule) =>
    callLimits.run(called.businessId, [called], () =>
      client.process(called, fn, {
        request,
        trackingId: 'id',
        timeoutMs: null,
        call: { requests: 0, status: null },
      }),
    )
  const processMany = (called: ExternalModule, count: number) =>
    Array.from({ length: count }, () => process(called))
  return { process, processMany, held, fake, other }
}

function moduleAt({ url }: FakeModule, id: string, businessId: string): ExternalModule {
  const process = { method: 'POST', url: `${url}/process`, headers: {} } as const
  const endpoints = () => ({ info: process, insights: process, process })
  const info = { group_id_required: false }
  return {
    id,
    businessId,
    name: id,
    url,
    endpoints,
    info,
    complaints: [],
    simulationSafe: false,
    createdAt: 0,
  }
}

test('calls that waited while a module failed are not sent to it', async (t) => {
  const { processMany, held, fake } = await modulesThatHang(t)
  const most = pipelineLimits.moduleCallsOfModuleMax
  const waiting = 100
  const calls = Promise.allSettled(processMany(moduleAt(fake, 'slow', 'b'), most + waiting))
  await until(async () => held.length >= most)
  fake.answer({ 'POST /process': (response) => void response.writeHead(503).end() })
  for (const response of held) response.writeHead(503).end()
  const ended = await calls
  const reasons = ended.map((one) => (one.status === 'rejected' ? String(one.reason.detail) : ''))
  assert.ok(reasons.every((reason) => /answered 503|rests after|Too many/.test(reason)))
  // Each of the first failures lets one more call begin, until the module rests.
  const sent = fake.bodies('POST /process').length
  assert.ok(sent < most + waiting / 2, `${sent} calls were sent`)
})
