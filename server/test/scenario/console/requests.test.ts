import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { it } from 'node:test'
import { ApiError } from '@millrace/client'
import { listAssets } from '../../../../console/app/api/assets.ts'
import { type Client, createPageClient } from '../../../../console/app/api/client.ts'
import {
  changeConnector,
  changeResources,
  listConnectors,
} from '../../../../console/app/api/connectors.ts'
import {
  listDevices,
  putDevice,
  readDevice,
  removeDevice,
} from '../../../../console/app/api/devices.ts'
import { signIn, signOut } from '../../../../console/app/api/people/sessions.ts'
import { readAsset, readCourse } from '../../../../console/app/api/signals.ts'
import { updateConnectorForm } from '../../../../console/app/generated/forms.ts'
import { actionsIn, deviceActions } from '../../../../console/app/ui/devices/device-actions.ts'
import { changedPart, shownAt, type Typed } from '../../../../console/app/ui/forms.ts'
import { type Feed, LogFeed } from '../../../../console/app/ui/log-feed.ts'
import { wholeView } from '../../../src/people/groups/index.ts'
import { waitMsMax } from '../../fixtures/bounds.ts'
import { atEnd } from '../../fixtures/ends.ts'
import { type TestPlatform, testPlatform } from '../../fixtures/platform.ts'
import { activate, newDevice } from '../../fixtures/wire/device.ts'
import { relayTo } from '../../fixtures/wire/relay.ts'

// The console's own requests, sent to the real server.

async function signedIn({ httpUrl, account }: TestPlatform): Promise<Client> {
  return signedInAs(httpUrl, account)
}

type User = { readonly email: string; readonly password: string }

async function signedInAs(url: string, { email, password }: User): Promise<Client> {
  const { origin } = new URL(url)
  const { token } = await signIn(createPageClient({ origin }), { email, password })
  return createPageClient({ origin, token })
}

const withCode = (code: string) => (error: unknown) =>
  error instanceof ApiError && error.code === code && error.message !== ''

const never = new AbortController().signal

/** A device `pump.7` that wrote two temperatures, and the asset of it. */
async function writtenPump(millrace: TestPlatform) {
  const { platform, businessId, connector, httpUrl } = millrace
  const device = await newDevice(httpUrl, connector.id, 'pump.7')
  const made = await platform.assets.create(wholeView(businessId), {
    name: 'Pump 7',
    device: { connectorId: connector.id, identity: 'pump.7' },
    signals: [
      {
        name: 'Heat',
        primitiveType: 'NUMERIC',
        dataType: 'TEMPERATURE',
        dataUnit: 'DEG_CELSIUS',
        source: { alias: 'temperature' },
      },
    ],
  })
  for (const value of ['20.5', '21.5']) await device.write(`temperature=${value}`)
  await platform.pipelines.caughtUp()
  return made.id
}

it('shows the console what a device wrote', async (t) => {
  const millrace = await testPlatform(t)
  const { connector } = millrace
  const client = await signedIn(millrace)
  await writtenPump(millrace)
  const [shown] = await listConnectors(client)
  assert.equal(shown?.fqdn, `${connector.id}.localhost`)
  assert.equal(shown?.protocol.devmode, true)
  assert.equal(shown?.provisioning.generate_identity, true)
  assert.deepEqual(shown?.resources.temperature?.format, 'number')

  const found = await readDevice(client, connector.id, 'pump.7')
  assert.equal(found.status, 'devmode')
  assert.equal(found.state.temperature?.reported, '21.5')
  assert.equal(found.state.temperature?.set, '21.5')
})

it('shows the console an asset, as far as the course of a signal', async (t) => {
  const millrace = await testPlatform(t)
  const client = await signedIn(millrace)
  const id = await writtenPump(millrace)
  const { assetCount, assets } = await listAssets(client, { limit: 50, offset: 0 })
  assert.equal(assetCount, 1)
  assert.deepEqual(assets, [
    {
      id,
      name: 'Pump 7',
      locked: false,
      group: assets[0]?.group ?? null,
      device: { connectorId: millrace.connector.id, identity: 'pump.7' },
      status: { level: 'normal', since: null, timeout: false },
    },
  ])

  const asset = await readAsset(client, id, true)
  const [signal] = asset?.signals ?? []
  assert.equal(signal?.lastValue?.value, 21.5)
  assert.deepEqual(signal?.source, { alias: 'temperature', channel: null, linkId: null })
  const nowMs = Date.now()
  const range = { fromMs: nowMs - 86_400_000, toMs: nowMs + 86_400_000 }
  const how = { every: '1w', aggregate: 'max', unit: 'DEG_FAHRENHEIT', compares: true } as const
  const course = await readCourse(client, signal?.id ?? '', { ...range, ...how }, never)
  assert.deepEqual(course.now.at(-1)?.value, 70.7)
  assert.deepEqual(course.before, [])
})

