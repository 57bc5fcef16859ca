import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { runsCommands } from '../../../fixtures/commands/command-line.ts'
import { testFolder } from '../../../fixtures/engine.ts'
import { until } from '../../../fixtures/interface.ts'
import { assertFault, assertStatus, emptySolution } from '../../../fixtures/solutions.ts'

const [fixture, onInstance] = emptySolution()

const project = `
env_schema:
  properties:
    TOKEN: { type: string, description: Of the weather service. }
    REGION: { type: string, default: eu }
  required: [TOKEN]
`
const read = 'return { token = os.getenv("TOKEN"), region = os.getenv("REGION") }'
const tree = { 'murano.yaml': project, 'services/a/read.lua': read }

const run = async (event = 'read') => (await fixture.handle(`a_${event}`)).result
const set = (values: unknown) => fixture.pump('PATCH', '/env', { values })

describe('variables of a solution', () => {
  onInstance()

  it('scripts read what is set, else the default of env_schema', async () => {
    const pushed = await fixture.push(tree)
    assertStatus(pushed, 200)
    assert.deepEqual(pushed.json.notes, [
      { file: 'murano.yaml', message: 'the variable TOKEN is required and not set yet' },
    ])
    assert.deepEqual(await run(), { region: 'eu' })
    assertStatus(await set({ TOKEN: 'f00', REGION: 'us' }), 200)
    assert.deepEqual(await run(), { token: 'f00', region: 'us' })
    assert.equal((await fixture.push(tree)).json.notes, undefined)
    assertStatus(await set({ TOKEN: null, REGION: null }), 200)
    assert.deepEqual(await run(), { region: 'eu' })
  })

  it('a value is shown to nobody, and is encrypted in the database', async () => {
    await fixture.push(tree)
    const changed = await set({ TOKEN: 'very-secret', OTHER: 'very-secret' })
    const { variables } = changed.json
    assert.deepEqual(
      variables.map(({ name, is_set, has_default, required }: Record<string, unknown>) => {
        return [name, is_set, has_default, required]
      }),
      [
        ['OTHER', true, false, false],
        ['REGION', false, true, false],
        ['TOKEN', true, false, true],
      ],
    )
    const { database } = fixture.millrace.platform
    const row = await database.one('select * from scripting_solution where id = $1', ['pump'])
    for (const text of [changed.json, (await fixture.pump('GET', '/env')).json, row]) {
      assert.doesNotMatch(JSON.stringify(text), /very-secret/)
    }
    assertStatus(await set({ TOKEN: null, OTHER: null }), 200)
  })

  it('wrong names and values are refused, and nothing is changed', async () => {
    for (const values of [
      { '': 'x' },
      { 'A B': 'x' },
      { '1A': 'x' },
      { 'A=B': 'x' },
      { ['A'.repeat(101)]: 'x' },
      { A: 1 },
      { A: 'x'.repeat(8 * 1024 + 1) },
      { A: '\ud800' },
      Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`V${at}`, 'x'])),
    ]) {
      assertFault(await set({ GOOD: 'x', ...values }), 'invalid_argument')
    }
    assert.deepEqual((await fixture.pump('GET', '/env')).json.variables, [])
    assertStatus(await set({ constructor: 'x', GOOD: 'x'.repeat(8 * 1024) }), 200)
    assertStatus(await set({ constructor: null, GOOD: null }), 200)
  })

  it('an env_schema of any form is pushed', async () => {
    for (const [schema, names] of [
      ['[A, { name: B, default: 5 }, 7, { name: "" }]', ['A', 'B']],
      ['{ A: { required: true }, "not one": {}, B: null }', ['A', 'B']],
      ['"text"', []],
      ['5', []],
    ] as const) {
      assertStatus(await fixture.push({ 'murano.yaml': `env_schema: ${schema}` }), 200)
      const { variables } = (await fixture.pump('GET', '/env')).json
      assert.deepEqual(
        variables.map(({ name }: { name: string }) => name),
        names,
      )
    }
  })
})

