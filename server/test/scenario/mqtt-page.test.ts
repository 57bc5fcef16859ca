import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { it } from 'node:test'
import { promisify } from 'node:util'
import { demoConnector } from '../../../dev/demo/plant.ts'
import { atEnd } from '../support/ends.ts'
import { testPlatform } from '../support/platform.ts'

const run = promisify(execFile)
const page = join(import.meta.dirname, '..', '..', '..', 'docs', 'using', 'mqtt.md')

it('docs/using/mqtt.md: its commands, pasted one after another, do what it says', async (t) => {
  const millrace = await testPlatform(t, { connector: { ...demoConnector, id: 'demo' } })
  const folder = await mkdtemp(join(tmpdir(), 'millrace-page-'))
  atEnd(t, () => rm(folder, { recursive: true, force: true }))
  await mkdir(join(folder, '.millrace'))
  await writeFile(
    join(folder, '.millrace', 'demo.json'),
    JSON.stringify({
      api: `${millrace.httpUrl}/api:1`,
      token: millrace.token,
      caFile: millrace.caFile,
      mqttTls: millrace.mqttTlsUrl,
    }),
  )
  const blocks = (await readFile(page, 'utf8')).matchAll(/^```sh\n(.*?)^```$/gms)
  const commands = [...blocks].map(([, block]) => block).join('\n')
  const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter)
  const { stdout } = await run('bash', ['-ec', `${commands}\necho "identity $ID"`], {
    cwd: folder,
    env: { ...process.env, PATH },
    timeout: 60_000,
  })
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
