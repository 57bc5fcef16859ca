import { strict as assert } from 'node:assert'
import { describe, test } from 'node:test'
import { Lua, openLua, runEnd, ticks, tryOpen } from '../../../../test/fixtures/lua.ts'
import { threadMs } from '../../../foundation/kernel/index.ts'

const wallMs = 200
/** A system counts a thread's CPU in steps of some milliseconds. */
const slackMs = 20
/** CPU after which a script past its time has been ended, however little it was given. */
const endedMs = 400

/** Each would run for ever, or for minutes, and most look away from errors. */
const endless: Readonly<Record<string, string>> = {
  'a loop': 'while true do end',
  'a repeat': 'repeat until false',
  'a numeric for': 'for i = 1, math.huge do end',
  'a goto': '::again:: goto again',
  'a tail recursion': 'local function f() return f() end f()',
  'a recursion that is caught, for ever':
    'local function f() return 1 + f() end while true do pcall(f) end',
  'a pcall that swallows': 'while true do pcall(function() while true do end end) end',
  'an xpcall whose handler spins':
    'xpcall(function() error("x") end, function() while true do end end)',
  'an xpcall that spins with a handler that spins':
    'local function s() while true do end end while true do xpcall(s, s) end',
  'a coroutine': 'coroutine.wrap(function() while true do end end)()',
  'a coroutine in a coroutine':
    'coroutine.wrap(function() coroutine.wrap(function() while true do end end)() end)()',
  'a coroutine whose errors are caught':
    'while true do coroutine.resume(coroutine.create(function() while true do end end)) end',
  'a flood of coroutines': 'while true do coroutine.wrap(function() coroutine.yield() end)() end',
  'a __close':
    'do local x <close> = setmetatable({}, {__close = function() while true do end end}) end',
  'the function of a gsub': '("x"):gsub(".", function() while true do end end)',
  'the comparison of a sort': 'table.sort({3, 2, 1}, function() while true do end end)',
  'a sort whose comparison lies':
    'local t = {} for i = 1, 1e5 do t[i] = i end ' +
    'while true do pcall(table.sort, t, function() return true end) end',
  'a loaded chunk': 'load("while true do end")()',
  'a load whose reader never ends': 'load(function() return " " end)',
  'a metamethod that calls itself':
    'local t = setmetatable({}, {__index = function(t, k) return t[k + 1] end}) ' +
    'while true do pcall(function() return t[1] end) end',
  'a pattern that goes back and forth': '("a"):rep(300):find(".-.-.-.-b$")',
  'a repetition of nothing': 'local s = (""):rep(1e9) local t = (""):rep(1e9)',
  'a move of nothing': 'table.move({}, 1, 1e9, 2)',
  'an insert far before its list': 'table.insert({}, 0/0, 1)',
  'a repetition of a megabyte': 'while true do local s = ("x"):rep(1000000) end',
  'JSON of a large table':
    'local t = {} for i = 1, 40000 do t[i] = i end while true do to_json(t) end',
  'JSON of a large text':
    'local s = "[" .. ("1,"):rep(20000) .. "1]" while true do from_json(s) end',
  'JSON that is refused': 'local s = ("["):rep(100000) while true do from_json(s) end',
  'a log of large lines': 'local s = ("x"):rep(1000000) while true do print(s) end',
  dates: 'local f = ("%c"):rep(500) while true do os.date(f) end',
  'formats of dates that are refused':
    'local f = ("%c"):rep(5e6) while true do pcall(os.date, f) end',
  'names of modules that are long': 'local f = ("x"):rep(1e7) while true do pcall(require, f) end',
  'long texts that are copied': 'local s = ("x"):rep(4e6) while true do local t = s:sub(2) end',
  'JSON of a text that is too long': 'local s = ("x"):rep(1e7) while true do pcall(to_json, s) end',
  formats: 'while true do string.format("%d", 5.7) end',
  'a collector that never rests':
    'local t = {} for i = 1, 1e5 do t[i] = {} end ' + 'while true do collectgarbage() end',
}

const placePattern = String.raw`, at (main\.lua|\[string ".*"\]):1`

describe('a script that does not end is ended by its time', () => {
  for (const [name, source] of Object.entries(endless)) {
    test(name, () => {
      const lua = openLua({ source, limits: { cpuMsMax: 1_000_000 } })
      const before = threadMs()
      const ended = lua.end([], { wallMs })
      const took = threadMs() - before
      assert.equal(ended.kind, 'stopped', JSON.stringify(ended))
      assert('limit' in ended)
      assert.equal(ended.limit, 'time')
      assert.equal(ended.error.status, 504)
      assert.equal(ended.error.type, 'ServerError')
      // A stack that is full has no room to look for the place.
      const place = name.startsWith('a recursion') ? `(${placePattern})?` : placePattern
      assert.match(ended.error.error, new RegExp(`^limit time: more than 200 ms${place}$`))
      assert(took < endedMs, `${took} ms of CPU`)
      assert(lua.machine.dead)
      assert.equal(openLua({ source: 'return a + 1' }).value(1), 2)
    })
  }
})

test('a finalizer is refused, and so cannot spin', () => {
  const lua = openLua({
    source: 'return select(2, pcall(setmetatable, {}, {__gc = function() while true do end end}))',
  })
  assert.match(String(lua.value()), /__gc is not allowed/)
  const later = openLua({
    source: `
      local mt = {} local t = setmetatable({}, mt)
      mt.__gc = function() while true do end end
      t = nil collectgarbage() collectgarbage() return 'alive'`,
  })
  assert.equal(later.value(), 'alive')
})

