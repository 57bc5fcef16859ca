import { strict as assert } from 'node:assert'
import { before, describe, it } from 'node:test'
import { fakeModule, insight, module } from '../../fixtures/pipelines.ts'
import { type TestPlatform, testPlatform } from '../../fixtures/platform.ts'
import { type RunCommand, runsCommands } from '../../fixtures/processes/cli-process.ts'
import { suiteContext } from '../../fixtures/suite.ts'

describe('the commands of millrace module', () => {
  const context = suiteContext()
  let instance: TestPlatform
  let run: RunCommand

  before(async () => {
    instance = await testPlatform(context)
    run = runsCommands(instance)
  })

  it('adds, lists and removes a module', async (t) => {
    const fake = await fakeModule(t, module([insight('rms')]))
    const added = await run('module', 'add', '--name', 'Own', '--address', fake.url)
    const id = added.stdout.trim()
    assert.match(id, /^[a-z0-9]+$/, added.stderr)
    const listed = (await run('module', 'list')).stdout
    assert.match(listed, /^builtin +built in +\S.*\n/)
    assert.match(listed, new RegExp(`\n${id} +${fake.url}/ +Own\n$`))
    const [, data] = JSON.parse((await run('module', 'list', '--json')).stdout)
    assert.deepEqual([data.id, data.url], [id, `${fake.url}/`])
    const asked = await run('module', 'remove', id)
    assert.deepEqual([asked.code, asked.stderr.includes('--yes')], [2, true])
    assert.equal((await run('module', 'remove', id, '--yes')).code, 0)
    const again = await run('module', 'remove', id, '--yes')
    assert.deepEqual([again.code, /no such module/.test(again.stderr)], [1, true])
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
})
