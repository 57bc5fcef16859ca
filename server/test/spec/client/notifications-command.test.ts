import assert from 'node:assert/strict'
import { it } from 'node:test'
import { runsCommands } from '../../fixtures/commands/command-line.ts'
import { testPlatform, unique } from '../../fixtures/platform.ts'

it('millrace notifications prints the lists of a solution, as lines and as JSON', async (t) => {
  const instance = await testPlatform(t)
  const { platform, businessId } = instance
  const solution = unique('alerts')
  await platform.scripting.solutions.create(businessId, { id: solution, name: 'Alerts' })
  const run = runsCommands(instance)
  const ask = (...words: string[]) => run('notifications', ...words, '--solution', solution)
  const notifications = async (...words: string[]) => {
    const { code, stdout, stderr } = await ask(...words)
    assert.equal(code, 0, stderr)
    return stdout
  }
  assert.equal(await notifications('list'), '')
  assert.deepEqual(JSON.parse(await notifications('sink', '--json')), [])
  assert.match(await notifications('channels'), /^sms {2}sink/m)
  const channels = JSON.parse(await notifications('channels', '--json'))
  assert.ok(channels.some((one: { channel: string }) => one.channel === 'sms'))
  const { code, stderr } = await ask('show', '--sid', 'NT00')
  assert.equal(code, 1)
  assert.match(stderr, /notification/)
})
