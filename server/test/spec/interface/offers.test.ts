import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { type InterfaceFixture, interfaceFixture } from '../../fixtures/interface.ts'
import { assertFault } from '../../fixtures/solutions.ts'
import { suiteContext } from '../../fixtures/suite.ts'

describe('interface: what no subscriber could use is refused with the definition', () => {
  const suite = suiteContext()
  let fixture: InterfaceFixture
  before(async () => {
    fixture = await interfaceFixture(suite)
    await fixture.solution('taker')
  })

  const keys = ['print', 'Print', 'end', 'context', 'string', 'Http', 'http', 'Interface', 'timer']
  for (const key of keys) {
    it(`default_script_key ${key}`, async () => {
      const refused = await fixture.tryExpose('pump', { default_script_key: key })
      assertFault(refused, 'invalid_argument', new RegExp(`^default_script_key ${key} is a `))
    })
  }

  it('a name of which only such a key could be made', async () => {
    const refused = await fixture.tryExpose('pump', { name: 'Print!' })
    assertFault(refused, 'invalid_argument', /^default_script_key Print is a word/)
  })

  for (const title of ['my title', 'end', '9a', 'a-b', '', 'ä']) {
    it(`the title ${JSON.stringify(title)} of parameters`, async () => {
      const part = { name: 'going', parameters: { title } }
      for (const list of ['operations', 'events']) {
        const refused = await fixture.tryExpose('pump', { [list]: [part] })
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
    const refused = await fixture.tryExpose('pump', { default_script_key: 'Pump', events })
    assertFault(refused, 'script_refused', /^Pump_bad\.lua:2: /)
    assert.equal((await fixture.pump('GET', '/serviceconfig')).json.items.length, 0)
  })

  it('what is right is taken, and can be subscribed to', async () => {
    const events = [
      { name: 'good', parameters: { title: 'place' }, default_script: 'return place.city' },
    ]
    await fixture.expose('pump', { default_script_key: 'Pump', events })
    await fixture.subscribe('taker', 'Pump')
    const triggered = await fixture.run(
      'pump',
      'return interface.trigger{event="good", mode="sync", data={city="Oslo"}}',
    )
    assert.match(JSON.stringify(triggered), /"result":"Oslo"/)
  })
})