it('finds identities for the console by the text that was typed, not by a pattern', async (t) => {
  const millrace = await testPlatform(t)
  const client = await signedIn(millrace)
  for (const identity of ['a.b', 'axb', 'c']) {
    await newDevice(millrace.httpUrl, millrace.connector.id, identity)
  }
  const find = async (text: string, limit = 50) => {
    const page = await listDevices(client, millrace.connector.id, { limit, text })
    return { names: page.devices.map(({ identity }) => identity).sort(), more: page.mayLoadMore }
  }
  assert.deepEqual(await find('a.b'), { names: ['a.b'], more: false })
  assert.deepEqual(await find('x'), { names: ['axb'], more: false })
  assert.deepEqual(await find('+'), { names: [], more: false })
  assert.deepEqual((await find('')).names, ['a.b', 'axb', 'c'])
  assert.equal((await find('', 2)).more, true)
})

it('returns each refusal to the console by its code', async (t) => {
  const millrace = await testPlatform(t)
  const { platform, businessId, connector, account, httpUrl } = millrace
  const client = await signedIn(millrace)
  const wrong = signedInAs(httpUrl, { email: account.email, password: 'wrong' })
  await assert.rejects(wrong, withCode('unknown_credential'))
  await assert.rejects(readDevice(client, connector.id, 'nobody'), withCode('unknown_identity'))
  assert.equal(await readAsset(client, 'nothing', true), null)

  const operator = { email: 'operator@example.com', password: 'a long enough phrase' }
  await platform.accounts.createUser(businessId, { ...operator, role: 'Operator' })
  const other = await signedInAs(httpUrl, operator)
  await assert.rejects(listConnectors(other), withCode('forbidden'))
  assert.equal((await listAssets(other, { limit: 1, offset: 0 })).assetCount, 0)

  await signOut(client)
  await assert.rejects(listConnectors(client), withCode('unknown_credential'))
  await assert.rejects(listAssets(client, { limit: 1, offset: 0 }), withCode('unknown_credential'))
})

it('reports to the console when nothing answers, or another server', async (t) => {
  const proxy = createServer((_, response) => response.end('<html>a proxy</html>'))
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  atEnd(t, async () => void proxy.close())
  const origin = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  const client = createPageClient({ origin })
  await assert.rejects(listConnectors(client), withCode('not_an_api'))
  await assert.rejects(listAssets(client, { limit: 1, offset: 0 }), withCode('not_an_api'))
  await new Promise((resolve) => {
    proxy.close(resolve)
    proxy.closeAllConnections()
  })
  await assert.rejects(listConnectors(client), withCode('unreachable'))
})

/** Resolves when the feed is as wanted. @throws Error after a bound. */
async function until(feed: LogFeed, isSo: (now: Feed) => boolean): Promise<Feed> {
  const bound = AbortSignal.timeout(waitMsMax)
  return new Promise((resolve, reject) => {
    const look = () => {
      if (!isSo(feed.current())) return
      leave()
      resolve(feed.current())
    }
    const leave = feed.subscribe(look)
    bound.addEventListener('abort', () => reject(new Error(JSON.stringify(feed.current()))))
    look()
  })
}

const hasLine = (text: string) => (now: Feed) =>
  now.lines.some(({ message }) => message.includes(text))

