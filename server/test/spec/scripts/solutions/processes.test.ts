import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { hostLimits } from '../../../../src/devices/hosts/index.ts'
import { limits } from '../../../../src/foundation/kernel/index.ts'
import { scriptingLimits } from '../../../../src/scripts/scripting/index.ts'
import { interfaceLimits } from '../../../../src/scripts/services/interface/index.ts'
import { isLongForm } from '../../../fixtures/bounds.ts'
import { startCommand } from '../../../fixtures/commands/command-line.ts'
import { comes } from '../../../fixtures/demo.ts'
import { atEnd } from '../../../fixtures/ends.ts'
import { type OwnPlatform, testPlatform } from '../../../fixtures/platform.ts'
import {
  type InstanceProcess,
  startInstance,
} from '../../../fixtures/processes/instance-process.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'
import { newDevice, type TestDevice } from '../../../fixtures/wire/device.ts'

/** The number of rounds in which a cache would show a difference once. */
const rounds = isLongForm ? 2 : 1
/** Between two requests that keep the caches fresh while a command runs. */
const meanwhileMs = 50

/** The process that devices and callers reach. */
let millrace: OwnPlatform
/** Another process on the same database, which takes the commands. */
let other: InstanceProcess
let folder: string
let device: TestDevice

const onInstance = sharedBySuites(async (suite) => {
  millrace = await testPlatform(suite, { own: 'starts a second process' })
  folder = await mkdtemp(join(tmpdir(), 'millrace-other-'))
  suite.after(() => rm(folder, { recursive: true, force: true, maxRetries: 20 }))
  other = await startInstance({
    ...(await millrace.otherProcess()),
    MILLRACE_DATA: folder,
  })
  suite.after(() => other.stop())
  device = await newDevice(millrace.httpUrl, millrace.connector.id, 'pump-1')
})

async function command(t: TestContext, args: readonly string[], meanwhile?: () => Promise<void>) {
  const env = { MILLRACE_URL: other.httpUrl, MILLRACE_TOKEN: millrace.token }
  const run = startCommand(t, args, { cwd: folder, env })
  let over = false
  const ended = run.end().finally(() => {
    over = true
  })
  while (meanwhile !== undefined && !over) {
    await meanwhile()
    await pause(meanwhileMs)
  }
  assert.equal(await ended, 0, run.printed())
}

async function push(
  t: TestContext,
  id: string,
  files: Readonly<Record<string, string>>,
  meanwhile?: () => Promise<void>,
) {
  const dir = join(folder, id)
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(dir, path)), { recursive: true })
    await writeFile(join(dir, path), text)
  }
  await command(t, ['solution', 'push', '--solution', id, '--dir', dir], meanwhile)
}

const busy = async () => void (await device.write('data_in=before'))

const create = (t: TestContext, id: string) =>
  command(t, ['solution', 'create', '--id', id, '--name', id])

/** Returns the line of a handler about this value. */
async function waitForLine(id: string, value: string): Promise<string> {
  return comes(async () => {
    const asked = { kinds: ['log'], text: value } as const
    const { lines } = await millrace.platform.activity.solutions.lines(
      millrace.businessId,
      id,
      asked,
    )
    return lines[0]?.text
  })
}

const named = (name: string) => `  - name: ${name}`
/** Says nothing of the other values: a log takes so many lines. */
const handler = (name: string) =>
  [
    'local said = to_json(event)',
    `if said:find("mark", 1, true) then log.info("${name}: " .. said) end`,
  ].join('\n')
const connector = () => `service: ${millrace.connector.id}\n`

