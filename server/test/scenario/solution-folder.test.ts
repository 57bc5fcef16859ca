import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { it } from 'node:test'
import { promisify } from 'node:util'
import { demoConnector } from '../../../dev/demo/plant.ts'
import { waitMsMax } from '../fixtures/bounds.ts'
import { atEnd } from '../fixtures/ends.ts'
import { testPlatform } from '../fixtures/platform.ts'
import { startInstance } from '../fixtures/processes/instance-process.ts'
import { killableInstance } from '../fixtures/processes/killable.ts'
import { millrace } from '../fixtures/processes/page.ts'
import { newDevice } from '../fixtures/wire/device.ts'

const run = promisify(execFile)
const cli = join(import.meta.dirname, '..', '..', 'src', 'cli', 'index.ts')

it('solution push --watch pushes each save, follows the log, and outlives a mistake', async (t) => {
  const { settings, open } = await killableInstance(t)
  const folder = settings.MILLRACE_DATA ?? ''
  const platform = await open()
  const { id } = await platform.accounts.createBusiness({ name: 'Demo' })
  await platform.provisioning.connectors.create(id, { ...demoConnector, id: 'demo' })
  await platform.scripting.solutions.create(id, { id: 'pumps', name: 'Pumps' })
  await platform.close()
  const instance = await startInstance(settings)
  atEnd(t, () => instance.stop())
  const dir = join(folder, 'pumps')
  await mkdir(join(dir, 'services'), { recursive: true })
  await writeFile(join(dir, 'services', 'device2.yaml'), '# the connector\nservice: demo\n')
  const handler = join(dir, 'device2_event.lua')
  const first = 'print("first " .. event.type)\n'
  await writeFile(handler, first)

  const env = { ...process.env, ...settings }
  const words = ['solution', 'push', '--solution', 'pumps', '--dir', dir, '--watch']
  const child = spawn(process.execPath, [millrace, ...words], { cwd: folder, env })
  atEnd(t, () => void child.kill('SIGKILL'))
  const exited = once(child, 'exit')
  const said = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].on('data', (text) => {
      said[stream] += text
    })
  }
  const seen = async (stream: 'stdout' | 'stderr', text: RegExp) => {
    const signal = AbortSignal.timeout(waitMsMax)
    while (!text.test(said[stream])) await once(child[stream], 'data', { signal })
  }

  await seen('stdout', /^added {5}handler device2_event\nadded {5}service device2\n/m)
  const device = await newDevice(instance.httpUrl, 'demo', 'pump-1')
  await device.write('data_in=1')
  await seen('stdout', / handle_device2_event {2}first data_in$/m)
  await writeFile(handler, 'print("second" ..)\n')
  await seen('stderr', /^device2_event\.lua:1: /m)
  await writeFile(handler, 'print("second " .. event.type)\n')
  await seen('stdout', /^changed {3}handler device2_event$/m)
  await device.write('data_in=2')
  await seen('stdout', / handle_device2_event {2}second data_in$/m)
  child.kill('SIGINT')
  assert.deepEqual(await exited, [0, null])

  const pulled = join(folder, 'pulled')
  const ask = (...more: string[]) =>
    run(process.execPath, [millrace, ...more], { cwd: folder, env })
  await ask('solution', 'pull', '--solution', 'pumps', '--dir', pulled)
  const text = await readFile(join(pulled, 'device2_event.lua'), 'utf8')
  assert.equal(text, 'print("second " .. event.type)\n')
  const words2 = ['solution', 'push', '--solution', 'pumps', '--dir', pulled]
  assert.match((await ask(...words2)).stdout, /^nothing changed\nunchanged 2\n$/)
  await writeFile(join(pulled, 'broken.lua'), 'x = = 1')
  const push = ask('solution', 'push', '--solution', 'pumps', '--dir', pulled)
  await assert.rejects(push, { code: 1, stderr: /^millrace: broken\.lua:1: / })
  await writeFile(join(pulled, 'broken.lua'), Buffer.from([0x2d, 0x2d, 0xff]))
  const odd = ask('solution', 'push', '--solution', 'pumps', '--dir', pulled)
  await assert.rejects(odd, { code: 1, stderr: /broken\.lua is no text in UTF-8/ })
})

