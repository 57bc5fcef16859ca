import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { startCommand } from '../../../fixtures/commands/command-line.ts'
import { testPlatform, unique } from '../../../fixtures/platform.ts'
import { root } from '../../../fixtures/processes/page.ts'
import { newDevice } from '../../../fixtures/wire/device.ts'

describe('millrace connector logs', () => {
  it('prints the newest lines, and with --follow those of others, each once', async (t) => {
    const { write, refuse, follow } = await instanceWithLog(t)
    await write('older than --limit shows')
    await write('before')
    const command = follow()
    await command.prints(/^\S+ +write {7}p1 10\.0\.0\.9 https {2}Wrote speed=before\.\n/)
    await write('after \u001b[31m')
    await command.prints(/^.*Wrote speed=after \ufffd\[31m\.\n/)
    refuse('locked', 'It is locked.')
    await command.prints(/^.*refusal {5}p1 10\.0\.0\.9 https {2}locked: It is locked\.\n/)
    assert.equal(await command.end('SIGINT'), 0)
  })

  it('ends with 3, and says why, if its token is revoked meanwhile', async (t) => {
    const { httpUrl, platform, businessId, connector } = await testPlatform(t)
    const { id, token } = await platform.accounts.createToken(businessId, {
      name: 'reader',
      role: 'Administrator',
    })
    const args = ['connector', 'logs', '--connector', connector.id, '--follow']
    const env = { MILLRACE_URL: httpUrl, MILLRACE_TOKEN: token }
    const command = startCommand(t, args, { cwd: root, env })
    const device = await newDevice(httpUrl, connector.id, 'pump.7')
    await command.prints(/provision/)
    await device.write('temperature=1')
    await command.prints(/Wrote temperature=1/)
    await platform.accounts.revokeToken(businessId, id)
    assert.equal(await command.end(), 3)
    assert.match(command.printed(), /millrace: The credential .*millrace login/)
  })
})

/** An instance whose connector has lines of a device, and the command that follows them. */
async function instanceWithLog(t: TestContext) {
  const { platform, businessId, operatorDir } = await testPlatform(t)
  const connectorId = unique('pumps')
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
      const words = ['--connector', connectorId, '--limit', '1', '--follow']
      const env = { MILLRACE_DATA: operatorDir }
      return startCommand(t, ['connector', 'logs', ...words], { cwd: root, env })
    },
  }
}
