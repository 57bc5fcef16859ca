import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { it } from 'node:test'
import { promisify } from 'node:util'
import { testPlatform } from '../../fixtures/platform.ts'
import { millrace } from '../../fixtures/processes/page.ts'

const run = promisify(execFile)

it('millrace notifications prints the lists of a solution, as lines and as JSON', async (t) => {
  const { httpUrl, token, platform, businessId } = await testPlatform(t)
  await platform.scripting.solutions.create(businessId, { id: 'alerts', name: 'Alerts' })
  const env = { ...process.env, MILLRACE_URL: httpUrl, MILLRACE_TOKEN: token }
  const notifications = async (...words: string[]) => {
    const args = [millrace, 'notifications', ...words, '--solution', 'alerts']
    return (await run(process.execPath, args, { env })).stdout
  }
  assert.equal(await notifications('list'), '')
  assert.deepEqual(JSON.parse(await notifications('sink', '--json')), [])
  assert.match(await notifications('channels'), /^sms {2}sink/m)
  const channels = JSON.parse(await notifications('channels', '--json'))
  assert.ok(channels.some((one: { channel: string }) => one.channel === 'sms'))
  await assert.rejects(notifications('show', '--sid', 'NT00'), { code: 1, stderr: /notification/ })
})