it('solution run runs a handler with an event of a file, or with one that failed', async (t) => {
  const { settings, open } = await killableInstance(t)
  const folder = settings.MILLRACE_DATA ?? ''
  const platform = await open()
  atEnd(t, () => platform.close())
  const { id } = await platform.accounts.createBusiness({ name: 'Demo' })
  const { solutions, folders, api } = platform.scripting
  await solutions.create(id, { id: 'pumps', name: 'Pumps' })
  const text = 'print("level " .. event.level) return event.level * 2'
  await folders.push(id, 'pumps', [{ path: 'user_double.lua', text }])
  const call = { businessId: id, solutionId: 'pumps', service: 'user', event: 'double' }
  await api.deliveries.add([{ ...call, argument: { level: 'high' } }])
  platform.scripting.start()
  platform.jobs.start()
  const signal = AbortSignal.timeout(waitMsMax)
  let failure: string | undefined
  while (failure === undefined) {
    signal.throwIfAborted()
    await new Promise((resolve) => setTimeout(resolve, 20))
    failure = (await platform.scripting.failures.list(id, 'pumps', { limit: 1 })).deliveries[0]?.id
  }

  await writeFile(join(folder, 'event.json'), '{"level": 21}')
  const env = { ...process.env, ...settings }
  const ask = (...more: string[]) =>
    run(process.execPath, [cli, 'solution', 'run', '--solution', 'pumps', ...more], {
      cwd: folder,
      env,
    })
  const { stdout } = await ask('user_double', '--event', 'event.json')
  assert.match(
    stdout,
    / handle_user_double {2}level 21\n.*The call ended.* ms CPU\nresult {2}42\n$/,
  )
  const again = ask('--failure', failure)
  await assert.rejects(again, { code: 1, stderr: /^500 "user_double\.lua:1: attempt to mul/ })
  await assert.rejects(ask('double'), { code: 2, stderr: /<service>_<event>/ })
  await assert.rejects(ask('user_double', '--event', 'none.json'), { code: 2 })
  await assert.rejects(ask('user_none'), { code: 1, stderr: /^404 / })
})

it('solution push removes nothing without permission', async (t) => {
  const { platform, businessId: id } = await testPlatform(t)
  const folder = platform.config.dataDir
  const { solutions, folders, scripts } = platform.scripting
  await solutions.create(id, { id: 'pumps', name: 'Pumps' })
  await folders.push(id, 'pumps', [{ path: 'a_b.lua', text: 'return 1' }])
  const dir = join(folder, 'pumps')
  await mkdir(dir)
  await writeFile(join(dir, 'c_d.lua'), 'return 2')
  await writeFile(join(dir, 'c_d_test.lua'), 'no script = at all')
  const env = { ...process.env, MILLRACE_DATA: folder }
  const push = (...more: string[]) => {
    const words = ['solution', 'push', '--solution', 'pumps', '--dir', dir, ...more]
    return run(process.execPath, [millrace, ...words], { cwd: folder, env })
  }
  const names = async () => (await scripts.list(id, 'pumps')).map(({ name }) => name)

  const { stdout } = await push('--dry-run')
  assert.match(stdout, /^added {5}handler c_d\nremoved {3}handler a_b\nunchanged 0\n$/)
  assert.deepEqual(await names(), ['a_b'])
  await assert.rejects(push(), { code: 3, stdout: /^kept {6}handler a_b \(--yes removes it\)$/m })
  assert.deepEqual(await names(), ['a_b', 'c_d'])
  assert.match((await push('--yes')).stdout, /^removed {3}handler a_b\nunchanged 1\n$/)
  assert.deepEqual(await names(), ['c_d'])
  assert.match((await push()).stdout, /^nothing changed\nunchanged 1\n$/)
})
