import { strict as assert } from 'node:assert'
import { before, describe, it } from 'node:test'
import {
  type RunCommand,
  runsAsOperator,
  runsCommands,
} from '../../fixtures/commands/command-line.ts'
import { type TestPlatform, testPlatform } from '../../fixtures/platform.ts'
import { suiteContext } from '../../fixtures/suite.ts'

describe('the commands that delete what others depend on', () => {
  const context = suiteContext()
  let instance: TestPlatform
  let administrate: RunCommand
  let run: RunCommand

  before(async () => {
    instance = await testPlatform(context)
    administrate = runsCommands(instance)
    run = runsAsOperator(instance)
  })

  it('business remove previews and needs the name; business deletion shows the step', async () => {
    const { name } = await instance.otherBusiness()
    const preview = await run('business', 'remove', name, '--dry-run')
    assert.match(preview.stdout, /^api tokens +deleted +1 +test\n$/)
    const refused = await run('business', 'remove', name, '--yes')
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, new RegExp(`1 api tokens \\(test\\).*by its name, ${name}`))
    const words = ['business', 'remove', name, '--confirm', name, '--yes']
    const other = await administrate(...words)
    assert.equal(other.code, 3, 'only the operator')
    const done = await run(...words)
    assert.equal(done.stdout, `the business ${name} is closed; its rows are being removed\n`)
    const shown = await run('business', 'deletion', name)
    assert.match(shown.stdout, new RegExp(`name +${name}\\nstep +(?:closing|removing|settling)\\n`))
    assert.equal((await run('business', 'deletion', instance.businessId)).code, 1)
  })

  it('connector delete and user delete preview, and take the name', async () => {
    const { id } = instance.connector
    await instance.platform.provisioning.identities.whitelist(instance.businessId, id, 'd1', {})
    const connector = ['connector', 'delete', '--connector', id]
    const preview = await administrate(...connector, '--dry-run')
    assert.match(preview.stdout, /^devices +deleted +1 +d1\n$/)
    assert.equal((await administrate(...connector, '--yes')).code, 1)
    const done = await administrate(...connector, '--confirm', id, '--yes')
    assert.equal(done.code, 0, done.stderr)
    const user = ['user', 'delete', '--email', instance.account.email]
    assert.match((await administrate(...user, '--dry-run')).stdout, /nothing depends on/)
    const last = await administrate(...user, '--confirm', instance.account.email, '--yes')
    assert.deepEqual([last.code, /needs a user/.test(last.stderr)], [1, true])
  })
})