test('a script that computes for too long is ended by its CPU, and says where it was', () => {
  const lua = openLua({ source: '\nwhile true do end', limits: { cpuMsMax: 5 } })
  const { cpuMs, ...ended } = lua.end()
  assert.deepEqual(ended, {
    kind: 'stopped',
    limit: 'cpu',
    error: {
      type: 'ServerError',
      error: 'limit cpu: more than 5 ms of CPU, at main.lua:2',
      status: 504,
    },
    trace: ['main.lua:2'],
  })
  assert(cpuMs > 5, `${cpuMs}`)
  assert(lua.machine.dead)
})

/** Work whose cost grows with its input, so that few loops turn for much of it. */
const bulky: Readonly<Record<string, string>> = {
  'copies of a long text': 'local s = ("x"):rep(8e6) while true do local t = s:sub(2) end',
  'long texts put together': 'local s = ("x"):rep(4e6) while true do local t = s .. "y" end',
  'names of modules that are long': 'local f = ("x"):rep(1e7) while true do pcall(require, f) end',
  'long texts that are packed':
    'local s = ("x"):rep(4e6) while true do local t = string.pack("z", s) end',
  'formats of a long text':
    'local s = ("x"):rep(4e6) while true do local t = ("%s."):format(s) end',
  'errors that are values': 'while true do pcall(error, {}) end',
  'errors with long texts': 'local s = ("x"):rep(4e6) while true do pcall(error, s) end',
  'JSON that is read': 'local s = "[" .. ("1,"):rep(20000) .. "1]" while true do from_json(s) end',
  'JSON that is written': 'local t = {("x"):rep(9e5)} while true do to_json(t) end',
  'a sort': 'local t = {} while true do for i = 1, 1e5 do t[i] = -i end table.sort(t) end',
  'a concat': 'local t = {} for i = 1, 1e5 do t[i] = "text" end while true do table.concat(t) end',
  'a pattern': 'local s = ("a"):rep(1e5) while true do s:find("a-b") end',
  'sources that are loaded': 'local s = ("x=1 "):rep(1e5) while true do load(s) end',
}

describe('a script that uses much for few turns of its loops is ended by its CPU', () => {
  for (const [name, source] of Object.entries(bulky)) {
    test(name, () => {
      const lua = openLua({ source, limits: { cpuMsMax: 100 } })
      const before = threadMs()
      const ended = lua.end([], { wallMs: 3_600_000 })
      const usedMs = threadMs() - before
      assert('limit' in ended && ended.limit === 'cpu', JSON.stringify(ended))
      assert.match(ended.error.error, /^limit cpu: more than 100 ms of CPU, at main\.lua:1$/)
      // The reported CPU is that of the thread, as exactly as the system counts it.
      assert(ended.cpuMs > 100, `${ended.cpuMs} ms`)
      assert(ended.cpuMs < usedMs + slackMs, `${ended.cpuMs} of ${usedMs} ms`)
      assert(usedMs < ended.cpuMs + 100, `${usedMs} of ${ended.cpuMs} ms`)
    })
  }
})

test('each copy of a long text comes to be looked at', () => {
  const megabytes = (count: number) => `
    local s = ("x"):rep(4e6) for i = 1, ${count} / 4 do local t = s:sub(2) end`
  const countTicks = (source: string) => {
    const from = ticks()
    assert.equal(runEnd(source, { limits: { cpuMsMax: 600_000 } }).kind, 'returned')
    return ticks() - from
  }
  const few = countTicks(megabytes(40))
  const many = countTicks(megabytes(440))
  assert(many - few >= 400 / 4, `${few} and ${many} ticks`)
})

test('CPU is counted over all steps of a call, and not over its neighbours', () => {
  const source = 'for i = 1, 10 do for j = 1, 1e6 do end Http.get{} end return 1'
  const lua = openLua({ source, services: ['http'], limits: { cpuMsMax: 10_000 } })
  const first = lua.end()
  // The first one may take several times as long: the engine compiles while it runs.
  const second = lua.end()
  assert.equal(first.kind, 'returned')
  assert.equal(second.kind, 'returned')
  assert(second.cpuMs > 10, `${second.cpuMs}`)
  const less = openLua({ source, services: ['http'], limits: { cpuMsMax: second.cpuMs / 4 } })
  const stopped = less.end()
  assert('limit' in stopped && stopped.limit === 'cpu', JSON.stringify(stopped))
  assert(stopped.cpuMs < second.cpuMs, `${stopped.cpuMs} of ${second.cpuMs}`)
})

test('after a stop every other call of the machine ends with a lost worker', () => {
  const lua = openLua({ source: 'if a then while true do end end Http.get{}', services: ['http'] })
  assert.equal(lua.start('main', []).kind, 'serviceCall')
  const waiting = lua.call
  assert.equal(lua.end([true], { wallMs: 20 }).kind, 'stopped')
  const lost = lua.machine.resume(waiting, 1)
  assert('limit' in lost && lost.limit === 'worker', JSON.stringify(lost))
  assert.equal(lost.error.status, 503)
  const next = lua.start('main', [])
  assert('limit' in next && next.limit === 'worker', JSON.stringify(next))
})

test('a chunk that spins while the machine is made gives the problem in place of a machine', () => {
  const chunk = { name: 'spin.lua', source: 'while true do end', role: { kind: 'plain' } } as const
  const problem = tryOpen({ chunks: [chunk], limits: { wallMsMax: 50 } })
  assert(!(problem instanceof Lua))
  assert('limit' in problem && problem.limit === 'time', JSON.stringify(problem))
})
