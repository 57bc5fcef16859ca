import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  exampleConnector,
  type OwnPlatform,
  testPlatform,
  unique,
} from '../../../fixtures/platform.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'
import { activate, newDevice, send } from '../../../fixtures/wire/device.ts'

const hourUs = 3_600_000_000
const hourMs = 3_600_000
const form = { 'Content-Type': 'application/x-www-form-urlencoded; charset=utf-8' }
/** The fields of a record that the rows look at. */
type Shown = {
  readonly status: string
  readonly lastip: string | null
  readonly locked: boolean
  readonly tags: unknown
  readonly auth: { readonly expire: number }
}
type State = Readonly<Record<string, { readonly reported: string } | undefined>>

const dataPath = '/vendor:v1/stack/alias'

// Rows that speak of certificates are tests of server/test/tls and of provisioning-csr.test.ts; the
// settings' rows stand in settings-rows.test.ts and pki-settings.test.ts, those of the file in
// csv-columns.test.ts.
let millrace: OwnPlatform
const rows = unique('rows')
const byPassword = unique('passwords')
const byCertificate = unique('certificates')
const open = unique('open')

const shareInstance = sharedBySuites(async (suite) => {
  const settings = { ...exampleConnector, id: rows, selfRegistration: false }
  millrace = await testPlatform(suite, { movesClock: true, connector: settings })
  const { connectors } = millrace.platform.provisioning
  const { businessId } = millrace
  await connectors.create(businessId, { ...settings, id: byPassword, authType: 'password' })
  await connectors.create(businessId, {
    ...settings,
    id: byCertificate,
    authType: 'certificate',
  })
  await connectors.create(businessId, { ...settings, id: open, selfRegistration: true })
})

