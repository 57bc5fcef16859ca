import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { it } from 'node:test'
import { createLogger, systemClock } from '../../src/foundation/kernel/index.ts'
import { openPlatform, serve } from '../../src/main.ts'
import { readConfig } from '../../src/platform/config/index.ts'
import type { Platform } from '../../src/platform/platform.ts'
import { solutionTestLimits } from '../../src/scripts/solution-tests/index.ts'
import { startInstance } from '../fixtures/processes/instance-process.ts'
import { killableInstance } from '../fixtures/processes/killable-instance.ts'
import { slow, userFolder } from '../fixtures/processes/solution-test-user.ts'

const expiryMs = solutionTestLimits.solutionTestMsMax + solutionTestLimits.solutionTestEndMsMax

/** The temporary databases with this expiry and the folders that an instance has left. */
async function findLeft({ config, database }: Platform, expiresS: number): Promise<string[]> {
  const rows = await database.rows<{ datname: string }>(
    'select datname from pg_database where datname like $1',
    [`millrace_temporary_${expiresS}_%`],
  )
  const folders = await readdir(join(config.dataDir, 'temporary'))
  return [...rows.map(({ datname }) => datname), ...folders]
}

it('removes what a killed instance left of tests of solutions, once it has expired', async (t) => {
  const { settings } = await killableInstance(t)
  const user = await userFolder(t)
  await user.save('slow', slow)
  const on = { MILLRACE_SOLUTION_TESTS: 'on', MILLRACE_MQTT_TLS: 'off' }
  const free = { MILLRACE_HTTP: '127.0.0.1:0', MILLRACE_DEVICE_TLS: '127.0.0.1:0' }
  const killed = await startInstance({ ...settings, ...on })
  const beside = { MILLRACE_DATA: settings.MILLRACE_DATA ?? '' }
  await user.save('', { password: 'a long phrase' })
  const business = ['business', 'create', '--name', 'A', '--email', 'a@example.com']
  const made = user.millrace(t, [...business, '--password-file', 'password'], beside)
  assert.equal(await made.end(), 0, made.printed())
  const command = user.millrace(t, ['solution', 'test', 'slow'], beside)
  await command.prints(/test_one/)
  await killed.kill()
  assert.equal(await command.end(), 1)
  assert.match(command.printed(), /cannot be reached/)

  const [folder = ''] = await readdir(join(beside.MILLRACE_DATA, 'temporary'))
  const expiresS = Number.parseInt(folder, 10)
  const config = readConfig({ ...settings, ...on, ...free }, '/')
  const logger = createLogger('silent')
  const left = async (aheadMs: number) => {
    const clock = systemClock(() => Date.now() + aheadMs)
    const platform = await openPlatform({ config, logger, owner: true, clock })
    const served = await serve(platform)
    try {
      return await findLeft(platform, expiresS)
    } finally {
      await served.close()
    }
  }
  assert.equal((await left(0)).length, 2)
  assert.deepEqual(await left(expiryMs + 1_000), [])
})
