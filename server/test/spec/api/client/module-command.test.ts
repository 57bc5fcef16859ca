import { strict as assert } from 'node:assert'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { type RunCommand, runsCommands } from '../../../fixtures/commands/command-line.ts'
import { fakeModule, insight, module } from '../../../fixtures/pipelines.ts'
import { type TestPlatform, testPlatform } from '../../../fixtures/platform.ts'
import { suiteContext } from '../../../fixtures/suite.ts'
import { definition, without } from '../../../fixtures/wire/market.ts'

describe('the commands of millrace module and listing', () => {
  const context = suiteContext()
  let instance: TestPlatform
  let run: RunCommand

  before(async () => {
    instance = await testPlatform(context)
    run = runsCommands(instance)
  })

  it('names what opens a private address that is refused', async () => {
    const { code, stdout, stderr } = await run(
      'module',
      'add',
      '--address',
      'http://127.0.0.2:9401/',
    )
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(stderr, /does not allow calls to 127\.0\.0\.2\..*ALLOW=127\.0\.0\.2:9401 /)
  })

  it('prints what was wrong with the answers of a module', async (t) => {
    const fake = await fakeModule(t, { 'GET /info': { name: 'Odd', group_id_required: 'no' } })
    const { code, stderr } = await run('module', 'add', '--address', fake.url)
    assert.equal(code, 0, stderr)
    assert.match(stderr, /group_id_required/)
  })

  it('uses a listing, with its parameters, and shows, configures and checks it', async (t) => {
    const fake = await fakeModule(t, module([insight('rms')]))
    const list = [
      { name: 'token', description: 'x', type: 'string', format: 'password', required: true },
      { name: 'level', description: 'x', type: 'integer' },
      { name: 'fast', description: 'x', type: 'boolean' },
    ]
    const info = { title: 'Listed', version: '1', 'x-vendor-config-parameters': list }
    const file = join(instance.platform.config.dataDir, 'definition.json')
    await writeFile(file, JSON.stringify(definition({ info })))
    const published = await run('listing', 'publish', '--file', file, '--base', fake.url)
    const listing = ['--listing', published.stdout.trim()]
    const missing = await run('module', 'add', ...listing)
    assert.match(missing.stderr, /\/parameters\/token: it is required/)
    const secret = join(instance.platform.config.dataDir, 'token')
    await writeFile(secret, 'hidden\n')
    const values = ['--secret-file', `token=${secret}`, '--set', 'level=3', '--set', 'fast=true']
    const added = await run('module', 'add', ...listing, ...values)
    const id = added.stdout.trim()
    const shown = (await run('module', 'show', id)).stdout
    assert.match(shown, /name +Listed\n/)
    for (const line of ['token: set, not shown', 'level: 3', 'fast: true']) {
      assert.match(shown, new RegExp(`parameter +${line}\n`))
    }
    const change = ['--set', 'level=', '--set', 'fast=false', '--name', 'Mine']
    assert.equal((await run('module', 'configure', id, ...change)).code, 0)
    const after = (await run('module', 'show', id)).stdout
    assert.match(after, /name +Mine\n[\s\S]*level: not set\n[\s\S]*fast: false\n/)
    assert.equal((await run('module', 'configure', id, '--set', 'level=x')).code, 2)
    const checked = await run('module', 'check', id)
    assert.deepEqual([checked.code, checked.stdout], [0, 'it lists 1 functions\n'])
    await fake.stop()
    const failed = await run('module', 'check', id)
    assert.deepEqual([failed.code, /No answer/.test(failed.stdout)], [1, true])
  })

  it('moves and refreshes a module', async (t) => {
    const fakes = [await fakeModule(t, module([insight('a')])), await fakeModule(t, module([]))]
    const added = await run('module', 'add', '--address', fakes[0]?.url ?? '')
    const id = added.stdout.trim()
    const moved = await run('module', 'move', id, '--address', fakes[1]?.url ?? '')
    assert.equal(moved.stdout, `the module ${id} is at ${fakes[1]?.url}/\n`)
    fakes[1]?.answer(module([], { name: 'Odd', wants_lifecycle_events: 'no' }))
    const refreshed = await run('module', 'refresh', id)
    assert.equal(refreshed.code, 0, refreshed.stderr)
    assert.match(refreshed.stderr, /wants_lifecycle_events/)
  })

  it('prints what breaks the rules of a listing, or accepts it', async () => {
    const file = join(instance.platform.config.dataDir, 'listed.json')
    await writeFile(file, JSON.stringify(without('tags')))
    const refused = await run('listing', 'publish', '--file', file)
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /\/tags: there is no entry named insight/)
    const accepted = await run('listing', 'publish', '--file', file, '--tolerant')
    assert.equal(accepted.code, 0, accepted.stderr)
    assert.match(accepted.stderr, /\/tags: there is no entry named insight/)
    const two = ['--file', file, '--definition-url', 'https://a.example']
    assert.equal((await run('listing', 'publish', ...two)).code, 2)
  })
})