const manage = (method: string, path: string, body?: object, connector = rows) =>
  fetch(`${millrace.httpUrl}/api:1/service/${connector}/device2/${path}`, {
    method,
    headers: { authorization: millrace.basic, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })

const whitelist = async (identity: string, body: object = { locked: false }, at = rows) => {
  const answer = await manage('PUT', `identity/${identity}`, body, at)
  assert.equal(answer.status, 200, await answer.clone().text())
  return (await answer.json()) as Shown
}

const record = async (identity: string) =>
  (await (await manage('GET', `identity/${identity}`)).json()) as Shown

const post = (host: string, path: string, body: string) =>
  send(millrace.httpUrl, 'POST', path, { Host: `${host}.localhost`, ...form }, body)

const lines = async (identity: string, at = rows) => {
  await millrace.platform.activity.flush()
  const answer = await manage('GET', `logs?identity=${identity}`, undefined, at)
  const { lines: all } = (await answer.json()) as { lines: { type: string }[] }
  return all.map(({ type }) => type)
}

describe('device provisioning: the device identity record', () => {
  shareInstance()

  it('auth.expire: the deadline by which the device must be provisioned', async () => {
    const expire = millrace.clock.nowUs() + hourUs
    const { auth } = await whitelist('expire', { auth: { expire }, locked: false })
    assert.equal(auth.expire, expire)
    millrace.clock.advance(2 * hourMs)
    const late = await activate(millrace.httpUrl, `${rows}.localhost`, 'expire')
    assert.deepEqual([late.status, late.body], [404, 'window_closed'])
  })

  it('locked: sent as false when whitelisting, and a locked one is refused', async () => {
    assert.equal((await whitelist('locked')).locked, false)
    assert.equal((await whitelist('locked', { locked: true })).locked, true)
    const refused = await activate(millrace.httpUrl, `${rows}.localhost`, 'locked')
    assert.deepEqual([refused.status, refused.body], [403, 'locked'])
    assert.equal((await manage('PUT', 'identity/locked', { locked: 'no' })).status, 400)
  })

  it('tags: an array of objects with name and value', async () => {
    const tags = [
      { name: 'group', value: 'north' },
      { name: 'claim', value: '0815' },
    ]
    assert.deepEqual((await whitelist('tags', { locked: false, tags })).tags, tags)
    const odd = await manage('PUT', 'identity/tags', { tags: [{ name: 'group' }] })
    assert.equal(odd.status, 400)
    assert.deepEqual((await record('tags')).tags, tags)
  })
})

describe('device provisioning: states and transitions', () => {
  shareInstance()

  it('(none), whitelist request: whitelisted', async () => {
    assert.equal((await manage('GET', 'identity/new')).status, 404)
    const { status, lastip } = await whitelist('new')
    assert.deepEqual([status, lastip], ['whitelisted', null])
  })

  it('(none), CSV upload: whitelisted, with 48 hours', async () => {
    const body = new FormData()
    body.append('identities', new Blob(['ID\nfrom-csv\n']), 'identities.csv')
    const url = `${millrace.httpUrl}/api:1/service/${rows}/device2/identities`
    const headers = { authorization: millrace.basic }
    const from = millrace.clock.nowUs()
    const answer = await fetch(url, { method: 'POST', headers, body })
    assert.equal(answer.status, 200, await answer.clone().text())
    const { status, auth } = await record('from-csv')
    assert.equal(status, 'whitelisted')
    assert.ok((auth.expire - from) / hourUs >= 48)
  })

  it('whitelisted, activate with id: provisioned, the body carries the token', async () => {
    await whitelist('by-token')
    const answer = await activate(millrace.httpUrl, `${rows}.localhost`, 'by-token')
    assert.equal(answer.status, 200)
    assert.match(answer.body, /^.{40}$/)
    await millrace.platform.provisioning.flush()
    const { status, lastip } = await record('by-token')
    assert.deepEqual([status, lastip], ['devmode', '127.0.0.1'])
  })

  it('whitelisted, activate with id and password: provisioned, response 204', async () => {
    await whitelist('by-password', { locked: false }, byPassword)
    const body = 'id=by-password&password=twenty+bytes+or+more!'
    const answer = await post(byPassword, '/provision/activate', body)
    assert.deepEqual([answer.status, answer.body], [204, ''])
  })

  it('(none), first request, devices register themselves: provisioned', async () => {
    const { token } = await newDevice(millrace.httpUrl, open, 'by-itself')
    assert.equal(token.length, 40)
    const refused = await activate(millrace.httpUrl, `${rows}.localhost`, 'by-itself')
    assert.deepEqual([refused.status, refused.body], [404, 'unknown_identity'])
  })
})

describe('device provisioning: the device API', () => {
  shareInstance()

  it('POST alias: 204; the log shows a provision event and a write event', async () => {
    await whitelist('writer')
    const device = await newDevice(millrace.httpUrl, rows, 'writer')
    const answer = await device.write('a=1')
    assert.deepEqual([answer.status, answer.body], [204, ''])
    const events = (await lines('writer')).filter((type) => type !== 'connect')
    assert.deepEqual(
      events.filter((type) => type !== 'disconnect'),
      ['write', 'provision'],
    )
  })

  it('data appears in the named resource only if that resource is defined', async () => {
    await whitelist('named')
    const device = await newDevice(millrace.httpUrl, rows, 'named')
    assert.equal((await device.write('a=7&nobody=8')).status, 204)
    const state = (await (await manage('GET', 'identity/named/state')).json()) as State
    assert.deepEqual(Object.keys(state), ['a'])
    assert.equal(state.a?.reported, '7')
  })

  it('characters that are no letters are percent-encoded on both sides', async () => {
    await whitelist('encoded')
    const device = await newDevice(millrace.httpUrl, rows, 'encoded')
    assert.equal((await device.write('data%5Fin=%7B%22001%22%3A1%7D')).status, 204)
    const state = (await (await manage('GET', 'identity/encoded/state')).json()) as State
    assert.equal(state.data_in?.reported, '{"001":1}')
  })
})

describe('device provisioning: its errors', () => {
  shareInstance()

  it('activate while client certificates are expected: 415', async () => {
    const answer = await post(byCertificate, '/provision/activate', 'id=any')
    assert.equal(answer.status, 415)
  })

  it('a password shorter than 20 bytes: 415, and 20 bytes are enough', async () => {
    await whitelist('short', { locked: false }, byPassword)
    const activation = (password: string) =>
      post(byPassword, '/provision/activate', `id=short&password=${password}`)
    assert.equal((await activation('x'.repeat(19))).status, 415)
    assert.equal((await activation('x'.repeat(20))).status, 204)
    const basic = Buffer.from(`short:${'x'.repeat(20)}`).toString('base64')
    const headers = { Host: `${byPassword}.localhost`, Authorization: `Basic ${basic}`, ...form }
    const written = await send(millrace.httpUrl, 'POST', dataPath, headers, 'a=1')
    assert.equal(written.status, 204)
  })
})