describe('the init script of a solution', () => {
  onInstance()

  const initProject = 'init_script: ./setup/init.lua\nservices: { location: services }\n'
  const count = 'Keystore.command({key = "inits", command = "incr", args = {}})'

  it('is run once, at the first push that has one', async () => {
    const files = {
      'murano.yaml': initProject,
      'setup/init.lua': `${count}\nKeystore.set({key = "type", value = event.type})`,
      'services/a/read.lua':
        'return { Keystore.get({key = "inits"}).value, Keystore.get({key = "type"}).value }',
    }
    const pushed = await fixture.push(files)
    assertStatus(pushed, 200)
    assert.equal(pushed.json.notes, undefined)
    assert.deepEqual(await run(), [1, 'init'])
    assert.deepEqual(await fixture.pull(), files)
    assertStatus(await fixture.push({}), 200)
    assertStatus(await fixture.push(files), 200)
    assert.deepEqual(await run(), [1, 'init'])
  })

  it('that names no file of the project is noted', async () => {
    for (const value of ['../init.lua', 'init.lua', '{ location: 5 }', '"os.exit()"', '[]']) {
      const pushed = await fixture.push({ 'murano.yaml': `init_script: ${value}` })
      const [note] = pushed.json.notes
      assert.match(note.message, /init_script names no \.lua file of the project/)
    }
  })
})

describe('events without a handler', () => {
  onInstance()

  it('go to the fallback of config, with their context and argument', async () => {
    assertStatus(
      await fixture.push({
        'services/config.lua':
          '--#EVENT fallback\n' +
          'Keystore.set({key = "seen", value = {context.service, context.event, event}})',
        'services/a.lua':
          '--#EVENT a send\n' +
          'return Timer.sendAfter({timer_id = "t", message = "hi", duration = 1})\n' +
          '--#EVENT a read\nreturn Keystore.get({key = "seen"}).value\n' +
          '--#EVENT a missing\nreturn Scripts.trigger({event = "nothing", mode = "sync"})\n',
      }),
      200,
    )
    // A handler that is called by its name is not an event: the answer is that it is missing.
    assert.equal((await run('missing')).status, 404)
    assert.equal(await run(), null)
    await run('send')
    const [service, event, argument] = await until(run, (seen) => seen !== null)
    assert.deepEqual([service, event, argument.message], ['timer', 'timer', 'hi'])
  })
})

describe('millrace solution env', () => {
  onInstance()
  const env = (...words: string[]) =>
    runsCommands(fixture.millrace)('solution', 'env', ...words, '--solution', 'pump')

  it('lists variables with what they are for, sets one of a file, and shows none', async (t) => {
    assertStatus(await fixture.push(tree), 200)
    assert.match((await env()).stdout, /TOKEN.*Of the weather service\./)
    const file = join(await testFolder(t), 'token')
    await writeFile(file, 'very-secret\n')
    const set = await env('set', '--name', 'TOKEN', '--value-file', file)
    assert.equal(set.code, 0, set.stderr)
    assert.deepEqual(await run(), { token: 'very-secret', region: 'eu' })
    assert.doesNotMatch(set.stdout + (await env('--json')).stdout, /very-secret/)
    assert.equal((await env('remove', '--name', 'TOKEN')).code, 0)
    assert.deepEqual(await run(), { region: 'eu' })
  })

  it('ends with 1 for a name that is none, and with 2 for a wrong command line', async (t) => {
    const file = join(await testFolder(t), 'value')
    await writeFile(file, 'x')
    const wrong = await env('set', '--name', '1 x', '--value-file', file)
    assert.match(wrong.stderr, /must be letters, digits/)
    assert.equal(wrong.code, 1)
    for (const words of [[], ['--name', 'X', '--value-file', `${file}-none`]]) {
      assert.equal((await env('set', '--value-file', file, ...words)).code, 2)
    }
  })
})
