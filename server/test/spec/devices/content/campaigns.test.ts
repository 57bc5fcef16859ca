import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { until } from '../../../fixtures/interface.ts'
import { type TestPlatform, testPlatform } from '../../../fixtures/platform.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'
import { askJson } from '../../../fixtures/wire/ask.ts'
import { newDevice, send, type TestDevice } from '../../../fixtures/wire/device.ts'

type Progress = { devices: number; downloaded: number; downloading: number }
type Campaign = Progress & { id: string; content: string; created: number }
type DeviceContent = {
  content: string
  received: number
  status: string
  offered: number | null
  completed: number | null
}

let millrace: TestPlatform
let base: string
let pump: TestDevice
const onPlatform = sharedBySuites(async (suite) => {
  millrace = await testPlatform(suite)
  base = `${millrace.httpUrl}/api:1/service/${millrace.connector.id}/device2`
  pump = await newDevice(millrace.httpUrl, millrace.connector.id, 'pump')
  for (const [identity, value] of [
    ['pump', 'north'],
    ['fan', 'south'],
  ]) {
    await call('PUT', `identity/${identity}`, { tags: [{ name: 'site', value }] })
  }
  await upload('firmware', '0123456789')
})

const call = (method: string, path: string, body?: unknown) =>
  askJson(`${base}/${path}`, { method, body, as: `Automation ${millrace.token}` })

const upload = (id: string, body: string) =>
  fetch(`${base}/content/${id}`, {
    method: 'PUT',
    headers: { Authorization: `Automation ${millrace.token}` },
    body,
  })
const download = (range?: string) =>
  send(millrace.httpUrl, 'GET', '/provision/download?id=firmware', {
    'X-vendor-CIK': pump.token,
    ...(range !== undefined && { Range: `bytes=${range}` }),
  })
const campaigns = async (): Promise<Campaign[]> => (await call('GET', 'campaigns')).json.campaigns
const progress = async (id: string) => {
  const { devices, downloaded, downloading } =
    (await campaigns()).find((one) => one.id === id) ?? {}
  return { devices, downloaded, downloading }
}
const ofDevice = async (identity: string): Promise<DeviceContent[]> =>
  (await call('GET', `identity/${identity}/contents`)).json.contents
const untilReceived = (received: number, status: string) =>
  until(
    async () => (await ofDevice('pump'))[0],
    (one) => one?.received === received && one.status === status,
  )

describe('campaigns of contents', () => {
  onPlatform()
  let north: Campaign

  it('count the devices of a tag, and those that downloaded the content', async () => {
    const tag = { name: 'site', value: 'north' }
    const made = await call('POST', 'campaigns', { content: 'firmware', tag })
    assert.equal(made.status, 201)
    north = made.json
    const { id: _, created, ...rest } = made.json
    const none = { downloaded: 0, downloading: 0 }
    assert.deepEqual(rest, { content: 'firmware', meta: '', tag, devices: 1, ...none })
    assert.match(String(created), /^\d{16}$/)
    const all = await call('POST', 'campaigns', { content: 'firmware', tag: { name: 'site' } })
    assert.equal(all.json.devices, 2)
    const [offered] = await ofDevice('pump')
    assert.deepEqual([offered?.status, offered?.offered], ['offered', created])
    await download()
    const whole = await untilReceived(10, 'downloaded')
    assert.match(String(whole?.completed), /^\d{16}$/)
    assert.deepEqual(await progress(north.id), { devices: 1, downloaded: 1, downloading: 0 })
    assert.deepEqual(await progress(all.json.id), { devices: 2, downloaded: 1, downloading: 0 })
  })

  it('begin again with another upload, and count parts without a gap', async () => {
    await upload('firmware', 'abcdefghijkl')
    assert.deepEqual(await progress(north.id), { devices: 1, downloaded: 0, downloading: 0 })
    assert.equal((await ofDevice('pump'))[0]?.status, 'outdated')
    await download('6-11')
    await untilReceived(0, 'downloading')
    await download('0-3')
    await untilReceived(4, 'downloading')
    assert.deepEqual(await progress(north.id), { devices: 1, downloaded: 0, downloading: 1 })
    await download('4-11')
    await untilReceived(12, 'downloaded')
    assert.deepEqual(await progress(north.id), { devices: 1, downloaded: 1, downloading: 0 })
  })

  it('are refused twice, without a content, and of a tag without a name', async () => {
    const asked = async (content: string, tag: object) => {
      const { status, json } = await call('POST', 'campaigns', { content, tag })
      return `${status} ${json.code}`
    }
    const tag = { name: 'site', value: 'north' }
    assert.equal(await asked('firmware', tag), '409 already_exists')
    assert.equal(await asked('none', tag), '404 not_found')
    assert.equal(await asked('firmware', { name: '' }), '400 invalid_argument')
    assert.equal((await call('GET', 'identity/none/contents')).json.code, 'unknown_identity')
  })

  it('end by themselves, and with their content', async () => {
    assert.equal((await call('DELETE', `campaigns/${north.id}`)).status, 204)
    assert.equal((await call('DELETE', `campaigns/${north.id}`)).status, 404)
    assert.equal((await campaigns()).length, 1)
    await call('DELETE', 'content/firmware')
    assert.deepEqual(await campaigns(), [])
    assert.deepEqual(await ofDevice('pump'), [])
  })
})
