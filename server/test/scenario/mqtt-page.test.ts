import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { demoConnector } from '../../../dev/demo/plant.ts'
import { atEnd } from '../support/ends.ts'
import { pastePage, writeDemoFile } from '../support/page.ts'
import { testPlatform } from '../support/platform.ts'

it('docs/using/mqtt.md: its commands, pasted one after another, do what it says', async (t) => {
  const millrace = await testPlatform(t, { connector: { ...demoConnector, id: 'demo' } })
  const folder = await mkdtemp(join(tmpdir(), 'millrace-page-'))
  atEnd(t, () => rm(folder, { recursive: true, force: true }))
  await writeDemoFile(folder, {
    api: `${millrace.httpUrl}/api:1`,
    token: millrace.token,
    caFile: millrace.caFile,
    mqttTls: millrace.mqttTlsUrl,
  })
  const { stdout } = await pastePage('mqtt.md', { folder, last: 'echo "identity $ID"' })
  assert.match(stdout, /^[0-9a-f]{40}$/m)
  assert.match(stdout, /^\$resource\/config_io\/\d{16}$/m)
  assert.match(stdout, /^\$resource\/data_out\/\d{16}$/m)
  const [, identity = ''] = /^identity (.*)$/m.exec(stdout) ?? []
  const { provisioning } = millrace.platform
  const state = await provisioning.state(millrace.businessId, 'demo', identity)
  assert.equal(state.firmware?.reported, '1.0.3')
  assert.equal(state.data_in?.reported, '{"001":21.5}')
  assert.equal(state.data_out?.reported, '{"004":true}')
})
