import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { killableInstance } from '../../fixtures/processes/killable.ts'
import { suiteContext } from '../../fixtures/suite.ts'

const run = promisify(execFile)
const cli = join(import.meta.dirname, '..', '..', '..', 'src', 'cli', 'index.ts')

describe('millrace device state, and device tags', () => {
  const suite = suiteContext()
  let env: NodeJS.ProcessEnv
  before(async () => {
    const instance = await killableInstance(suite)
    env = { ...process.env, ...instance.settings }
    const platform = await instance.open()
    suite.after(() => platform.close())
    const { id: businessId } = await platform.accounts.createBusiness({ name: 'Pumps' })
    const connector = await platform.provisioning.connectors.create(businessId, {
      id: 'pumps',
      name: 'Pumps',
      selfRegistration: true,
      resources: {
        level: { format: 'number', settable: true, initial: '1' },
        mode: { format: 'string', settable: true },
        seen: { format: 'string' },
      },
    })
    const origin = { ip: '127.0.0.1', protocol: 'https', encrypted: true }
    await platform.provisioning.activate(connector, 'p1', origin)
    const at = platform.clock.nowUs()
    const payload = [{ timestamp: at, values: { seen: 'a\u001b[31m' } }]
    await platform.eventlog.append({
      businessId,
      connectorId: 'pumps',
      identity: 'p1',
      kind: 'write',
      at,
      body: { ip: '', protocol: 'https', payload },
    })
  })

  const state = (...more: string[]) => command('state', more)
  const tags = (...more: string[]) => command('tags', more)

  async function command(name: string, more: readonly string[]) {
    const args = ['device', name, '--connector', 'pumps', '--identity', 'p1', ...more]
    const { stdout } = await run(process.execPath, [cli, ...args], { env })
    return stdout
  }

  async function fails(work: Promise<string>, code: number, says: RegExp): Promise<void> {
    await assert.rejects(work, (error: Error & { code?: number; stderr?: string }) => {
      assert.equal(error.code, code)
      assert.match(error.stderr ?? '', says)
      return true
    })
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
    await fails(
      state('--set', 'mode=x', '--set', 'seen=y'),
      1,
      /not settable: The resource seen cannot/,
    )
    await fails(state('--set', 'mode'), 2, /--set is <alias>=<value>/)
    assert.doesNotMatch(await state(), /is to be x/)
  })

  it('adds and removes tags, and shows what there is then', async () => {
    assert.equal(await tags(), '')
    assert.equal(await tags('--add', 'site=lab', '--add', 'floor=2'), 'site=lab\nfloor=2\n')
    assert.equal(await tags('--remove', 'floor', '--add', 'site=b,c'), 'site=lab\nsite=b,c\n')
    assert.equal(await tags('--remove', 'site=lab'), 'site=b,c\n')
    await fails(tags('--add', 'site'), 2, /--add is <name>=<value>/)
  })
})
