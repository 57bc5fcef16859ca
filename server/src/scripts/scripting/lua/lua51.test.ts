import { strict as assert } from 'node:assert'
import { describe, test } from 'node:test'
import {
  lua51Lines,
  openLua,
  runEnd,
  runError,
  runResult,
  withoutLines,
} from '../../../../test/fixtures/lua.ts'

/** Each row: an expression, or a body with `return`, and the list of its results. */
function rows(of: Readonly<Record<string, readonly unknown[]>>): void {
  for (const [code, expected] of Object.entries(of)) {
    test(code, () => {
      const body = code.includes('return') ? code : `return ${code}`
      const found = runResult(
        `local r = {(function() ${body} end)()} for i = 1, 9 do r[i] = tostring(r[i]) end return r`,
      ) as readonly string[]
      const wanted = expected.map((value) => (value === null ? 'nil' : String(value)))
      assert.deepEqual(found.slice(0, wanted.length), wanted)
      assert.deepEqual(new Set(found.slice(wanted.length)), new Set(['nil']))
    })
  }
}

describe('an argument with a fraction is truncated if an integer is expected', () => {
  rows({
    '("abcdef"):sub(1, #("abcde") / 2)': ['ab'],
    '("abcdef"):sub(-2.9)': ['ef'],
    '("abcdef"):sub("2.5")': ['bcdef'],
    '("x"):rep(2.5)': ['xx'],
    'string.char(65.5, "66.9")': ['AB'],
    '("abc"):byte(1.5)': [97],
    '("abcabc"):find("c", 3.9)': [3, 3],
    '("abcabc"):match("c()", 3.9)': [4],
    '("aaa"):gsub("a", "b", 1.9)': ['baa', 1],
    'select(1.5, "a", "b")': ['a', 'b'],
    'select(-1.5, "a", "b")': ['b'],
    'unpack({1, 2, 3}, 1.5, 2.9)': [1, 2],
    'table.concat({1, 2, 3}, ",", 1.5, 2.9)': ['1,2'],
    'local t = {} table.insert(t, 3 / 2, "x") return t[1]': ['x'],
    'table.remove({1, 2, 3}, 1.9)': [1],
    'tonumber("10", 16.5)': [16],
    'math.random(2.9, 2.1)': [2],
    'math.ldexp(1, 2.9)': [4],
    'string.format("%d %x %c %u", 3.99, 255.5, 65.5, "7.5")': ['3 ff A 7'],
    'string.format("%d", -3.99)': ['-3'],
    'bit.band(1.5, 3), bit.tobit(2.5), bit.tobit(-1.5), bit.lshift(1, 1.5)': [2, 2, -2, 4],
    'math.tointeger(3.5), math.tointeger(3.0)': [null, 3],
  })
})

describe('lines of Lua 5.1', () => {
  for (const [code, expected] of lua51Lines()) {
    test(code.trim(), () => {
      const show = `local t, n = {}, select('#', ...)
        for i = 1, n do t[i] = tostring((select(i, ...))) end
        return table.concat(t, ' ')`
      const source = `return (function(...) ${show} end)((function() ${code}\nend)())`
      assert.equal(withoutLines(String(runResult(source))), expected)
    })
  }

  test('a local `arg` outside is seen behind `...`, and a parameter of that name is itself', () => {
    const outside =
      'local arg = 5 local function f(...) ' + 'local n = select("#", ...) return n + arg end'
    assert.equal(runResult(`${outside} return f(1)`), 6)
    assert.equal(runResult('local function f(arg, ...) return arg end return f(7, 8)'), 7)
  })

  test('a text that goes to a label is a jump', () => {
    assert.equal(runResult('local goto = 1 goto out goto = 2 ::out:: return goto'), 1)
  })

  test('globals that a call sets for itself are gone in the next one', () => {
    const source = `if a then setfenv(0, {x = 1}) end return loadstring('return x')()`
    const lua = openLua({ source })
    assert.deepEqual([lua.value(true), lua.value(false)], [1, undefined])
  })

  test('a proxy has no finalizer, and cannot leave', () => {
    const finalized = 'local p = newproxy(true) getmetatable(p).__gc = print local q = newproxy(p)'
    assert.match(runError(finalized), /__gc is not allowed/)
    const end = runEnd('return {newproxy()}')
    assert.equal(end.kind === 'failed' && end.error.error, 'the result holds a userdata')
  })
})

