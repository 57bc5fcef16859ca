import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { type RunCommand, runsCommands } from '../../../fixtures/commands/command-line.ts'
import { testFolder } from '../../../fixtures/engine.ts'
import { until } from '../../../fixtures/interface.ts'
import {
  assertStatus,
  type SolutionsFixture,
  solutionsFixture,
} from '../../../fixtures/solutions.ts'
import { suiteContext } from '../../../fixtures/suite.ts'

const double = 'print("level " .. event.level) return event.level * 2'

describe('millrace solution run, and millrace solution failures', () => {
  const suite = suiteContext()
  let fixture: SolutionsFixture
  let millrace: RunCommand
  let folder = ''
  before(async () => {
    fixture = await solutionsFixture(suite)
    millrace = runsCommands(fixture.millrace)
    folder = await testFolder(suite)
    await writeFile(join(folder, 'event.json'), '{"level": 21}')
    assertStatus(await fixture.pump('PUT', '/script/user_double', { source: double }), 200)
  })
  const run = (...words: string[]) => millrace('solution', 'run', '--solution', 'pump', ...words)

  it('runs a handler with an event of a file, and prints its log and its result', async () => {
    const { code, stdout } = await run('user_double', '--event', join(folder, 'event.json'))
    const printed = / handle_user_double {2}level 21\n.*The call ended\..* CPU\nresult {2}42\n$/
    assert.match(stdout, printed)
    assert.equal(code, 0)
  })

  it('runs an event that failed, which stays failed', async () => {
    const id = await makeFailure(fixture)
    const { code, stdout, stderr } = await run('--failure', id)
    assert.equal(code, 1)
    assert.match(stdout, /error {2}handle_user_double {2}user_double\.lua:1: /)
    assert.match(stderr, /^500 "user_double\.lua:1: attempt to /)
    assertStatus(await fixture.pump('GET', `/failures/${id}`), 200)
  })

  it('ends with 1 where no handler is there, and with 2 for a wrong command line', async () => {
    const missing = await run('user_none')
    assert.deepEqual([missing.code, /^404 /.test(missing.stderr)], [1, true])
    const unknown = await run('--failure', 'nothing')
    assert.deepEqual([unknown.code, /no failed delivery/.test(unknown.stderr)], [1, true])
    assert.match((await run('double')).stderr, /<service>_<event>/)
    for (const words of [
      ['double'],
      ['user_double', '--event', join(folder, 'none.json')],
      ['user_double', '--failure', 'x'],
    ]) {
      assert.equal((await run(...words)).code, 2, words.join(' '))
    }
  })

  it('discards failures, one or all, after a confirmation', async () => {
    const discard = (...words: string[]) =>
      millrace('solution', 'failures', 'discard', '--solution', 'pump', ...words)
    assertStatus(await fixture.pump('DELETE', '/failures'), 200)
    const id = await makeFailure(fixture)
    const unasked = await discard('--id', id)
    assert.deepEqual([unasked.code, /--yes is missing/.test(unasked.stderr)], [2, true])
    assert.equal((await discard('--id', id, '--yes')).stdout, `${id} is discarded\n`)
    assert.equal((await discard('--id', id, '--yes')).code, 1)
    await makeFailure(fixture)
    assert.equal((await discard('--yes')).stdout, '1 are discarded\n')
    assert.equal((await discard('--yes', '--json')).stdout, '{\n  "discarded": 0\n}\n')
  })
})

/** Makes an event fail. Returns the id of the failure. */
async function makeFailure({ millrace, businessId, pump }: SolutionsFixture): Promise<string> {
  const { api } = millrace.platform.scripting
  const where = { businessId, solutionId: 'pump', service: 'user', event: 'double' }
  await api.deliveries.add([{ ...where, argument: { level: 'high' } }])
  const failures = await until(
    async () => (await pump('GET', '/failures')).json.failures,
    ({ length }) => length > 0,
  )
  return failures[0].id
}