describe('a solution that a command has changed by way of another process', () => {
  onInstance()

  it('gets the next event of a device once it has the connector', async (t) => {
    for (let round = 0; round < rounds; round += 1) {
      const id = `late${round}`
      await create(t, id)
      const files = { 'device2_event.lua': handler('late'), 'services/device2.yaml': connector() }
      // The process has just seen that nobody asks for the device.
      await push(t, id, files, busy)
      const mark = `mark-${id}`
      await device.write(`data_in=${mark}`)
      assert.match(await waitForLine(id, mark), /^late: /)
    }
  })

  it('handles the next event of a device by the scripts that were pushed', async (t) => {
    await create(t, 'pump')
    const push1 = (name: string, meanwhile?: () => Promise<void>) =>
      push(
        t,
        'pump',
        { 'device2_event.lua': handler(name), 'services/device2.yaml': connector() },
        meanwhile,
      )
    await push1('first')
    for (let round = 0; round < rounds; round += 1) {
      const name = `handler-${round}`
      await push1(name, busy)
      const mark = `mark-pump-${round}`
      await device.write(`data_in=${mark}`)
      assert.match(await waitForLine('pump', mark), new RegExp(`^${name}: `))
    }
  })

  it('answers the next request, also where nobody was called so a moment ago', async (t) => {
    for (let round = 0; round < rounds; round += 1) {
      const id = `hello${round}`
      const get = () => fetch(`${millrace.httpUrl}/solution/${id}/hello`)
      const ask = async () => void (await (await get()).text())
      await command(t, ['solution', 'create', '--id', id, '--name', id], ask)
      await push(t, id, { 'hello.lua': '--#ENDPOINT GET /hello\nreturn "hello"' }, ask)
      const answer = await get()
      assert.equal(await answer.text(), 'hello')
    }
  })

  it('is called by the next call of another one as it exposes itself now', async (t) => {
    await create(t, 'shown')
    await create(t, 'caller')
    const shown = (names: readonly string[]) =>
      Object.fromEntries([
        ['services/interface.yaml', ['operations:', ...names.map(named)].join('\n')],
        ...names.map((name) => [`interface_${name}.lua`, `return "${name}"`] as const),
      ])
    await push(t, 'shown', shown(['first']))
    const call = (name: string) => `--#ENDPOINT GET /${name}\nreturn shown.${name}()\n`
    const names = Array.from({ length: rounds }, (_, round) => `step${round}`)
    await push(t, 'caller', {
      'services/shown.yaml': 'service: shown\n',
      'calls.lua': names.map(call).join('\n'),
    })
    for (const [round, name] of names.entries()) {
      const get = () => fetch(`${millrace.httpUrl}/solution/caller/${name}`)
      const ask = async () => void (await (await get()).text())
      await push(t, 'shown', shown(['first', ...names.slice(0, round + 1)]), ask)
      const answer = await get()
      assert.equal(await answer.text(), name)
    }
  })

  it('is pushed, by an answer that waits for each process to confirm', async (t) => {
    await create(t, 'waits')
    const third = new Client({
      connectionString: await millrace.databaseUrl(),
      application_name: 'millrace third',
    })
    await third.connect()
    atEnd(t, () => third.end())
    const asked = Promise.withResolvers<string>()
    third.on('notification', ({ payload = '' }) => {
      const { ask } = JSON.parse(payload)
      if (ask !== undefined) asked.resolve(ask)
    })
    await third.query('listen millrace')
    let answered = false
    const files = [{ path: 'calls.lua', text: '--#ENDPOINT GET /hello\nreturn "hello"' }]
    const pushed = fetch(`${other.httpUrl}/api:1/solution/waits/push`, {
      method: 'POST',
      headers: {
        Authorization: `Automation ${millrace.token}`,
        'Content-Type': 'application/json',
      },
      body: JSON.stringify({ files }),
    }).then((answer) => {
      answered = true
      return answer
    })
    const question = await asked.promise
    assert.equal(answered, false)
    const confirmed = JSON.stringify({ from: 'third', answer: question })
    await third.query('select pg_notify($1, $2)', ['millrace', confirmed])
    assert.equal((await pushed).status, 200)
  })

  it('is cached for no longer than a request that changes it waits', () => {
    const { programCheckMs, subscriptionCacheMs } = scriptingLimits
    const { interfaceCacheMs } = interfaceLimits
    const { hostCacheMs } = hostLimits
    const longest = Math.max(programCheckMs, subscriptionCacheMs, interfaceCacheMs, hostCacheMs)
    assert.ok(limits.hintReachMs >= longest)
  })
})