describe('comparisons', () => {
  const ordered = 'local mt = {__lt = function(a, b) return a.v < b.v end} '
  const two = `${ordered}local a, b = setmetatable({v = 1}, mt), setmetatable({v = 2}, mt) `
  rows({
    [`${two}return a <= b, b <= a, a <= a, a >= b`]: ['true', 'false', 'true', 'false'],
    'local mt = {} local t = setmetatable({}, mt) mt.__lt = function() end return t <= t': ['true'],
    'local t = setmetatable({}, {__le = function() return 1 end}) return t <= t, t >= t': [
      'true',
      'true',
    ],
    'return pcall(function() return {} <= 1 end)': [
      'false',
      'main.lua:1: attempt to compare table with number',
    ],
  })

  test('an error in __lt leaves <= as it was, also within a coroutine', () => {
    const source = `
      local mt = {__lt = function(a, b) if a.bad then error('bad', 0) end return a.v < b.v end}
      local function make(v, bad) return setmetatable({v = v, bad = bad}, mt) end
      local co = coroutine.wrap(function()
        local done, problem = pcall(function() return make(1) <= make(2, true) end)
        coroutine.yield(problem)
        coroutine.yield(make(1) <= make(2))
      end)
      return {co(), co()}`
    assert.deepEqual(runResult(source), ['bad', true])
  })

  test('__lt may call a service for <, and not for <=', () => {
    const source = `
      local mt = {__lt = function(a, b) return Http.get{} end}
      local a, b = setmetatable({}, mt), setmetatable({}, mt)
      local less = a < b
      local done, problem = pcall(function() return a <= b end)
      return {less, done, problem, a < b}`
    const lua = openLua({ source, services: ['http'] })
    const end = lua.end([], { answer: () => true })
    assert.equal(end.kind, 'returned')
    const value = end.kind === 'returned' ? end.value : undefined
    const [less, done, problem, again] = value as readonly unknown[]
    assert.deepEqual([less, done, again], [true, false, true])
    assert.match(String(problem), /a service cannot be called here/)
  })
})

describe('patterns', () => {
  rows({
    '("hello world"):gsub("%w*", "x")': ['xx xx', 4],
    '("a,b"):gsub("[^,]*", "<%0>")': ['<a><>,<b><>', 4],
    '("abc"):gsub("", "-")': ['-a-b-c-', 4],
    '("abc"):gsub("b*", "-")': ['-a--c-', 4],
    '("abc"):gsub("^b*", "-")': ['-abc', 1],
    '(""):gsub(".*", "-")': ['-', 1],
    '("abc"):gsub(".-", "-", 2)': ['-a-bc', 2],
    '("hello"):gsub("l", "%x")': ['hexxo', 2],
    '("hello"):gsub("l", "%%")': ['he%%o', 2],
    'local r = "" for w in ("a,b,,c"):gmatch("[^,]*") do r = r .. w .. "|" end return r': [
      'a||b|||c||',
    ],
    'local n = 0 for w in (""):gmatch("x*") do n = n + 1 end return n': [1],
    '("abc"):find("", 10)': [4, 3],
    '("abc"):find("x*", 10)': [4, 3],
    '("abc"):match("()$", 10)': [4],
    '("abc"):find("c", 10)': [null],
  })
  test('a replacement that ends with % is an error', () => {
    const error = /^main\.lua:1: invalid use of '%' in replacement string$/
    assert.match(runError('local s = ("x"):gsub("x", "%") return s'), error)
  })
})

describe('tables, numbers and times', () => {
  rows({
    'local t = {} table.insert(t, 5, "x") return t[5]': ['x'],
    'local t = {1, 2} table.insert(t, 0, "x") return t[0], t[1], t[2], t[3]': ['x', null, 1, 2],
    'local t = {1, 2, 3} return select("#", table.remove(t, 4)), #t': [0, 3],
    'local t = {1, 2, 3} return table.remove(t, -1), #t': [null, 3],
    'local t = {[0] = 7} return table.remove(t), t[0]': [null, 7],
    'local t = {1, 2, 3} return table.remove(t, 1), t[1], t[3]': [1, 2, null],
    'math.max("10", 9), math.max(1, "2", 1.5), math.min("3", 2, "1")': [10, 2, 1],
    'math.atan2(1, 1) == math.pi / 4, math.atan2("-1", 0) == -math.pi / 2': ['true', 'true'],
    'math.fmod(1, 0) ~= math.fmod(1, 0)': ['true'],
    'math.frexp(5e-324)': [0.5, -1073],
    'math.ldexp(0.5, -1073) == 5e-324, math.ldexp(0.5, 1024) == 2^1023': ['true', 'true'],
    'math.frexp("8")': [0.5, 4],
    'math.tanh(1e-300) == 1e-300': ['true'],
    'tonumber("3.7", 10), tonumber(10, 16), tonumber("zz", 36)': [3.7, 16, 1295],
    'bit.tobit("3.7"), bit.tobit(2^40 + 3), bit.tobit(1/0)': [4, 3, 0],
    'bit.tohex(1, 2.9), bit.tohex(255, 10), bit.tohex(1, 0)': ['001', '00000000ff', ''],
    'select("#", coroutine.running())': [1],
    'local co = coroutine.wrap(function() end) return select("#", co())': [0],
    'local co = coroutine.create(function() end) return select("#", coroutine.resume(co))': [1],
    'os.date("!%C|%h|%r|%G|%g|%V", 0)': ['19|Jan|12:00:00 AM|1970|70|01'],
    'os.date("!%k|%l|%P|%s|%u|%Z", 3600)': [' 1| 1|am|3600|4|GMT'],
    'os.date("!%G-%V", 1609459200), os.date("!%G-%V", 1230768000)': ['2020-53', '2009-01'],
    'os.date("%Ex %OH %EY %Q %EQ", 0)': ['01/01/70 00 1970 %Q %EQ'],
    'os.date("!%-d|%_d|%05d|%^a|%#p|%10Y|%-m/%-e", 0)': ['1| 1|00001|THU|am|0000001970|1/1'],
    'os.date("!%Y", "0"), os.date(5), os.date("!%S", -1.5)': [1970, 5, 59],
    'os.date("!%Y", 1e18)': [null],
    'os.time{year = "2020", month = " 2 ", day = "0x1d", hour = 0}': [1_582_934_400],
    'pcall(os.time, {year = 2020, month = "", day = true})': [
      'false',
      "field 'day' missing in date table",
    ],
    'os.difftime("10", 4)': [6],
  })
})

