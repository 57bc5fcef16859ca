import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import type { ScriptValue } from '../../src/scripts/scripting/index.ts'
import { type Lua, openLua } from '../fixtures/lua.ts'
import { collectGarbage } from '../fixtures/operation/garbage.ts'

const mib = 1024 * 1024
/** A million in script-host.md's measurement; a leak of 100 bytes a call shows here as well. */
const calls = 100_000

/** Live memory of this thread, with nothing left to collect. */
function usedBytes(): number {
  collectGarbage()
  const { heapUsed, arrayBuffers, external } = process.memoryUsage()
  return heapUsed + arrayBuffers + external
}

function soak(lua: Lua, from: number, to: number): void {
  const event: ScriptValue = { type: 'data_in', payload: [{ values: { a: '1', b: 'two' } }] }
  for (let index = from; index < to; index += 1) {
    const kind = ['plain', 'plain', 'plain', 'asks', 'fails'][index % 5] ?? ''
    const ended = lua.end([kind, event, index], { answer: ({ args }) => args })
    assert.equal(ended.kind, kind === 'fails' ? 'failed' : 'returned', JSON.stringify(ended))
  }
}

test('calls, service calls and errors by the thousand leave no memory behind', () => {
  const lua = openLua({
    source: `
      if a == 'fails' then error({error = 'number ' .. c}) end
      if a == 'asks' then return Http.post{body = to_json(b), number = c} end
      return {seen = b.payload[1].values, number = c}`,
    services: ['http'],
  })
  soak(lua, 0, calls / 10)
  const before = { used: usedBytes(), machine: lua.machine.bytes }
  soak(lua, calls / 10, calls)
  assert.equal(lua.machine.bytes, before.machine)
  const grown = usedBytes() - before.used
  assert(grown < 20 * mib, `${grown} bytes`)
})

test('hundreds of machines live side by side, each within two megabytes of its memory', () => {
  const machines = Array.from({ length: 300 }, () => openLua({ source: 'return a' }))
  for (const [index, lua] of machines.entries()) assert.equal(lua.value(index), index)
  const bytes = machines.reduce((sum, lua) => sum + lua.machine.bytes, 0)
  assert(bytes <= machines.length * 2 * mib, `${bytes}`)
})

test('machines that are stopped one after another can always be made again', () => {
  for (let index = 0; index < 200; index += 1) {
    const lua = openLua({ source: 'while true do end', limits: { cpuMsMax: 2 } })
    assert.equal(lua.end().kind, 'stopped')
    assert(lua.machine.dead)
  }
  assert.equal(openLua({ source: 'return a' }).value(1), 1)
})

test('a machine that ran out of memory thirty times still works', () => {
  const lua = openLua({
    source:
      'if a then return a end local t = {} while true do t[#t + 1] = ("x"):rep(1e5) .. #t end',
    limits: { memoryBytesMax: 4 * mib },
  })
  for (let index = 0; index < 30; index += 1) {
    const ended = lua.end()
    assert('limit' in ended && ended.limit === 'memory', JSON.stringify(ended))
    assert.equal(lua.value(index), index)
  }
  assert(lua.machine.bytes <= 4 * mib)
})
