import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { type RunCommand, runsCommands } from '../../fixtures/commands/command-line.ts'
import { atEnd } from '../../fixtures/ends.ts'
import { until } from '../../fixtures/interface.ts'
import { assertStatus, type SolutionsFixture, solutionsFixture } from '../../fixtures/solutions.ts'
import { suiteContext } from '../../fixtures/suite.ts'

const double = 'print("level " .. event.level) return event.level * 2'

describe('millrace solution run', () => {
  const suite = suiteContext()
  let fixture: SolutionsFixture
  let millrace: RunCommand
  let folder = ''
  before(async () => {
    fixture = await solutionsFixture(suite)
    millrace = runsCommands(fixture.millrace)
    folder = await mkdtemp(join(tmpdir(), 'millrace-run-'))
    atEnd(suite, () => rm(folder, { recursive: true }))
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

  it('prints with --json what the API answers', async () => {
    const words = ['user_double', '--event', join(folder, 'event.json'), '--json']
    const { tracking_id: trackingId, ...end } = JSON.parse((await run(...words)).stdout)
    assert.deepEqual(end, { outcome: 'returned', result: 42 })
    assert.match(trackingId, /^[a-z0-9]+$/)
  })

  it('runs an event that failed, which stays failed', async () => {
    const id = await failureOf(fixture)
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
    assert.deepEqual([unknown.code, /no such delivery/.test(unknown.stderr)], [1, true])
    assert.match((await run('double')).stderr, /<service>_<event>/)
    for (const words of [
      ['double'],
      ['user_double', '--event', join(folder, 'none.json')],
      ['user_double', '--failure', 'x'],
    ]) {
      assert.equal((await run(...words)).code, 2, words.join(' '))
    }
  })
})

describe('the commands of services and failures of a solution', () => {
  const suite = suiteContext()
  let fixture: SolutionsFixture
  let millrace: RunCommand
  before(async () => {
    fixture = await solutionsFixture(suite)
    millrace = runsCommands(fixture.millrace)
    const body = { service: fixture.millrace.connector.id, script_key: 'web' }
    assertStatus(await fixture.pump('POST', '/serviceconfig', body), 201)
  })
  const service = (verb: string, ...words: string[]) =>
    millrace('solution', 'service', verb, '--solution', 'pump', ...words)

  it('show and change the settings of a service', async () => {
    const changed = await service('set', '--key', 'web', '--new-key', 'net', '--config', '{}')
    assert.match(changed.stdout, /^[0-9a-f-]{36} {2}net\n$/, changed.stderr)
    const shown = JSON.parse((await service('show', '--key', 'net')).stdout)
    assert.deepEqual(Object.keys(shown), ['service', 'script_key', 'parameters', 'triggers'])
    assert.deepEqual([shown.service, shown.script_key], [fixture.millrace.connector.id, 'net'])
    const all = JSON.parse((await service('show', '--key', 'NET', '--json')).stdout)
    assert.equal(all.solution_id, 'pump')
    assert.equal((await service('set', '--key', 'net', '--new-key', 'web', '--json')).code, 0)
  })

  it('refuse what names no service, or no change', async () => {
    const rows: [string[], RegExp][] = [
      [['show', '--key', 'none'], /the solution has no service none/],
      [['set', '--key', 'web'], /--config, --file or --new-key is needed/],
      [['set', '--key', 'web', '--config', '[]'], /--config is a JSON object/],
      [['set', '--key', 'web', '--config', '{'], /--config is no JSON/],
      [['set', '--key', 'web', '--config', '{}', '--file', 'x'], /and not both/],
    ]
    for (const [[verb = '', ...words], message] of rows) {
      const { code, stderr } = await service(verb, ...words)
      assert.equal(code, 2)
      assert.match(stderr, message)
    }
    const wrong = await service('set', '--key', 'web', '--config', '{"colour": 1}')
    assert.deepEqual([wrong.code, /colour/.test(wrong.stderr)], [1, true])
  })

  it('list solutions by letters', async () => {
    const list = async (...words: string[]) =>
      (await millrace('solution', 'list', ...words)).stdout.split('\n').length - 1
    assert.deepEqual(
      [await list(), await list('--text', 'PUM'), await list('--text', 'x')],
      [1, 1, 0],
    )
  })

  it('discard failures, one or all, after a confirmation', async () => {
    assertStatus(await fixture.pump('PUT', '/script/user_double', { source: double }), 200)
    const discard = (...words: string[]) =>
      millrace('solution', 'failures', 'discard', '--solution', 'pump', ...words)
    const id = await failureOf(fixture)
    const unasked = await discard('--id', id)
    assert.deepEqual([unasked.code, /--yes is missing/.test(unasked.stderr)], [2, true])
    assert.equal((await discard('--id', id, '--yes')).stdout, `${id} is discarded\n`)
    assert.equal((await discard('--id', id, '--yes')).code, 1)
    await failureOf(fixture)
    assert.equal((await discard('--yes')).stdout, '1 are discarded\n')
    assert.equal((await discard('--yes', '--json')).stdout, '{\n  "discarded": 0\n}\n')
  })
})

/** Makes an event fail. Returns the id of the failure. */
async function failureOf({ millrace, businessId, pump }: SolutionsFixture): Promise<string> {
  const { api } = millrace.platform.scripting
  const where = { businessId, solutionId: 'pump', service: 'user', event: 'double' }
  await api.deliveries.add([{ ...where, argument: { level: 'high' } }])
  const failures = await until(
    async () => (await pump('GET', '/failures')).json.failures,
    ({ length }) => length > 0,
  )
  return failures[0].id
}
