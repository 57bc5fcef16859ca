import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { before, describe, it } from 'node:test'
import { wholeView } from '../../src/people/groups/index.ts'
import { until } from '../fixtures/interface.ts'
import { type NotificationFixture, notificationFixture } from '../fixtures/notification.ts'
import { allRun, fakeModule, insight, module } from '../fixtures/pipelines.ts'
import { pastePage, readersFolder } from '../fixtures/processes/page.ts'
import { assertStatus } from '../fixtures/solutions.ts'
import { suiteContext } from '../fixtures/suite.ts'
import { newDevice } from '../fixtures/wire/device.ts'

const tools = ['bash', 'curl', 'awk', 'sed']
const missing = tools.filter((tool) => spawnSync(tool, ['--version']).error !== undefined)
const skip = missing.length > 0 && `not installed: ${missing.join(', ')}`

describe('docs/operating/failures.md, pasted where each stage has failures', { skip }, () => {
  const suite = suiteContext()
  let fixture: NotificationFixture
  let stdout: string
  let stages: Readonly<Record<string, number>>
  let signalId: string

  before(async () => {
    const metrics = { host: '127.0.0.1', port: 0 }
    fixture = await notificationFixture(suite, {
      own: 'has a metrics listener',
      config: { metrics },
    })
    const { httpUrl, metricsUrl = '', token, otherProcess, operatorDir } = fixture.millrace
    signalId = await failEverywhere(fixture, suite)
    stages = await readCounts(fixture)
    const folder = await readersFolder(suite)
    const own = { METRICS: metricsUrl, MILLRACE: httpUrl, TOKEN: token }
    const operator = { MILLRACE_DATA: operatorDir, MILLRACE_URL: '', MILLRACE_TOKEN: '' }
    const settings = { ...(await otherProcess()), ...operator, ...own }
    const ran = await pastePage('../operating/failures.md', { folder, settings })
    stdout = ran.stdout
  })

  it('begins with failures of each stage that a user can make fail', () => {
    const failed = Object.keys(stages).filter((stage) => stages[stage] !== 0)
    assert.deepEqual(failed, ['values', 'functions.calls', 'deliveries', 'notifications'])
  })

  it('shows how many failed, and each with its input and reason', () => {
    for (const stage of ['values', 'functions.calls', 'deliveries', 'notifications']) {
      const name = stage.replace('.', '\\.')
      assert.match(stdout, new RegExp(`^millrace_ledger_entries\\{.*stage="${name}".* [1-9]`, 'm'))
      assert.match(stdout, new RegExp(`^${name} +[12]$`, 'm'))
    }
    assert.match(stdout, /^values {2}\S+ {2}\S+ {2}connector \S+ device pump-1 {2}.*data_in/m)
    assert.match(stdout, /^\{"failures":\[\{"stage":"values"/m)
    assert.match(stdout, /^functions\.calls {2}.* {2}The module answered 500: no$/m)
    assert.match(stdout, /^deliveries {2}.* solution pump event event {2}.*no pump is broken/m)
    assert.match(stdout, /^notifications {2}.* solution pump notification NT\w{32} {2}/m)
  })

  it('corrects a message, sends others again and discards the rest', async () => {
    assert.match(stdout, /^\d+-\d+ is sent again$/m)
    assert.match(stdout, /^\d+ are sent again$/m)
    assert.match(stdout, /^\S+ is discarded$/m)
    assert.match(stdout, /^1 are discarded$/m)
    await allRun(fixture.millrace.platform)
    const history = await fixture.millrace.platform.assets.history(
      wholeView(fixture.businessId),
      signalId,
    )
    assert.deepEqual(
      history.map(({ value }) => value),
      [21.5, 20],
    )
    const { values, notifications } = await readCounts(fixture)
    assert.deepEqual({ values, notifications }, { values: 0, notifications: 0 })
  })

  it('ends with a ledger that adds up', () => {
    assert.match(stdout, /^Every message is accounted for\.$/m)
  })
})

const failing = `
local point = event.payload[1]
if point and string.find(point.values.data_in or "", "broken") then error("no pump is broken") end`

async function failEverywhere(fixture: NotificationFixture, suite: Suite): Promise<string> {
  const { platform, businessId, connector, httpUrl } = fixture.millrace
  const service = { 'services/device2.yaml': `service: ${connector.id}\n` }
  assertStatus(await fixture.push({ 'device2_event.lua': failing, ...service }), 200)
  const device = await newDevice(httpUrl, connector.id, 'pump-1')
  const view = wholeView(businessId)
  const source = { alias: 'data_in', channel: '001' }
  const asset = await platform.assets.create(view, {
    name: 'Pump',
    device: { connectorId: connector.id, identity: 'pump-1' },
    signals: [{ name: 'L', primitiveType: 'NUMERIC', source }],
  })
  const [signal] = await platform.assets.signals.ofAssets(view, [asset.id])
  const fake = await fakeModule(suite, {
    ...module([insight('f')]),
    'POST /process': (response) => void response.writeHead(500).end('{"message":"no"}'),
    'POST /message': (response) => void response.writeHead(400).end('no'),
  })
  const { id: moduleId } = await platform.pipelines.modules.add(businessId, { url: fake.url })
  const inlets = [{ signalId: signal?.id ?? '' }]
  const link = { assetId: asset.id, moduleId, functionId: 'f', inlets }
  await platform.pipelines.links.create(view, link)
  // The page corrects the newest.
  for (const text of ['{"001":20}', 'broken', '{"001":}']) {
    assert.equal((await device.write(`data_in=${text}`)).status, 204)
  }
  const sms = {
    provider: 'webhook',
    Url: `${fake.url}/message`,
    Secret: 'whsec_c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0',
  }
  await fixture.subscribe('pump', 'notification', { Providers: { sms } })
  await fixture.bind('sms')
  const { sid } = await fixture.call('send', {
    Identity: 'ann',
    Body: 'b',
    Sms: { from: '+15550009999' },
  })
  await fixture.settled(sid)
  await until(
    () => readCounts(fixture),
    ({ values, deliveries, 'functions.calls': calls }) =>
      values === 2 && deliveries === 1 && calls === 1,
  )
  return signal?.id ?? ''
}

async function readCounts({ ask }: NotificationFixture): Promise<Readonly<Record<string, number>>> {
  const answer = await ask('GET', '/failures/count')
  assertStatus(answer, 200)
  return answer.json.stages
}

type Suite = ReturnType<typeof suiteContext>