it('shows the console the log of a connector as it comes, refusals with a reason', async (t) => {
  const millrace = await testPlatform(t)
  const { connector, httpUrl } = millrace
  const client = await signedIn(millrace)
  const device = await newDevice(httpUrl, connector.id, 'pump.7')
  await device.write('temperature=20.5')

  const follow = (filter: ConstructorParameters<typeof LogFeed>[1]['filter']) => {
    const feed = new LogFeed(client, { connectorId: connector.id, filter })
    atEnd(t, feed.stop)
    feed.start()
    return feed
  }
  const all = follow({ identity: '', types: [] })
  const refusals = follow({ identity: 'pump.7', types: ['refusal'] })
  await until(all, hasLine('temperature=20.5'))
  await until(refusals, ({ state, loaded }) => state === 'live' && loaded)
  all.setPaused(true)
  await device.write('temperature=21.5')
  await until(all, ({ waiting }) => waiting > 0)
  assert.equal(hasLine('temperature=21.5')(all.current()), false)
  all.setPaused(false)
  const { lines } = await until(all, hasLine('temperature=21.5'))
  assert.deepEqual(
    lines.filter(({ type }) => type === 'write').map(({ message }) => message),
    ['Wrote temperature=21.5.', 'Wrote temperature=20.5.'],
  )

  await activate(httpUrl, `${connector.id}.localhost`, 'pump.7')
  const refused = await until(refusals, ({ lines: [first] }) => first !== undefined)
  assert.equal(refused.lines[0]?.code, 'already_activated')
  assert.equal(refused.lines.length, 1)
})

it("follows the console's log over a broken connection without losing a line", async (t) => {
  const millrace = await testPlatform(t)
  const { connector, httpUrl } = millrace
  const device = await newDevice(httpUrl, connector.id, 'pump.7')
  await device.write('temperature=1')
  const relay = await relayTo(t, httpUrl)
  const client = await signedInAs(relay.origin, millrace.account)
  const filter = { identity: '', types: ['write'] as const }
  const feed = new LogFeed(client, { connectorId: connector.id, filter })
  atEnd(t, feed.stop)
  feed.start()
  await until(feed, ({ state, loaded }) => state === 'live' && loaded)

  relay.cut()
  await until(feed, ({ state }) => state === 'reconnecting')
  for (const value of ['2', '3']) await device.write(`temperature=${value}`)
  const { state, lines } = await until(feed, hasLine('temperature=3.'))
  assert.equal(state, 'live')
  assert.deepEqual(
    lines.map(({ message }) => message),
    ['Wrote temperature=3.', 'Wrote temperature=2.', 'Wrote temperature=1.'],
  )
})

it('reports to the console that its log stopped, and why, when the session ends', async (t) => {
  const millrace = await testPlatform(t)
  const client = await signedIn(millrace)
  const filter = { identity: '', types: [] }
  const feed = new LogFeed(client, { connectorId: millrace.connector.id, filter })
  atEnd(t, feed.stop)
  feed.start()
  await until(feed, ({ state, loaded }) => state === 'live' && loaded)
  await signOut(client)
  const { problem } = await until(feed, ({ state }) => state === 'stopped')
  assert(withCode('unknown_credential')(problem))

  const nowhere = new LogFeed(await signedIn(millrace), { connectorId: 'nowhere', filter })
  nowhere.start()
  const refused = await until(nowhere, ({ state }) => state === 'stopped')
  assert(withCode('not_found')(refused.problem))
})

it('takes from the console what was changed of the settings, and nothing else', async (t) => {
  const millrace = await testPlatform(t)
  const client = await signedIn(millrace)
  const [connector] = await listConnectors(client)
  assert(connector)
  assert.equal(changedPart(connector, { name: connector.name }, updateConnectorForm), undefined)
  const typed = {
    name: 'Pumps',
    'provisioning.enabled': false,
    'identity_format.prefix': 'P-',
    'identity_format.options.length': '4',
    'identity_format.options.casing': 'upper',
    'provisioning.ip_whitelisting.enabled': true,
    'provisioning.ip_whitelisting.allowed': '10.0.0.0/8\n\n ::1 \n',
    'provisioning.reprovision.policy': 'never',
    'provisioning.identities_max': '50',
    'provisioning.registrations_per_minute': ' 10 ',
  }
  const part = changedPart(connector, typed, updateConnectorForm)
  assert.deepEqual(part, {
    name: 'Pumps',
    identity_format: { prefix: 'P-', options: { casing: 'upper' as const, length: 4 } },
    provisioning: {
      enabled: false,
      ip_whitelisting: { enabled: true, allowed: ['10.0.0.0/8', '::1'] },
      reprovision: { policy: 'never' as const },
      identities_max: 50,
      registrations_per_minute: 10,
    },
  })
  const changed = await changeConnector(client, connector.id, part)
  const kept = {
    ...typed,
    'provisioning.ip_whitelisting.allowed': '10.0.0.0/8\n::1',
    'provisioning.registrations_per_minute': '10',
  }
  for (const [path, value] of Object.entries(kept)) assert.equal(shownAt(changed, path), value)
  assert.deepEqual(changed.resources, connector.resources)
})

