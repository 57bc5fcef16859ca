import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { type RunCommand, runsCommands } from '../../fixtures/commands/command-line.ts'
import { testFolder } from '../../fixtures/engine.ts'
import { assertStatus, type SolutionsFixture, solutionsFixture } from '../../fixtures/solutions.ts'
import { sharedBySuites } from '../../fixtures/suite.ts'

let root = ''
let fixture: SolutionsFixture
let millrace: RunCommand
const onInstance = sharedBySuites(async (suite) => {
  root = await testFolder(suite)
  fixture = await solutionsFixture(suite)
  millrace = runsCommands(fixture.millrace)
  const schema = {
    TOKEN: { type: 'string', description: 'Of a cloud.' },
    REGION: { default: 'eu' },
  }
  const project = { env_schema: { properties: schema, required: ['TOKEN'] } }
  const files = {
    'murano.json': JSON.stringify(project),
    'services/a/read.lua': 'return {os.getenv("TOKEN") or "none", os.getenv("REGION")}',
  }
  assertStatus(await fixture.push(files), 200)
})

const env = (...words: string[]) => {
  const [first = '', ...more] = words
  const command = first.startsWith('-') || first === '' ? words.filter(Boolean) : [first, ...more]
  return millrace('solution', 'env', ...command, '--solution', 'pump')
}
const read = async () => {
  const call = { service: 'a', event: 'read', argument: null }
  return (await fixture.pump('POST', '/run', call)).json.result
}

describe('millrace solution env', () => {
  onInstance()

  it('lists variables with what they are for, and never their values', async () => {
    const { code, stdout } = await env()
    assert.equal(code, 0)
    assert.match(stdout, /TOKEN.*Of a cloud\./)
    const { variables } = JSON.parse((await env('--json')).stdout)
    const names = variables.map((one: { name: string; is_set: boolean }) => [one.name, one.is_set])
    assert.deepEqual(names, [
      ['REGION', false],
      ['TOKEN', false],
    ])
  })

  it('sets a value from a file, which scripts read, and removes it', async () => {
    const file = join(root, 'token')
    await writeFile(file, 'very-secret\n')
    const set = await env('set', '--name', 'TOKEN', '--value-file', file)
    assert.equal(set.code, 0, set.stderr)
    assert.doesNotMatch(set.stdout, /very-secret/)
    assert.deepEqual(await read(), ['very-secret', 'eu'])
    assert.doesNotMatch((await env('--json')).stdout, /very-secret/)
    const removed = await env('remove', '--name', 'TOKEN')
    assert.equal(removed.code, 0, removed.stderr)
    assert.deepEqual(await read(), ['none', 'eu'])
  })

  it('ends with 1 for a name that is none, and with 2 for a wrong command line', async () => {
    const file = join(root, 'value')
    await writeFile(file, 'x')
    const wrong = await env('set', '--name', '1 x', '--value-file', file)
    assert.deepEqual(
      [wrong.code, /must be letters, digits/.test(wrong.stderr)],
      [1, true],
      wrong.stderr,
    )
    assert.equal((await env('set', '--value-file', file)).code, 2)
    const none = await env('set', '--name', 'X', '--value-file', join(root, 'none'))
    assert.equal(none.code, 2, none.stderr)
  })
})
