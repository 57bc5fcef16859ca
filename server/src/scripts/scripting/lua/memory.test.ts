import { strict as assert } from 'node:assert'
import { describe, test } from 'node:test'
import { Lua, openLua, tryOpen } from '../../../../test/fixtures/lua.ts'

const mib = 1024 * 1024

/** Each needs more memory than it may have. */
const bombs: Readonly<Record<string, string>> = {
  'a text that doubles': 'local s = "x" while true do s = s .. s end',
  'a text of 100 MB': 'local s = ("x"):rep(1e8)',
  'a list that grows': 'local t = {} for i = 1, 1e9 do t[i] = i end',
  'texts that are kept': 'local t = {} for i = 1, 1e9 do t[i] = ("text"):rep(25) .. i end',
  'tables in tables': 'local t = {} while true do t = {t, {}, {}} end',
  closures: 'local t = {} for i = 1, 1e9 do t[i] = function() return i end end',
  coroutines: 'local t = {} while true do t[#t + 1] = coroutine.wrap(coroutine.yield) t[#t]() end',
  'a gsub that multiplies':
    'local s = ("x"):rep(1e6) while true do s = s:gsub(("x"):rep(99), "%0%0") end',
  'a concat of a list':
    'local t = {} for i = 1, 1000 do t[i] = ("x"):rep(1e5) end return table.concat(t)',
  'formats of long texts':
    'local s = ("x"):rep(1e6) while true do s = string.format("%s%s", s, s) end',
  'a text of many pieces':
    'local s = ("x"):rep(8e6) return s .. s .. s .. s .. s .. s .. s .. s .. s',
}

for (const megabytes of [16, 64]) {
  describe(`${megabytes} MB are the limit`, () => {
    const limits = { memoryBytesMax: megabytes * mib, cpuMsMax: 1_000_000 }
    for (const [name, bomb] of Object.entries(bombs)) {
      test(`${name}: the call ends, the machine goes on`, () => {
        const source = `if a then return a + 1 end ${bomb}`
        const lua = openLua({ source, limits })
        const ended = lua.end()
        assert('limit' in ended && ended.limit === 'memory', JSON.stringify(ended))
        assert.deepEqual(ended.error, {
          type: 'ServerError',
          error: 'limit memory: not enough memory, at main.lua:1',
          status: 507,
        })
        assert.deepEqual(ended.trace, ['main.lua:1'])
        assert(!lua.machine.dead)
        assert(lua.machine.bytes <= megabytes * mib, `${lua.machine.bytes}`)
        assert.equal(lua.value(1), 2)
      })
    }
  })
}

test('a recursion without end is an error of the script, with its line', () => {
  const source = 'if a then return a end local function f()\nreturn 1 + f() end f()'
  for (const megabytes of [16, 128]) {
    const lua = openLua({ source, limits: { memoryBytesMax: megabytes * mib } })
    const ended = lua.end()
    assert('error' in ended)
    assert.equal(ended.error.error, 'main.lua:2: stack overflow')
    assert.equal(ended.error.status, 500)
    assert(!lua.machine.dead)
    assert.equal(lua.value(7), 7)
  }
})

test('a recursion may be as deep as in LuaJIT, and many results are unpacked', () => {
  const deep =
    'local function f(n) if n == 0 then return 0 end return 1 + f(n - 1) end return f(15000)'
  assert.equal(openLua({ source: deep }).value(), 15_000)
  const many = 'local t = {} for i = 1, 60000 do t[i] = i end return select("#", unpack(t))'
  assert.equal(openLua({ source: many }).value(), 60_000)
})

test('a source that nests too deeply is an ordinary error', () => {
  for (const [open, close] of ['()', '{}'].map((pair) => [pair[0], pair[1]])) {
    const source = `return load('return ' .. ('${open}'):rep(1e4) .. ('${close}'):rep(1e4))`
    const lua = openLua({ source: `local f, e = (function() ${source} end)() return e` })
    assert.match(String(lua.value()), /overflow|too many/)
  }
})

test('a script may catch that there is no memory, and go on', () => {
  const lua = openLua({
    source: `
      local done, problem = pcall(string.rep, 'x', 1e9)
      return {done, problem, ('x'):rep(10)}`,
  })
  assert.deepEqual(lua.value(), [false, 'not enough memory', 'xxxxxxxxxx'])
})

test('memory is one for all calls of a solution', () => {
  const source =
    'if a then kept = nil return 1 end kept = kept or {} kept[#kept + 1] = ("x"):rep(1e6) .. #kept'
  const lua = openLua({ source, limits: { memoryBytesMax: 8 * mib } })
  const ends = Array.from({ length: 20 }, () => lua.end())
  assert(ends.some((end) => 'limit' in end && end.limit === 'memory'))
  assert.equal(ends[0]?.kind, 'returned')
  assert.equal(lua.value(true), 1)
  assert.equal(lua.end().kind, 'returned')
})

test('an argument for which there is no memory ends the call alone', () => {
  const source =
    'if a == 1 then local t = {} while true do t[#t + 1] = ("x"):rep(1000) .. #t end end return #a'
  const lua = openLua({
    source: `kept = kept or {} ${source}`,
    limits: { memoryBytesMax: 3 * mib },
  })
  const text = 'x'.repeat(900_000)
  assert.equal(lua.value(text), text.length)
  const full = openLua({
    source: `
      if a == 'fill' then
        kept = {}
        pcall(function() while true do kept[#kept + 1] = ('x'):rep(20000) .. #kept end end)
        return #kept > 10
      end
      return #a`,
    limits: { memoryBytesMax: 3 * mib },
  })
  assert.equal(full.value('fill'), true)
  const ended = full.end([text])
  assert('limit' in ended && ended.limit === 'memory', JSON.stringify(ended))
  assert(!full.machine.dead)
  assert.equal(full.value('xy'), 2)
})

test('a machine without room for its prelude or its chunks fails with its limit', () => {
  const chunk = {
    name: 'large.lua',
    source: 'large = {} for i = 1, 1e7 do large[i] = i end',
    role: { kind: 'plain' },
  } as const
  const problem = tryOpen({ chunks: [chunk], limits: { memoryBytesMax: 2 * mib } })
  assert(!(problem instanceof Lua))
  assert('limit' in problem && problem.limit === 'memory', JSON.stringify(problem))
})
