import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it, type TestContext } from 'node:test'
import { testEngine } from '../../../../fixtures/database.ts'
import { atEnd } from '../../../../fixtures/ends.ts'
import { startCli } from '../../../../fixtures/processes/cli-process.ts'
import { sharedInstance } from '../../../../fixtures/processes/two-processes.ts'

const skip = testEngine === 'embedded' && 'the embedded engine has one process'

type Settings = Readonly<Record<string, string>>

/** An instance, and a start of a process that is refused. */
async function refusing(t: TestContext) {
  const shared = await sharedInstance(t)
  return {
    shared,
    /** @returns what the process printed before it ended with exit code 1. */
    async refused(more: Settings): Promise<string> {
      const free = '127.0.0.1:0'
      const ports = { MILLRACE_HTTP: free, MILLRACE_DEVICE_TLS: free, MILLRACE_MQTT_TLS: free }
      const env = { ...process.env, ...shared.settings, ...ports, ...more }
      const command = startCli(t, ['serve'], { cwd: tmpdir(), env })
      assert.equal(await command.end(), 1, command.printed())
      return command.printed()
    },
  }
}

async function emptyFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-agree-'))
  atEnd(t, () => rm(folder, { recursive: true, force: true }))
  return folder
}

const others: Settings = {
  MILLRACE_DOMAIN: 'b.example',
  MILLRACE_COMPATIBILITY: 'onep',
  MILLRACE_RESERVED_LABELS: 'shop',
  MILLRACE_OUTBOUND_ALLOW: '10.0.0.9:80',
}

it('a start with a setting that others have otherwise names it, and them', { skip }, async (t) => {
  const { shared, refused } = await refusing(t)
  await shared.start()
  await shared.start('api')
  const printed = await Promise.all(
    Object.entries(others).map(([name, value]) => refused({ [name]: value })),
  )
  for (const [at, [name, value]] of Object.entries(others).entries()) {
    const before = name === 'MILLRACE_DOMAIN' ? '"localhost"' : '""'
    const sentence = `${name} is "${value}" here, and ${before} in 2 other running processes`
    assert.ok(printed[at]?.includes(sentence), printed[at])
  }
})

it('the order of a list is no difference', { skip }, async (t) => {
  const shared = await sharedInstance(t)
  await shared.start('api', { MILLRACE_RESERVED_LABELS: 'shop,help' })
  await shared.start('api', { MILLRACE_RESERVED_LABELS: 'help,shop,help' })
})

it('another instance key is refused, and says how it is shared', { skip }, async (t) => {
  const { shared, refused } = await refusing(t)
  const first = 'a1'.repeat(32)
  const one = await shared.start('device', { MILLRACE_INSTANCE_KEY: first })
  const folder = await emptyFolder(t)
  for (const more of [{ MILLRACE_DATA: folder }, { MILLRACE_INSTANCE_KEY: 'b2'.repeat(32) }]) {
    const printed = await refused(more)
    assert.match(printed, /MILLRACE_INSTANCE_KEY is not here what it is in 1 other running process/)
    assert.match(printed, /Set it, for this process, to the 64 hexadecimal digits/)
  }
  await shared.start('api', { MILLRACE_DATA: folder, MILLRACE_INSTANCE_KEY: first })
  const client = await shared.connect()
  const { rows } = await client.query('select settings::text from database_process')
  assert.equal(rows.length, 2)
  assert.ok(!JSON.stringify(rows).includes(first.slice(0, 16)), 'the key is not stored')
  assert.equal(await one.stop(), 0)
})

it('a value is changed once no process runs: stopped, or killed', { skip }, async (t) => {
  const shared = await sharedInstance(t)
  const one = await shared.start()
  const two = await shared.start('api')
  assert.equal(await one.stop(), 0)
  await two.kill()
  const three = await shared.start('api', others)
  assert.equal((await fetch(`${three.httpUrl}/healthz`)).status, 200)
})
