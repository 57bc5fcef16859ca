import assert from 'node:assert/strict'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { it, type TestContext } from 'node:test'
import { demoConnector } from '../../../dev/demo/plant.ts'
import { runsWith, startCommand } from '../fixtures/commands/command-line.ts'
import { atEnd } from '../fixtures/ends.ts'
import { testPlatform, unique } from '../fixtures/platform.ts'
import { startInstance } from '../fixtures/processes/instance-process.ts'
import { killableInstance } from '../fixtures/processes/killable-instance.ts'
import { newDevice } from '../fixtures/wire/device.ts'

/** A process with a solution `pumps`, a connector `demo`, and a folder for the solution. */
async function pumpsInstance(t: TestContext) {
  const { settings, open } = await killableInstance(t)
  const root = settings.MILLRACE_DATA ?? ''
  const platform = await open()
  const { id } = await platform.accounts.createBusiness({ name: 'Demo' })
  await platform.provisioning.connectors.create(id, { ...demoConnector, id: 'demo' })
  await platform.scripting.solutions.create(id, { id: 'pumps', name: 'Pumps' })
  await platform.close()
  const instance = await startInstance(settings)
  atEnd(t, () => instance.stop())
  const dir = join(root, 'pumps')
  await mkdir(join(dir, 'services'), { recursive: true })
  await writeFile(join(dir, 'services', 'device2.yaml'), '# the connector\nservice: demo\n')
  const options = { cwd: root, env: settings }
  return { instance, root, dir, options }
}

it('solution push --watch pushes each save, follows the log, and outlives a mistake', async (t) => {
  const { instance, dir, options } = await pumpsInstance(t)
  const handler = join(dir, 'device2_event.lua')
  await writeFile(handler, 'print("first " .. event.type)\n')
  const words = ['solution', 'push', '--solution', 'pumps', '--dir', dir, '--watch']
  const watch = startCommand(t, words, options)

  await watch.prints(/^added {5}handler device2_event\nadded {5}service device2\n/m)
  const device = await newDevice(instance.httpUrl, 'demo', 'pump-1')
  await device.write('data_in=1')
  await watch.prints(/ handle_device2_event {2}first data_in$/m)
  await writeFile(handler, 'print("second" ..)\n')
  await watch.prints(/^device2_event\.lua:1: /m)
  await writeFile(handler, 'print("second " .. event.type)\n')
  await watch.prints(/^changed {3}handler device2_event$/m)
  await device.write('data_in=2')
  await watch.prints(/ handle_device2_event {2}second data_in$/m)
  assert.equal(await watch.end('SIGINT'), 0)
})

it('solution pull gives back what was pushed, and a push reports what is no script', async (t) => {
  const { root, dir, options } = await pumpsInstance(t)
  const source = 'print("second " .. event.type)\n'
  await writeFile(join(dir, 'device2_event.lua'), source)
  const run = runsWith(options)
  const ask = (verb: string, folder: string) =>
    run('solution', verb, '--solution', 'pumps', '--dir', folder)
  assert.equal((await ask('push', dir)).code, 0)
  const pulled = join(root, 'pulled')
  assert.equal((await ask('pull', pulled)).code, 0)
  assert.equal(await readFile(join(pulled, 'device2_event.lua'), 'utf8'), source)
  assert.match((await ask('push', pulled)).stdout, /^nothing changed\nunchanged 2\n$/)
  await writeFile(join(pulled, 'broken.lua'), 'x = = 1')
  const broken = await ask('push', pulled)
  assert.equal(broken.code, 1)
  assert.match(broken.stderr, /^millrace: broken\.lua:1: /)
  await writeFile(join(pulled, 'broken.lua'), Buffer.from([0x2d, 0x2d, 0xff]))
  const odd = await ask('push', pulled)
  assert.equal(odd.code, 1)
  assert.match(odd.stderr, /broken\.lua is no text in UTF-8/)
})

it('solution push removes nothing without permission', async (t) => {
  const { platform, businessId: id, operatorDir: folder, httpUrl, token } = await testPlatform(t)
  const pumps = unique('pumps')
  const { solutions, folders, scripts } = platform.scripting
  await solutions.create(id, { id: pumps, name: 'Pumps' })
  await folders.push(id, pumps, [{ path: 'a_b.lua', text: 'return 1' }])
  const dir = join(folder, pumps)
  await mkdir(dir)
  await writeFile(join(dir, 'c_d.lua'), 'return 2')
  await writeFile(join(dir, 'c_d_test.lua'), 'no script = at all')
  const env = { MILLRACE_URL: httpUrl, MILLRACE_TOKEN: token }
  const run = runsWith({ cwd: folder, env })
  const push = (...more: string[]) =>
    run('solution', 'push', '--solution', pumps, '--dir', dir, ...more)
  const names = async () => (await scripts.list(id, pumps)).map(({ name }) => name)

  const { stdout } = await push('--dry-run')
  assert.match(stdout, /^added {5}handler c_d\nremoved {3}handler a_b\nunchanged 0\n$/)
  assert.deepEqual(await names(), ['a_b'])
  const kept = await push()
  assert.equal(kept.code, 1)
  assert.match(kept.stdout, /^kept {6}handler a_b \(--yes removes it\)$/m)
  const says = /^the solution has parts that the folder does not have; --yes removes them$/m
  assert.match(kept.stderr, says)
  assert.deepEqual(await names(), ['a_b', 'c_d'])
  assert.match((await push('--yes')).stdout, /^removed {3}handler a_b\nunchanged 1\n$/)
  assert.deepEqual(await names(), ['c_d'])
  assert.match((await push()).stdout, /^nothing changed\nunchanged 1\n$/)
})
