import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, it } from 'node:test'
import { atEnd } from '../../fixtures/ends.ts'
import { killableInstance } from '../../fixtures/processes/killable.ts'

const cli = join(import.meta.dirname, '..', '..', '..', 'src', 'cli', 'index.ts')

describe('millrace connector logs', () => {
  it('prints the newest lines, and with --follow those of others, each once', async (t) => {
    const instance = await killableInstance(t)
    const platform = await instance.open()
    atEnd(t, () => platform.close())
    const { id: businessId } = await platform.accounts.createBusiness({ name: 'Logs' })
    const connector = await platform.provisioning.connectors.create(businessId, {
      id: 'pumps',
      name: 'Pumps',
    })
    const write = (value: string) =>
      platform.eventlog.append({
        businessId,
        connectorId: connector.id,
        identity: 'p1',
        kind: 'write',
        at: platform.clock.nowUs(),
        body: {
          ip: '10.0.0.9',
          protocol: 'https',
          payload: [{ timestamp: platform.clock.nowUs(), values: { speed: value } }],
        },
      })
    await write('older than --limit shows')
    await write('before')
    const child = spawn(
      process.execPath,
      [cli, 'connector', 'logs', '--connector', 'pumps', '--limit', '1', '--follow'],
      { env: { ...process.env, ...instance.settings }, stdio: ['ignore', 'pipe', 'inherit'] },
    )
    atEnd(t, () => child.kill('SIGKILL'))
    const printed = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    const nextLine = async () => String((await printed.next()).value)
    assert.match(await nextLine(), /write {7}p1 10\.0\.0\.9 https {2}Wrote speed=before\.$/)
    await write('after \u001b[31m')
    assert.match(await nextLine(), /Wrote speed=after \ufffd\[31m\.$/)
    const left = { businessId, connectorId: 'pumps', kind: 'refusal', identity: 'p1' } as const
    const said = { ip: '10.0.0.9', protocol: 'https', code: 'locked', message: 'It is locked.' }
    platform.activity.connectors.write({ ...left, ...said })
    assert.match(await nextLine(), /refusal {5}p1 10\.0\.0\.9 https {2}locked: It is locked\.$/)
    child.kill('SIGINT')
    const [code] = await once(child, 'exit')
    assert.equal(code, 0)
  })
})