describe('an error of a library names the function and the line of the script', () => {
  const messages: Readonly<Record<string, string>> = {
    'math.random(0)': "bad argument #1 to 'random' (interval is empty)",
    'math.random({})': "bad argument #1 to 'random' (number expected, got table)",
    'math.randomseed("x")': "bad argument #1 to 'randomseed' (number expected, got string)",
    'math.max(1, "x")': "bad argument #2 to 'max' (number expected, got string)",
    'math.pow(2)': "bad argument #2 to 'pow' (number expected, got no value)",
    'math.sinh({})': "bad argument #1 to 'sinh' (number expected, got table)",
    'math.fmod({}, 1)': "bad argument #1 to 'fmod' (number expected, got table)",
    'setmetatable(1, {})': "bad argument #1 to 'setmetatable' (table expected, got number)",
    'collectgarbage("x")': "bad argument #1 to 'collectgarbage' (invalid option 'x')",
    'table.getn()': "bad argument #1 to 'getn' (table expected, got no value)",
    'table.foreach({})': "bad argument #2 to 'foreach' (function expected, got no value)",
    'unpack(nil)': "bad argument #1 to 'unpack' (table expected, got nil)",
    'for _ in pairs(nil) do end': "bad argument #1 to 'pairs' (table expected, got nil)",
    'for _ in ipairs() do end': "bad argument #1 to 'ipairs' (table expected, got no value)",
    'string.format("%d", {})': "bad argument #2 to 'format' (number expected, got table)",
    'string.format("%y", 1)': "invalid conversion '%y' to 'format'",
    'bit.band(1, {})': "bad argument #2 to 'band' (number expected, got table)",
    'bit.lshift(1)': "bad argument #2 to 'lshift' (number expected, got no value)",
    'bit32.extract(1, 32)': 'trying to access non-existent bits',
    'os.date({})': "bad argument #1 to 'date' (string expected, got table)",
    'os.date("%c", "x")': "bad argument #2 to 'date' (number expected, got string)",
    'os.difftime()': "bad argument #1 to 'difftime' (number expected, got no value)",
    'load({})': "bad argument #1 to 'load' (function expected, got table)",
    'coroutine.wrap(1)': "bad argument #1 to 'wrap' (function expected, got number)",
  }
  for (const [code, message] of Object.entries(messages)) {
    test(code, () => {
      assert.equal(runError(`local x = 1\n${code}\nreturn x`), `main.lua:2: ${message}`)
    })
  }

  test('a library function that nobody called by name is named all the same', () => {
    for (const name of ['string.rep', 'math.random', 'table.insert', 'setmetatable']) {
      const [, problem] = runResult(`return {pcall(${name}, "x", {}, 1)}`) as readonly string[]
      assert.doesNotMatch(String(problem), /\?|\[lua\]/, name)
    }
    assert.equal(
      runResult('return (select(2, pcall(string.rep)))'),
      "bad argument #1 to 'rep' (string expected, got no value)",
    )
  })

  test('an error of level 2 under a function of the prelude names the line that called it', () => {
    const source = 'local function each() error("here", 2) end\ntable.foreach({1}, each)\nreturn 1'
    assert.equal(runError(source), 'main.lua:2: here')
  })
})
