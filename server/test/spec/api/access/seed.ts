import assert from 'node:assert/strict'
import { contracts } from '../../../../src/api/management/index.ts'
import { wholeView } from '../../../../src/people/groups/index.ts'
import { until } from '../../../fixtures/interface.ts'
import { apnToken, serviceSid } from '../../../fixtures/notification.ts'
import { allRun, fakeModule, insight, module } from '../../../fixtures/pipelines.ts'
import { type TestPlatform, type testPlatform, unique } from '../../../fixtures/platform.ts'
import { newDevice } from '../../../fixtures/wire/device.ts'
import { definition } from '../../../fixtures/wire/market.ts'
import { type Given, type Ids, makeRequest } from './requests.ts'

// biome-ignore lint/suspicious/noExplicitAny: a seed reads what it has just made
type Json = any

/** The operations that make what others name, by the names of what they make. */
const makers: readonly (readonly [name: string, operation: string, body?: object])[] = [
  ['connectors/:connector', 'createConnector'],
  ['solution', 'createSolution', { id: unique('theirs'), name: 'Theirs' }],
  ['template', 'createTemplate'],
  ['dashboard', 'createDashboard'],
  ['invitation', 'createInvitation', { email: 'invited@acme.example', role: 'Viewer' }],
  ['report', 'createReport'],
  ['content', 'putContent'],
  ['campaign', 'createCampaign', { content: 'theirs.bin', tag: { name: 'floor' } }],
  ['module', 'addModule'],
  ['listing', 'publishListing'],
  ['roles/:role', 'createRole', { name: 'Theirs', permissions: ['View Asset'] }],
  ['oidc', 'setOidc'],
]

const files = {
  'device2_event.lua': 'error("it fails each time")',
  'user_double.lua': 'return event.level * 2',
  'user_send.lua': `return Notification.send{ServiceSid = "${serviceSid}", Identity = "ann",
    Body = "hot"}`,
  'interface_ping.lua': 'return 1',
  'modules/helpers.lua': 'return {}',
  'services/interface.yaml': 'operations: [{name: ping, script: return 1}]',
}

const words: Ids = {
  content: 'theirs.bin',
  'script/:name': 'helpers',
  'static/:file': 'index.html',
  'interface/:operation': 'ping',
  'outbound/:address': '10.0.0.1:80',
  version: '1',
  'built-in module': 'builtin',
  function: 'f',
}

/** Makes what requests name, and two of what a request uses up. @returns the names of all. */
export async function seed(
  context: Parameters<typeof testPlatform>[0],
  instance: TestPlatform,
  given: Ids,
): Promise<Ids> {
  const { platform, businessId, connector, httpUrl, token } = instance
  const ids: Record<string, string> = { ...words, ...given }
  const send = async ({ method, path, body, type }: Given): Promise<Json> => {
    const response = await fetch(`${httpUrl}${path}`, {
      method,
      headers: {
        authorization: `Automation ${token}`,
        'content-type': type ?? 'application/json',
      },
      ...(body !== undefined && { body: type === undefined ? JSON.stringify(body) : String(body) }),
    })
    const text = await response.text()
    assert.ok(response.ok, `${method} ${path}: ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }
  const pump = (method: string, path: string, body?: unknown) =>
    send({ method, path: `/api:1/solution/${ids.solution}${path}`, body })

  const fake = await fakeModule(context, {
    ...module([insight('f')]),
    'GET /api-docs': definition(),
    'POST /process': (response) => void response.writeHead(500).end('{"message":"no"}'),
  })
  ids.url = fake.url
  ids.sender = '@acme.example'
  for (const [name, id, body] of makers) {
    const contract = contracts.find((one) => one.id === id) ?? assert.fail(id)
    const request = makeRequest(contract, ids)
    const made = await send(body === undefined ? request : { ...request, body })
    ids[name] ??= made.id ?? made.name ?? ''
  }
  const services = { 'services/device2.yaml': `service: ${connector.id}` }
  const folder = Object.entries({ ...files, ...services }).map(([path, text]) => ({ path, text }))
  await pump('POST', '/push', { files: folder })
  await pump('PUT', '/static/index.html', '<p>Pump</p>')
  const { items } = await pump('GET', '/serviceconfig')
  ids['serviceconfig/:id'] = items.find((one: Json) => one.service === connector.id).id

  const of = { service_sid: serviceSid, identity: 'ann', endpoint: 'e' }
  const binding = { ...of, binding_type: 'apn', address: apnToken }
  await pump('POST', '/notifications/bindings', { bindings: [binding] })
  ids['bindings/:sid'] = (await pump('GET', '/notifications/bindings')).bindings[0].sid
  await pump('POST', '/run', { service: 'user', event: 'send' })
  ids['notifications/:sid'] = (await pump('GET', '/notifications')).notifications[0].sid

  ids.subscriber = unique('caller')
  const caller = { id: ids.subscriber, name: 'Caller' }
  await platform.scripting.solutions.create(businessId, caller)
  const path = `/api:1/solution/${caller.id}/serviceconfig`
  await send({ method: 'POST', path, body: { service: ids.solution } })

  await fail(instance, ids)
  const { failures } = await pump('GET', '/failures')
  const { calls } = await send({ method: 'GET', path: '/api:1/failed-calls' })
  const stages = await send({ method: 'GET', path: '/api:1/failures?stage=deliveries' })
  ids['failures/:stage'] = 'deliveries'
  for (const [at, end] of ['', ' 1'].entries()) {
    ids[end === '' ? 'failures/:id' : `failure${end}`] = failures[at].id
    ids[end === '' ? 'failed-calls/:id' : `call${end}`] = calls[at].id
    ids[end === '' ? '/:id' : `stage failure${end}`] = stages.failures[at + 2].id
  }
  return ids
}

/** Fails calls of functions, and the handler for each event of a device. */
async function fail({ platform, businessId, connector, httpUrl }: TestPlatform, ids: Ids) {
  const view = wholeView(businessId)
  const device = { connectorId: connector.id, identity: ids.identity ?? '' }
  const source = { alias: 'temperature' }
  const signals = [{ name: 'heat', primitiveType: 'NUMERIC' as const, source }]
  const asset = await platform.assets.create(view, { name: 'fed', device, signals })
  const [signal] = await platform.assets.signals.ofAssets(view, [asset.id])
  const inlets = [{ signalId: signal?.id ?? '' }]
  const given = { assetId: asset.id, moduleId: ids.module ?? '', functionId: 'f', inlets }
  for (const name of ['1', '2', '3'])
    await platform.pipelines.links.create(view, { ...given, name })
  const physical = await newDevice(httpUrl, connector.id, device.identity)
  assert.equal((await physical.write('temperature=1')).status, 204)
  await allRun(platform)
  await platform.scripting.caughtUp()
  // The device's presence is stored a while later.
  await until(
    () => platform.database.rows('select identity from provisioning_presence'),
    ({ length }) => length > 0,
  )
}
