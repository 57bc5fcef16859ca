import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, describe, it, type TestContext } from 'node:test'
import { atEnd } from '../../../fixtures/ends.ts'
import { exampleConnector } from '../../../fixtures/platform.ts'
import { startCli } from '../../../fixtures/processes/cli-process.ts'
import {
  type InstanceProcess,
  startInstance,
} from '../../../fixtures/processes/instance-process.ts'
import { killableInstance } from '../../../fixtures/processes/killable-instance.ts'
import { suiteContext } from '../../../fixtures/suite.ts'
import { newDevice } from '../../../fixtures/wire/device.ts'

type Settings = Readonly<Record<string, string>>

async function run(t: TestContext, words: readonly string[], env: Settings) {
  const command = startCli(t, words, { cwd: tmpdir(), env: { ...process.env, ...env } })
  const code = await command.end()
  return { code, printed: command.printed() }
}

async function limitsFile(t: TestContext, ...lines: string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-limits-'))
  atEnd(t, () => rm(folder, { recursive: true }))
  const path = join(folder, 'limits.yaml')
  await writeFile(path, `${lines.join('\n')}\n`)
  return path
}

const wrongLimits = {
  DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing',
  MILLRACE_LIMIT_DEVICE_BODY_BYTE_MAX: '1MiB',
  MILLRACE_LIMIT_JSON_DEPTH_MAX: '100',
  MILLRACE_LIMIT_IDENTITY_CHARS_MAX: '8',
  MILLRACE_LIMIT_JOB_LEASE_MS: '1s',
  MILLRACE_LIMIT_RESOURCES_MAX: 'lots',
  MILLRACE_LIMIT_SESSION_HOURS: '90min',
  MILLRACE_LIMIT_MODULES_MAX: '0',
  MILLRACE_LIMIT_DEVICE_REQUEST_MS_MAX: '1h',
  MILLRACE_LIMIT_DEVICE_BODY_BYTES_MAX: '64MiB',
}

describe('limits that an operator sets', () => {
  it('are printed with unit, bounds and default; those that are set are marked', async (t) => {
    const MILLRACE_LIMITS = await limitsFile(
      t,
      '# of this site',
      'sessionHours: 120min # short',
      'logRetentionHours: 30d',
      'pageMax: 2_000',
    )
    const env = { MILLRACE_LIMITS, MILLRACE_LIMIT_LOG_RETENTION_HOURS: '14d' }
    const { code, printed } = await run(t, ['config'], env)
    assert.equal(code, 0, printed)
    const unset = '# deviceBodyBytesMax: bytes (B, KiB, MiB, GiB), 64KiB to 64MiB; default 2MiB'
    assert.ok(printed.includes(`${unset}\n#MILLRACE_LIMIT_DEVICE_BODY_BYTES_MAX=2MiB\n`), printed)
    const set = /^# sessionHours: hours \(.*\), 1h to 30d; default 12h \(set\)\n(.*)$/m.exec(
      printed,
    )
    assert.equal(set?.[1], 'MILLRACE_LIMIT_SESSION_HOURS=2h')
    // The variable overrides the file.
    assert.match(printed, /^MILLRACE_LIMIT_LOG_RETENTION_HOURS=14d$/m)
    assert.match(printed, /^MILLRACE_LIMIT_PAGE_MAX=2000$/m)
    // It is not settable.
    assert.doesNotMatch(printed, /JSON_DEPTH_MAX/)
  })

  it('are printed as they can be set', async (t) => {
    const { printed } = await run(t, ['config'], {})
    const env = Object.fromEntries(
      [...printed.matchAll(/^#(MILLRACE_LIMIT_\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [
        name,
        value,
      ]),
    )
    assert.ok(Object.keys(env).length > 100)
    const again = await run(t, ['config'], env)
    assert.equal(again.printed, printed)
  })

  it('are refused together, with a sentence for each, before anything starts', async (t) => {
    const path = await limitsFile(
      t,
      'pageMax: 200',
      'pageMax: 300',
      'sessionHour: 8',
      'sessionHours = 8',
    )
    const { code, printed } = await run(t, ['serve'], { ...wrongLimits, MILLRACE_LIMITS: path })
    assert.equal(code, 1)
    const body = 'MILLRACE_LIMIT_DEVICE_BODY_BYTES_MAX'
    const mustBeBelow = 'deviceBodyBytesMax (64MiB) must be below'
    const unknown = 'cannot be set: it is no limit of an operator; the nearest is'
    const hours = 'a whole number of hours, or one with ms, s, min, h, d'
    const [head, ...sentences] = printed.trimEnd().split('\n')
    assert.equal(head, 'millrace serve: limits cannot be set so:')
    assert.deepEqual(sentences.map((one) => one.trim()).sort(), [
      `${path}:2: pageMax is set twice`,
      `${path}:3: sessionHour ${unknown} sessionHours`,
      `${path}:4: "sessionHours = 8" should be a name, a colon and a value`,
      `MILLRACE_LIMIT_DEVICE_BODY_BYTE_MAX ${unknown} ${body}`,
      'MILLRACE_LIMIT_DEVICE_REQUEST_MS_MAX is 1h; it should be at most 10min',
      'MILLRACE_LIMIT_IDENTITY_CHARS_MAX cannot be set: stored data depend on it',
      `MILLRACE_LIMIT_JOB_LEASE_MS ${unknown} MILLRACE_LIMIT_MODULES_MAX`,
      'MILLRACE_LIMIT_JSON_DEPTH_MAX cannot be set: it bounds the work that one input can cause',
      'MILLRACE_LIMIT_MODULES_MAX is 0; it should be at least 1',
      'MILLRACE_LIMIT_RESOURCES_MAX is "lots"; it should be a whole number',
      `MILLRACE_LIMIT_SESSION_HOURS is "90min"; it should be ${hours}`,
      `${mustBeBelow} mqttPublishBytesMax (2112KiB): a batch fits in a PUBLISH`,
      `${mustBeBelow} pendingBytesMax (32MiB): the largest message may wait`,
    ])
  })

  it('are refused if their file cannot be read', async (t) => {
    const missing = await run(t, ['serve'], { MILLRACE_LIMITS: '/nowhere/limits.yaml' })
    assert.equal(missing.code, 1)
    assert.match(missing.printed, /MILLRACE_LIMITS is "\/nowhere\/limits.yaml"; it cannot be read/)
  })
})

