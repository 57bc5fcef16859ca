import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { type RunCommand, runsCommands } from '../../fixtures/commands/command-line.ts'
import { atEnd } from '../../fixtures/ends.ts'
import { type InterfaceFixture, interfaceFixture } from '../../fixtures/interface.ts'
import { suiteContext } from '../../fixtures/suite.ts'

const definition = {
  default_script_key: 'Pump',
  operations: [
    {
      name: 'double',
      script: 'return request.x * 2',
      parameters: { title: 'request', required: ['x'] },
    },
    { name: 'nothing', script: 'return nil' },
    { name: 'lost', script: 'return {type = "QueryError", error = "lost", status = 403}' },
  ],
  events: [{ name: 'alarm' }],
}

describe('the commands of exposed solutions', () => {
  const suite = suiteContext()
  let fixture: InterfaceFixture
  let millrace: RunCommand
  let folder = ''
  before(async () => {
    fixture = await interfaceFixture(suite)
    millrace = runsCommands(fixture.millrace)
    folder = await mkdtemp(join(tmpdir(), 'millrace-interface-'))
    atEnd(suite, () => rm(folder, { recursive: true }))
    await fixture.expose('pump', definition)
    await fixture.solution('garden')
    await fixture.subscribe('garden', 'pump')
  })
  const call = (...words: string[]) => millrace('interface', 'call', '--solution', 'pump', ...words)

  it('show prints the definition', async () => {
    const { code, stdout } = await millrace('interface', 'show', '--solution', 'pump')
    assert.equal(code, 0)
    assert.equal(JSON.parse(stdout).default_script_key, 'Pump')
    const none = await millrace('interface', 'show', '--solution', 'garden')
    assert.deepEqual([none.code, /the solution exposes none/.test(none.stderr)], [1, true])
  })

  it('check ends with 1 where a subscriber breaks, and with 0 where none does', async () => {
    const check = async (changes: object, ...words: string[]) => {
      const file = join(folder, 'definition.json')
      await writeFile(file, JSON.stringify({ ...definition, ...changes }))
      return millrace('interface', 'check', 'pump', '--file', file, ...words)
    }
    const same = await check({})
    assert.deepEqual([same.code, same.stdout], [0, 'nothing that others rely on is taken away\n'])
    const unheard = await check({ events: [] })
    assert.equal(unheard.code, 0)
    assert.match(unheard.stdout, /^event alarm: is gone {2}no subscriber\nnothing that others/)
    const broken = await check({ operations: definition.operations.slice(1) })
    assert.equal(broken.code, 1)
    assert.equal(broken.stdout, 'operation double: is gone  garden\n')
    const { changes } = JSON.parse((await check({ events: [] }, '--json')).stdout)
    assert.deepEqual(changes[0].subscribers, [])
    assert.equal((await millrace('interface', 'check', 'pump')).code, 2)
  })

  it('client writes a module to a file, or prints it', async () => {
    const client = (...words: string[]) => millrace('interface', 'client', 'pump', ...words)
    const file = join(folder, 'pump.ts')
    assert.deepEqual(await client('--ts', '--out', file), { code: 0, stdout: '', stderr: '' })
    const { stdout } = await client('--ts')
    assert.match(stdout, /export function createPumpClient/)
    assert.equal(await readFile(file, 'utf8'), stdout)
    assert.match((await client('--lua', '--key', 'station')).stdout, /Station\.double\(/)
    for (const words of [[], ['--ts', '--lua'], ['--ts', '--key', 'station']]) {
      assert.equal((await client(...words)).code, 2, words.join(' '))
    }
    assert.equal((await client('--lua', '--key', '1a')).code, 1)
  })

  it('call prints the result of an operation, or its error', async () => {
    assert.equal((await call('double', '--argument', '{"x": 21}')).stdout, '42\n')
    assert.equal((await call('nothing', '--subscriber', 'garden', '--json')).stdout, 'null\n')
    const lost = await call('lost')
    assert.deepEqual(lost, { code: 1, stdout: '', stderr: '403 "lost"\n' })
    const wrong = await call('double', '--argument', '{}')
    assert.deepEqual([wrong.code, /^400 "parameters\.x/.test(wrong.stderr)], [1, true])
    assert.equal((await call('double', '--argument', '{')).code, 2)
  })

  it('subscribers prints one alone', async () => {
    const words = ['interface', 'subscribers', '--solution', 'pump', '--subscriber']
    const { stdout } = await millrace(...words, 'garden')
    assert.match(stdout, /^garden {2}[0-9a-f-]{36}\n$/)
    const one = JSON.parse((await millrace(...words, 'garden', '--json')).stdout)
    assert.deepEqual([one.solution_id, one.used.calls_daily], ['garden', 0])
    assert.equal((await millrace(...words, 'nobody')).code, 1)
  })

  it('ends with 3 where the credential does not permit it', async () => {
    const token = await fixture.tokenOf('Viewer')
    const asViewer = runsCommands({ ...fixture.millrace, token })
    for (const words of [
      ['interface', 'show', '--solution', 'pump'],
      ['interface', 'call', 'nothing', '--solution', 'pump'],
      ['solution', 'run', 'user_x', '--solution', 'pump'],
    ]) {
      assert.equal((await asViewer(...words)).code, 3, words.join(' '))
    }
  })
})
