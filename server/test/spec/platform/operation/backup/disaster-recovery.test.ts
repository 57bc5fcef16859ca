import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { it, type TestContext } from 'node:test'
import { connect } from 'node:tls'
import { atEnd } from '../../../../fixtures/ends.ts'
import { startProgram } from '../../../../fixtures/processes/cli-process.ts'
import { startInstance } from '../../../../fixtures/processes/instance-process.ts'
import {
  type Killable,
  killableInstance,
} from '../../../../fixtures/processes/killable-instance.ts'
import {
  pasteScript,
  readBlocks,
  readersEnvironment,
  readersFolder,
} from '../../../../fixtures/processes/page.ts'
import { deviceWith, newDevice } from '../../../../fixtures/wire/device.ts'

const page = join('..', 'operating', 'disaster-recovery.md')
const none = { MILLRACE_DATA: '', MILLRACE_URL: '', MILLRACE_TOKEN: '', DATABASE_URL: '' }

/** A business with a connector, whose devices may register themselves. */
async function plant({ open }: Killable): Promise<string> {
  const platform = await open()
  try {
    const { id } = await platform.accounts.createBusiness({ name: 'Demo' })
    const settings = { name: 'Demo', devmode: true, selfRegistration: true }
    const resources = { temperature: { format: 'number' as const } }
    const created = { ...settings, resources }
    return (await platform.provisioning.connectors.create(id, created)).id
  } finally {
    await platform.close()
  }
}

/** An instance that is gone with its engine and its data, but for a backup in the folder. */
async function loseInstance(t: TestContext, folder: string) {
  const killable = await killableInstance(t)
  const connectorId = await plant(killable)
  const instance = await startInstance(killable.settings)
  atEnd(t, () => instance.kill())
  const device = await newDevice(instance.httpUrl, connectorId, 'd')
  assert.equal((await device.write('temperature=20')).status, 204)
  const settings = Object.assign({}, none, killable.settings)
  await pasteScript('backup', 'npx millrace backup backup.tar --keys', { folder, settings })
  const engine = await killable.enginePid()
  await instance.kill()
  if (engine !== undefined) process.kill(engine, 'SIGKILL')
  const data = killable.settings.MILLRACE_DATA ?? ''
  const ca = await readFile(join(data, 'tls', 'ca.pem'), 'utf8')
  // The engine may still write while it ends.
  await rename(data, `${data}-gone`)
  atEnd(t, () => rm(`${data}-gone`, { recursive: true, force: true, maxRetries: 20 }))
  return { device, ca, host: `${connectorId}.localhost` }
}

/** Returns whether a device that trusts the CA accepts the instance. */
async function isTrusted(url: string, ca: string, servername: string): Promise<boolean> {
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port), servername, ca })
  await once(socket, 'secureConnect')
  socket.destroy()
  return socket.authorized
}

it('the commands of docs/operating/disaster-recovery.md bring an instance back', async (t) => {
  const folder = await readersFolder(t)
  const { device: before, ca, host } = await loseInstance(t, folder)
  const [restore = '', look = '', packaged = '', open = '', ...more] = await readBlocks(page)
  assert.deepEqual(more, [], 'a block that this test does not run')
  const { stdout } = await pasteScript('restore', restore, { folder, settings: none })
  assert.match(stdout, /is whole: \d+ tables in \d+ parts\.\nIt holds the keys/)
  assert.match(stdout, /Restored \d+ rows of 20/)
  assert.match(stdout, /Every message is accounted for/)
  // npm itself would end by the signal, whatever the command ends with.
  const env = { ...readersEnvironment(folder), ...none }
  const service = startProgram(t, ['bash', '-ec', open], { cwd: folder, env })
  const says = /answers at (http:[^\s;]+); devices over TLS at (https:\S+)/
  const [, url = '', tlsUrl = ''] = await service.prints(says)
  assert.equal(await isTrusted(tlsUrl, ca, host), true, 'the CA is the one of before')
  const device = deviceWith(url, before.identity, before.token)
  assert.match((await device.read('temperature')).body, /temperature=20/)
  assert.equal((await device.write('temperature=21')).status, 204)
  const settings = Object.assign({}, none, { MILLRACE_DATA: './restored' })
  const looked = await pasteScript('look', look, { folder, settings })
  assert.match(looked.stdout, /\blog +\d/)
  assert.equal(await service.end('SIGTERM'), 0)
  const again = await pasteScript('verify', restore.split('\n').at(-2) ?? '', {
    folder,
    settings: none,
  })
  assert.match(again.stdout, /Every message is accounted for/)
  await restorePackaged(packaged, folder)
})

/** The steps with the Debian package, in the folder: without systemd and a user of its own. */
async function restorePackaged(steps: string, folder: string): Promise<void> {
  const ours = steps
    .replaceAll(/^(systemctl|chown) .*$/gm, '')
    .replaceAll(/^millrace/gm, 'npx millrace')
    .replaceAll('/var/lib/millrace', './packaged')
    .replace(/\/backup\/\S+/, 'backup.tar')
    .replace('/keys/', './restored/')
  await mkdir(join(folder, 'packaged'))
  const settings = Object.assign({}, none, { MILLRACE_DATA: './packaged' })
  const { stdout } = await pasteScript('packaged', ours, { folder, settings })
  assert.match(stdout, /Restored \d+ rows of 20/)
  assert.match(stdout, /Every message is accounted for/)
}
