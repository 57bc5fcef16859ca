import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { describe, it, type TestContext } from 'node:test'
import { atEnd } from '../../fixtures/ends.ts'
import { testPlatform } from '../../fixtures/platform.ts'
import { startCli } from '../../fixtures/processes/cli-process.ts'
import { millrace, root } from '../../fixtures/processes/page.ts'
import { newDevice } from '../../fixtures/wire/device.ts'

describe('millrace connector logs', () => {
  it('prints the newest lines, and with --follow those of others, each once', async (t) => {
    const { write, refuse, follow } = await instanceWithLog(t)
    await write('older than --limit shows')
    await write('before')
    const { child, nextLine } = follow()
    assert.match(await nextLine(), /write {7}p1 10\.0\.0\.9 https {2}Wrote speed=before\.$/)
    await write('after \u001b[31m')
    assert.match(await nextLine(), /Wrote speed=after \ufffd\[31m\.$/)
    refuse('locked', 'It is locked.')
    assert.match(await nextLine(), /refusal {5}p1 10\.0\.0\.9 https {2}locked: It is locked\.$/)
    child.kill('SIGINT')
    const [code] = await once(child, 'exit')
    assert.equal(code, 0)
  })

  it('ends with 3, and says why, if its token is revoked meanwhile', async (t) => {
    const { httpUrl, platform, businessId, connector } = await testPlatform(t)
    const { id, token } = await platform.accounts.createToken(businessId, {
      name: 'reader',
      role: 'Administrator',
    })
    const args = ['connector', 'logs', '--connector', connector.id, '--follow']
    const env = { ...process.env, MILLRACE_URL: httpUrl, MILLRACE_TOKEN: token }
    const command = startCli(t, args, { cwd: root, env })
    const device = await newDevice(httpUrl, connector.id, 'pump.7')
    await command.prints(/provision/)
    await device.write('temperature=1')
    await command.prints(/Wrote temperature=1/)
    await platform.accounts.revokeToken(businessId, id)
    assert.equal(await command.end(), 3)
    assert.match(command.printed(), /millrace: The credential .*millrace login/)
  })
})

/** An instance whose connector `pumps` has lines of a device, and the command that follows them. */
async function instanceWithLog(t: TestContext) {
  const { platform, businessId } = await testPlatform(t)
  const connectorId = 'pumps'
  await platform.provisioning.connectors.create(businessId, { id: connectorId, name: 'Pumps' })
  const origin = { ip: '10.0.0.9', protocol: 'https' }
  const line = { businessId, connectorId, identity: 'p1' }
  return {
    write: (speed: string) => {
      const at = platform.clock.nowUs()
      const payload = [{ timestamp: at, values: { speed } }]
      return platform.eventlog.append({ ...line, kind: 'write', at, body: { ...origin, payload } })
    },
    refuse: (code: string, message: string) =>
      platform.activity.connectors.write({ ...line, ...origin, kind: 'refusal', code, message }),
    follow: () => {
      const args = ['--connector', connectorId, '--limit', '1', '--follow']
      const child = spawn(process.execPath, [millrace, 'connector', 'logs', ...args], {
        env: { ...process.env, MILLRACE_DATA: platform.config.dataDir },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      atEnd(t, () => child.kill('SIGKILL'))
      const printed = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
      return { child, nextLine: async () => String((await printed.next()).value) }
    },
  }
}