describe('an instance with limits of its operator', () => {
  const suite = suiteContext()
  let settings: Settings
  let instance: InstanceProcess
  before(async () => {
    const killable = await killableInstance(suite)
    settings = {
      ...killable.settings,
      MILLRACE_LIMIT_DEVICE_BODY_BYTES_MAX: '64KiB',
      MILLRACE_LIMIT_RESOURCE_VALUE_BYTES_MAX: '1KiB',
      MILLRACE_LIMIT_SCRIPT_SOURCE_BYTES_MAX: '2MiB',
    }
    const platform = await killable.open()
    const { id } = await platform.accounts.createBusiness({ name: 'Demo' })
    await platform.provisioning.connectors.create(id, { ...exampleConnector, id: 'meters' })
    await platform.close()
    instance = await startInstance(settings)
    suite.after(() => instance.stop())
  })

  it('rejects a body and a value past them', async () => {
    const device = await newDevice(instance.httpUrl, 'meters', 'pump-1')
    const answers = []
    for (const chars of [1_024, 1_025, 64 * 1_024]) {
      answers.push((await device.write(`data_in=${'1'.repeat(chars)}`)).status)
    }
    assert.deepEqual(answers, [204, 413, 413])
  })

  it('has them in its script workers, and in those of a command', async (t) => {
    const dir = join(settings.MILLRACE_DATA ?? '', 'large')
    await mkdir(dir)
    const padding = `-- ${'x'.repeat(100)}\n`.repeat(12_000)
    await writeFile(join(dir, 'web.lua'), `--#ENDPOINT GET /hello\n${padding}return "large"\n`)
    for (const words of [
      ['solution', 'create', '--id', 'large', '--name', 'large'],
      ['solution', 'push', '--solution', 'large', '--dir', dir],
    ]) {
      const { code, printed } = await run(t, words, settings)
      assert.equal(code, 0, printed)
    }
    const answer = await fetch(`${instance.httpUrl}/solution/large/hello`)
    assert.equal(answer.status, 200)
    assert.match(await answer.text(), /large/)
  })
})