it('reports to the console which of the settings is wrong', async (t) => {
  const millrace = await testPlatform(t)
  const client = await signedIn(millrace)
  const [connector] = await listConnectors(client)
  assert(connector)
  const length = 'identity_format.options.length'
  const change = (typed: Typed, of = connector) =>
    changeConnector(client, of.id, changedPart(of, typed, updateConnectorForm) ?? {})
  const set = await change({ [length]: '4' })
  assert.equal(set.identity_format.options.length, 4)
  const freed = await change({ [length]: '' }, set)
  assert.equal(freed.identity_format.options.length, null)

  const refused = (wrong: Typed, sentence: RegExp) => assert.rejects(change(wrong), sentence)
  await refused({ [length]: 'four' }, /identity_format.options.length must be a whole number/)
  const whitelisting = 'provisioning.ip_whitelisting'
  const allowed = '10.0.0.0\n300.1.1.1'
  const restricted = { [`${whitelisting}.enabled`]: true, [`${whitelisting}.allowed`]: allowed }
  await refused(restricted, /ip_whitelisting.allowed .*300\.1\.1\.1/)
  await refused({ name: '' }, /name must not be empty/)
  await refused(
    { 'provisioning.identities_max': '' },
    /provisioning.identities_max must be a whole number/,
  )
})

it('takes from the console resources that are added, defined anew and removed', async (t) => {
  const millrace = await testPlatform(t)
  const client = await signedIn(millrace)
  const { id } = millrace.connector
  const speed = { format: 'number' as const, unit: 'RPM', allowed: ['9-11'], settable: true }
  const change = (resource: Parameters<typeof changeResources>[2]) =>
    changeResources(client, id, resource)
  assert.deepEqual((await change({ speed })).speed, speed)
  assert.equal((await change({ speed: { ...speed, initial: '10' } })).speed?.initial, '10')
  await assert.rejects(change({ speed: { ...speed, allowed: ['9-'] } }), /resources.speed.allowed/)
  assert.equal((await change({ speed: null })).speed, undefined)
})

it('offers on the console the actions that a state allows, each of which does it', async (t) => {
  const millrace = await testPlatform(t, { own: 'moves the clock' })
  const { connector, httpUrl } = millrace
  const client = await signedIn(millrace)
  const of = (identity: string) => readDevice(client, connector.id, identity)
  const act = async (identity: string, name: string) => {
    const { status } = await of(identity)
    const action = actionsIn(status).find((one) => one.name === name)
    assert(action, `${name} is not offered for ${status}`)
    return (await putDevice(client, connector.id, identity, action.part)).status
  }
  await putDevice(client, connector.id, 'new', {})
  await newDevice(httpUrl, connector.id, 'old')
  assert.equal((await of('new')).status, 'whitelisted')
  assert.equal(await act('new', 'Lock'), 'locked')
  assert.equal(await act('new', 'Unlock'), 'whitelisted')
  assert.equal(await act('old', 'Allow re-provisioning'), 'reprovision')
  assert.equal(await act('old', 'Lock'), 'locked')
  assert.equal(await act('old', 'Unlock'), 'reprovision')
  assert.equal(await act('old', 'Withdraw re-provisioning'), 'devmode')
  millrace.clock.advance(49 * 3_600_000)
  const fresh = await signedIn(millrace)
  assert.equal((await readDevice(fresh, connector.id, 'new')).status, 'expired')
  const [another] = actionsIn('expired').filter(({ part }) => Object.keys(part).length === 0)
  assert.equal(
    (await putDevice(fresh, connector.id, 'new', another?.part ?? {})).status,
    'whitelisted',
  )
  assert.deepEqual(
    deviceActions.filter(({ in: states }) => states.length === 0),
    [],
  )
  await removeDevice(fresh, connector.id, 'new')
  await assert.rejects(readDevice(fresh, connector.id, 'new'), withCode('unknown_identity'))
})
