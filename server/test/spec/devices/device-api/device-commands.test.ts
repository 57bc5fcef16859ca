import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { type RunCommand, runsCommands } from '../../../fixtures/commands/command-line.ts'
import { type TestPlatform, testPlatform } from '../../../fixtures/platform.ts'
import { suiteContext } from '../../../fixtures/suite.ts'

const settings = {
  name: 'Pumps',
  selfRegistration: true,
  resources: {
    level: { format: 'number', settable: true, initial: '1' },
    mode: { format: 'string', settable: true },
    seen: { format: 'string' },
  },
}

/** The connector of the suite that runs. */
let connectorId: string

async function openPumps(suite: ReturnType<typeof suiteContext>): Promise<TestPlatform> {
  const millrace = await testPlatform(suite, { connector: settings })
  connectorId = millrace.connector.id
  return millrace
}

async function activateOne({ platform, connector }: TestPlatform, identity: string) {
  const origin = { ip: '127.0.0.1', protocol: 'https', encrypted: true }
  await platform.provisioning.activate(connector, identity, origin)
}

describe('millrace device state', () => {
  const suite = suiteContext()
  let run: RunCommand
  before(async () => {
    const millrace = await openPumps(suite)
    run = runsCommands(millrace)
    await activateOne(millrace, 'p1')
    const { platform, businessId } = millrace
    const at = platform.clock.nowUs()
    const payload = [{ timestamp: at, values: { seen: 'a\u001b[31m' } }]
    await platform.eventlog.append({
      businessId,
      connectorId,
      identity: 'p1',
      kind: 'write',
      at,
      body: { ip: '', protocol: 'https', payload },
    })
  })

  const ask = (more: readonly string[]) =>
    run('device', 'state', '--connector', connectorId, '--identity', 'p1', ...more)

  async function state(...more: string[]) {
    const { code, stdout, stderr } = await ask(more)
    assert.equal(code, 0, stderr)
    return stdout
  }

  async function fails(more: readonly string[], code: number, says: RegExp) {
    const ended = await ask(more)
    assert.equal(ended.code, code, ended.stderr)
    assert.match(ended.stderr, says)
  }

  it('shows what is reported and what is to be; a terminal obeys none of it', async () => {
    const shown = await state('--set', 'mode=a=b', '--set', 'level=2')
    const time = '\\d{4}-\\S+Z'
    assert.match(shown, new RegExp(`^level  ${time}  -  is to be 2$`, 'm'))
    assert.match(shown, new RegExp(`^mode   ${time}  -  is to be a=b$`, 'm'))
    assert.match(shown, new RegExp(`^seen   ${time}  a\ufffd\\[31m$`, 'm'))
    const { level } = JSON.parse(await state('--json'))
    assert.equal(level.set, '2')
  })

  it('sets nothing where one value is refused, or the words are off', async () => {
    const set = ['--set', 'mode=x', '--set', 'seen=y']
    await fails(set, 1, /not settable: The resource seen cannot/)
    await fails(['--set', 'mode'], 2, /--set is <alias>=<value>/)
    assert.doesNotMatch(await state(), /is to be x/)
  })
})

describe('millrace device list', () => {
  const suite = suiteContext()
  let run: RunCommand
  let identities: readonly string[]
  before(async () => {
    const millrace = await openPumps(suite)
    run = runsCommands(millrace)
    identities = Array.from({ length: 203 }, (_, at) => `p${at}`)
    const { businessId, platform } = millrace
    for (const identity of identities.slice(2)) {
      await platform.provisioning.identities.whitelist(businessId, connectorId, identity, {})
    }
    for (const identity of identities.slice(0, 2)) await activateOne(millrace, identity)
  })

  const list = (...more: string[]) => run('device', 'list', '--connector', connectorId, ...more)

  it('prints every page, each identity once', async () => {
    const { code, stdout, stderr } = await list('--all', '--json')
    assert.equal(code, 0, stderr)
    const names = JSON.parse(stdout).map(({ identity }: { identity: string }) => identity)
    assert.deepEqual(names.toSorted(), [...identities].sort())
    assert.equal((await list('--all')).stdout.split('\n').length, identities.length + 1)
    assert.deepEqual(JSON.parse((await list('--all', '--json', '--identity', '^x')).stdout), [])
  })
})

describe('millrace device change', () => {
  const suite = suiteContext()
  let run: RunCommand
  let locked: () => Promise<string[]>
  before(async () => {
    const millrace = await openPumps(suite)
    run = runsCommands(millrace)
    const { businessId, platform } = millrace
    const { identities } = platform.provisioning
    const tags = [{ name: 'site', value: 'lab' }]
    for (const [name, input] of [
      ['p1', { tags }],
      ['p2', { tags }],
      ['v1', {}],
    ] as const) {
      await identities.whitelist(businessId, connectorId, name, input)
    }
    locked = async () => {
      const { devices } = await identities.list(businessId, connectorId, { status: 'locked' })
      return devices.map(({ identity }) => identity).sort()
    }
  })

  const change = (...more: string[]) => run('device', 'change', '--connector', connectorId, ...more)

  it('changes those that match, after a question that --yes answers', async () => {
    const lock = ['--lock', '--tag', 'site=lab']
    const dry = await change(...lock, '--dry-run')
    assert.equal(dry.stdout, '2 changed, 0 left as they are; dry run, nothing was changed\n')
    const { code, stderr } = await change(...lock)
    assert.deepEqual([code, /--yes is missing/.test(stderr)], [2, true], stderr)
    assert.deepEqual(await locked(), [])
    const done = await change(...lock, '--yes', '--json')
    assert.deepEqual(JSON.parse(done.stdout), { changed: 2, skipped: 0 })
    assert.deepEqual(await locked(), ['p1', 'p2'])
    const unlocked = await change('--unlock', '--all', '--yes')
    assert.equal(unlocked.stdout, '2 changed, 1 left as they are\n')
  })
})
