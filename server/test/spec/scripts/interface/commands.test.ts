import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { type RunCommand, runsCommands } from '../../../fixtures/commands/command-line.ts'
import { testFolder } from '../../../fixtures/engine.ts'
import { type InterfaceFixture, interfaceFixture } from '../../../fixtures/interface.ts'
import { suiteContext } from '../../../fixtures/suite.ts'

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
    folder = await testFolder(suite)
    await fixture.expose('pump', definition)
    await fixture.subscriber('garden', 'pump')
  })
  const call = (...words: string[]) => millrace('interface', 'call', '--solution', 'pump', ...words)

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
})
