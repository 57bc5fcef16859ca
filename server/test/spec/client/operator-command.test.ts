import { strict as assert } from 'node:assert'
import { before, describe, it } from 'node:test'
import {
  type RunCommand,
  runsAsOperator,
  runsCommands,
} from '../../fixtures/commands/command-line.ts'
import { type TestPlatform, testPlatform } from '../../fixtures/platform.ts'
import { suiteContext } from '../../fixtures/suite.ts'

describe('the commands of the operator of an instance', () => {
  const context = suiteContext()
  let instance: TestPlatform
  /** As an Administrator of the business. */
  let administrate: RunCommand
  let run: RunCommand

  before(async () => {
    instance = await testPlatform(context)
    administrate = runsCommands(instance)
    run = runsAsOperator(instance)
  })

  it('outbound opens and closes addresses for the scripts of one business', async () => {
    const { name } = await instance.otherBusiness()
    const unnamed = await run('outbound', 'list')
    assert.deepEqual([unnamed.code, /business must be named/.test(unnamed.stderr)], [1, true])
    const words = (verb: string, ...more: string[]) =>
      run('outbound', verb, '--business', name, ...more)
    const allowed = await words('allow', '[FD00:0::5]:443')
    assert.equal(allowed.code, 0, allowed.stderr)
    assert.match(allowed.stdout, /the scripts of \S+ may call \[FD00:0::5\]:443/)
    assert.equal((await words('allow', '--address', '10.0.0.5:*')).code, 0)
    assert.deepEqual((await words('list')).stdout.trim().split('\n').sort(), [
      '10.0.0.5:*',
      '[fd00::5]:443',
    ])
    assert.equal((await run('outbound', 'list', '--business', instance.businessId)).stdout, '')
    assert.equal((await words('remove', '10.0.0.5:*')).code, 0)
    assert.deepEqual(JSON.parse((await words('list', '--json')).stdout), ['[fd00::5]:443'])
    const wrong = await words('allow', '10.0.0.0/8:80')
    assert.deepEqual([wrong.code, /of the form host:port/.test(wrong.stderr)], [1, true])
  })

  it('ledger show prints the counts per stage and hour', async () => {
    const { platform, connector } = instance
    const origin = { ip: '127.0.0.1', protocol: 'http', encrypted: false }
    await platform.provisioning.activate(connector, 'a', origin)
    const { code, stdout, stderr } = await run('ledger', 'show')
    assert.equal(code, 0, stderr)
    const [head, ...rows] = stdout.trimEnd().split('\n')
    assert.match(head ?? '', /^hour +stage +in +out +failed$/)
    assert.ok(
      rows.some((row) => /^\d{4}-\d\d-\d\dT\d\d +log +(\d+) +\1 +0$/.test(row)),
      stdout,
    )
    const [first] = JSON.parse((await run('ledger', 'show', '--rows', '1', '--json')).stdout)
    assert.deepEqual(Object.keys(first), ['hour', 'stage', 'in', 'out', 'failed'])
    assert.equal((await run('ledger', 'show', '--rows', 'x')).code, 2)
  })

  it('end with 3 for an account of a business', async () => {
    for (const words of ['outbound list', 'outbound allow 10.0.0.5:80', 'ledger show']) {
      const { code, stderr } = await administrate(...words.split(' '))
      assert.deepEqual([code, /operator of the instance/.test(stderr)], [3, true], stderr)
    }
  })
})
