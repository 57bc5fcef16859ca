import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { type RunCommand, runsCommands } from '../../fixtures/commands/command-line.ts'
import { type TestPlatform, testPlatform } from '../../fixtures/platform.ts'
import { suiteContext } from '../../fixtures/suite.ts'

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

describe('millrace device state, and device tags', () => {
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

  const state = (...more: string[]) => command('state', more)
  const tags = (...more: string[]) => command('tags', more)

  async function command(name: string, more: readonly string[]) {
    const args = ['device', name, '--connector', connectorId, '--identity', 'p1', ...more]
    const { code, stdout, stderr } = await run(...args)
    assert.equal(code, 0, stderr)
    return stdout
  }

  async function fails(name: string, more: readonly string[], code: number, says: RegExp) {
    const args = ['device', name, '--connector', connectorId, '--identity', 'p1', ...more]
    const ended = await run(...args)
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
    await fails('state', set, 1, /not settable: The resource seen cannot/)
    await fails('state', ['--set', 'mode'], 2, /--set is <alias>=<value>/)
    assert.doesNotMatch(await state(), /is to be x/)
  })

  it('adds and removes tags, and shows what there is then', async () => {
    assert.equal(await tags(), '')
    assert.equal(await tags('--add', 'site=lab', '--add', 'floor=2'), 'site=lab\nfloor=2\n')
    assert.equal(await tags('--remove', 'floor', '--add', 'site=b,c'), 'site=lab\nsite=b,c\n')
    assert.equal(await tags('--remove', 'site=lab'), 'site=b,c\n')
    await fails('tags', ['--add', 'site'], 2, /--add is <name>=<value>/)
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

  it('prints so many as are asked for, and says that there are more', async () => {
    const { code, stdout, stderr } = await list('--limit', '3')
    assert.equal(code, 0, stderr)
    assert.match(stdout, /^(p\d+ .*\n){3}$/)
    assert.match(stderr, /There are more; --limit or --all/)
    const provisioned = await list('--status', 'provisioned')
    // Whether they are seen yet depends on when their activation is written down.
    assert.deepEqual(provisioned.stdout.match(/^p\d+ {2}provisioned {2}/gm)?.sort(), [
      'p0  provisioned  ',
      'p1  provisioned  ',
    ])
    assert.equal(provisioned.stderr, '')
  })

  it('prints every page, each identity once', async () => {
    const { code, stdout, stderr } = await list('--all', '--json')
    assert.equal(code, 0, stderr)
    const names = JSON.parse(stdout).map(({ identity }: { identity: string }) => identity)
    assert.deepEqual(names.toSorted(), [...identities].sort())
    assert.equal((await list('--all')).stdout.split('\n').length, identities.length + 1)
    assert.deepEqual(JSON.parse((await list('--all', '--json', '--identity', '^x')).stdout), [])
  })
})

describe('the commands of a device in use', () => {
  const suite = suiteContext()
  let run: RunCommand
  before(async () => {
    const millrace = await openPumps(suite)
    run = runsCommands(millrace)
    for (const identity of ['p1', 'p2']) await activateOne(millrace, identity)
  })

  const device = (name: string, ...more: string[]) =>
    run('device', name, '--connector', connectorId, ...more)
  const one = (name: string, ...more: string[]) => device(name, '--identity', 'p1', ...more)

  it('lock: refuses an identity that is not there', async () => {
    const { code, stderr } = await device('lock', '--identity', 'nobody')
    assert.equal(code, 1)
    assert.match(stderr, /no such identity/)
    assert.equal(JSON.parse((await one('lock', '--json')).stdout).status, 'locked')
    assert.match((await one('unlock')).stdout, /^p1 is unlocked\nIf /)
  })

  it('remove and reprovision --all: do nothing where nobody agrees', async () => {
    for (const [name, ...more] of [
      ['remove', '--identity', 'p2'],
      ['reprovision', '--all'],
    ] as const) {
      const { code, stderr } = await device(name, ...more)
      assert.equal(code, 2, stderr)
      assert.match(stderr, /--yes is missing/)
    }
    const { stdout } = await device('list', '--status', 'provisioned', '--json')
    assert.equal(JSON.parse(stdout).length, 2)
    assert.equal((await device('remove', '--identity', 'p2', '--yes')).code, 0)
    assert.match((await device('remove', '--identity', 'p2', '--yes')).stderr, /no such identity/)
  })

  it('rotate: takes one new credential, and shows a token once', async () => {
    assert.match((await one('rotate', '--token')).stdout, /^\S{40}\np1: the one before works /)
    assert.equal((await one('rotate', '--cancel')).stdout, 'the rotation of p1 is cancelled\n')
    assert.match((await one('rotate', '--window', '1w')).stderr, /--window is hours or days/)
    assert.match((await one('rotate', '--token', '--csr', 'x')).stderr, /only one new credential/)
  })

  it('extend and windows: show the deadlines', async () => {
    assert.equal((await device('reprovision', '--identity', 'p1')).code, 0)
    const until = ['--expire', '2040-01-31T12:00Z']
    const { stdout } = await device('extend', '--all', ...until)
    assert.match(stdout, /^\d extended, until 2040-01-31T12:00:00\.000Z\n$/)
    assert.equal((await device('extend', '--all', '--expire', 'soon')).code, 2)
    assert.equal((await device('windows')).code, 0)
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

  it('changes nothing if the filter or the change is missing, doubled or refused', async () => {
    const filter = ['--identity', '^p']
    for (const [given, code, says] of [
      [['--lock'], 2, /either --all or a filter/],
      [['--lock', '--all', ...filter], 2, /either --all or a filter/],
      [filter, 2, /one of --lock, --unlock, --reprovision and --delete/],
      [['--lock', '--delete', ...filter], 2, /one of --lock/],
      [['--lock', '--online', 'maybe'], 2, /--online is yes or no/],
      [['--lock', '--identity', 'a|b'], 1, /identity knows only/],
    ] as const) {
      const ended = await change(...given, '--yes')
      assert.equal(ended.code, code, ended.stderr)
      assert.match(ended.stderr, says)
    }
    assert.deepEqual(await locked(), [])
  })
})
