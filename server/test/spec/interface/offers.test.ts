import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { type InterfaceBench, interfaceBench } from '../../fixtures/interface.ts'
import { assertFault } from '../../fixtures/solutions.ts'
import { suiteContext } from '../../fixtures/suite.ts'

describe('interface: what no subscriber could use is refused with the definition', () => {
  const suite = suiteContext()
  let bench: InterfaceBench
  before(async () => {
    bench = await interfaceBench(suite)
    await bench.solution('taker')
  })

  const keys = ['print', 'Print', 'end', 'context', 'string', 'Http', 'http', 'Interface', 'timer']
  for (const key of keys) {
    it(`default_script_key ${key}`, async () => {
      const refused = await bench.tryExpose('pump', { default_script_key: key })
      assertFault(refused, 'invalid_argument', new RegExp(`^default_script_key ${key} is a `))
    })
  }

  it('a name of which only such a key could be made', async () => {
    const refused = await bench.tryExpose('pump', { name: 'Print!' })
    assertFault(refused, 'invalid_argument', /^default_script_key Print is a word/)
  })

  for (const title of ['my title', 'end', '9a', 'a-b', '', 'ä']) {
    it(`the title ${JSON.stringify(title)} of parameters`, async () => {
      const part = { name: 'going', parameters: { title } }
      for (const list of ['operations', 'events']) {
        const refused = await bench.tryExpose('pump', { [list]: [part] })
        const wanted = new RegExp(`^${list}\\[0\\]\\.parameters\\.title must be a name in Lua`)
        assertFault(refused, 'invalid_argument', wanted)
      }
    })
  }

  it('a default_script that cannot be compiled, with file and line', async () => {
    const events = [
      { name: 'good', default_script: 'return 1' },
      { name: 'bad', default_script: 'local a = 1\nreturn return' },
    ]
    const refused = await bench.tryExpose('pump', { default_script_key: 'Pump', events })
    assertFault(refused, 'script_refused', /^Pump_bad\.lua:2: /)
    assert.equal((await bench.pump('GET', '/serviceconfig')).json.items.length, 0)
  })

  it('what is right is taken, and can be subscribed to', async () => {
    const events = [
      { name: 'good', parameters: { title: 'place' }, default_script: 'return place.city' },
    ]
    await bench.expose('pump', { default_script_key: 'Pump', events })
    await bench.subscribe('taker', 'Pump')
    const told = await bench.run(
      'pump',
      'return interface.trigger{event="good", mode="sync", data={city="Oslo"}}',
    )
    assert.match(JSON.stringify(told), /"result":"Oslo"/)
  })
})
