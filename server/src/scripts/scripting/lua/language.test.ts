import { strict as assert } from 'node:assert'
import { describe, test } from 'node:test'
import { openLua, runError, runResult } from '../../../../test/fixtures/lua.ts'

function results(rows: Readonly<Record<string, unknown>>): void {
  for (const [expression, expected] of Object.entries(rows)) {
    test(expression, () => {
      const source = expression.includes('return') ? expression : `return ${expression}`
      assert.deepEqual(structuredClone(runResult(source)), expected)
    })
  }
}

describe('Lua 5.1 as scripts in the field expect it', () => {
  results({
    _VERSION: 'Lua 5.1',
    'tostring(3.0)': '3',
    'tostring(10 / 2)': '5',
    '10 / 4': 2.5,
    'tostring(-2.0)': '-2',
    'tostring(1e15)': '1e+15',
    'tostring(2^53)': '9.007199254741e+15',
    'tostring(1487021046160363)': '1487021046160363',
    '"a" .. 1.0': 'a1',
    'tostring(0/0):gsub("-", "")': 'nan',
    'tostring(1/0)': 'inf',
    'select("#", unpack({1, 2, 3}))': 3,
    '{unpack({1, 2, 3}, 2)}': [2, 3],
    'return loadstring("return 1 + 1")()': 2,
    'return select(2, loadstring("return +"))':
      '[string "return +"]:1: unexpected symbol near \'+\'',
    'return load(function() return nil end) ~= nil': true,
    'table.getn({1, 2, 3})': 3,
    'table.maxn({[10] = true, [3] = true})': 10,
    'local keys = {} table.foreach({a = 1}, function(k, v) keys[k] = v end) return keys': { a: 1 },
    'return table.foreachi({4, 5}, function(i, v) if v == 5 then return i end end)': 2,
    'math.pow(2, 10)': 1024,
    'math.log10(1000)': 3,
    'math.mod(7, 3)': 1,
    'math.ldexp(0.5, 4)': 8,
    '{math.frexp(8)}': [0.5, 4],
    '{math.frexp(0)}': [0, 0],
    'math.cosh(0)': 1,
    'math.sinh(0)': 0,
    'math.tanh(1000)': 1,
    'math.random(2.9, 2.1)': 2,
    'math.randomseed(os.time() + 0.5) return true': true,
    'local words = {} for w in string.gfind("a b", "%a") do words[#words + 1] = w end return words':
      ['a', 'b'],
    'string.format("%d", 5.7)': '5',
    'string.format("%d", -5.7)': '-5',
    'string.format("%5.1f|%d|%x", 2.25, 3.9, 255.5)': '  2.2|3|ff',
    'string.format("%u %i", 7, 8.5)': '7 8',
    'string.format("%d%%", "12")': '12%',
    'string.format("%s", nil)': 'nil',
    'string.format("%q", "a\\n")': '"a\\\n"',
    'collectgarbage("count") > 0': true,
    'collectgarbage("stop")': 0,
    'pcall(error)': false,
    'os.getenv("PATH") == nil': true,
    'os.difftime(10, 4)': 6,
    'type(os.clock())': 'number',
    'os.time{year = 2020, month = 2, day = 29, hour = 0}': 1_582_934_400,
    'os.time{year = 2020, month = 1, day = 1}': 1_577_880_000,
    'os.date("!%Y-%m-%dT%H:%M:%SZ", 1582934400)': '2020-02-29T00:00:00Z',
    'os.date("%c", 0)': 'Thu Jan  1 00:00:00 1970',
    'os.date("%a %A %b %B %d %D %e %F %H %I %j", 1582934400)':
      'Sat Saturday Feb February 29 02/29/20 29 2020-02-29 00 12 060',
    'os.date("%m %M %p %R %S %T %u %U %w %W %x %X %y %Y %Z %%", 1582934400)':
      '02 00 AM 00:00 00 00:00:00 6 08 6 08 02/29/20 00:00:00 20 2020 UTC %',
    'os.date("*t", 1582934399)': {
      year: 2020,
      month: 2,
      day: 28,
      hour: 23,
      min: 59,
      sec: 59,
      wday: 6,
      yday: 59,
      isdst: false,
    },
    'math.abs(os.time() - os.time(os.date("*t"))) <= 1': true,
    'getmetatable("")': false,
    '("x"):rep(3)': 'xxx',
    '#"é"': 2,
    'coroutine.running() == nil': true,
  })
})

describe('what is gone', () => {
  for (const name of ['io', 'dofile', 'loadfile', 'debug', 'package', 'warn', 'string.dump']) {
    test(name, () => assert.equal(runResult(`return ${name}`), undefined))
  }

  test('os has six functions', () => {
    const names = runResult(
      'local t = {} for k in pairs(os) do t[#t+1] = k end table.sort(t) return t',
    )
    assert.deepEqual(names, ['clock', 'date', 'difftime', 'getenv', 'now', 'time'])
  })

  test('nothing of the host stands among the globals', () => {
    const names = runResult(
      'local t = {} for k in pairs(_G) do t[#t + 1] = k end table.sort(t) return t',
    )
    const wanted = `_G _VERSION assert bench bit bit32 collectgarbage context coroutine error
      from_json gcinfo getfenv getmetatable ipairs json load loadstring log main math module murano
      newproxy next os pairs pcall print rawequal rawget rawlen rawset require select setfenv
      setmetatable string table to_json tonumber tostring type unpack utf8 xpcall`
    assert.deepEqual(names, wanted.split(/\s+/))
  })
})

describe('environments of functions', () => {
  results({
    'x = 1 local f = function() return x end setfenv(f, {x = 2}) return f()': 2,
    'local f = function() return 1 end return getfenv(f) == _G': true,
    'getfenv() == _G': true,
    'getfenv(0) == _G': true,
    'getfenv(print) == _G': true,
    'local f = loadstring("y = 5") local e = {} setfenv(f, e) f() return {e.y, y == nil}': [
      5,
      true,
    ],
    'local e = {v = 9} local function f() setfenv(1, e) return v end return f()': 9,
    'local e = {} local f = function() end return setfenv(f, e) == f': true,
    'local f = load("return x", "c", "t", {x = 3}) return f()': 3,
    'x = 1 local function a() return x end local b = load("return x") setfenv(a, {}) return b()': 1,
  })
  test('functions of the platform keep theirs', () => {
    const lua = openLua({
      source: `
        if a == nil then return {pcall(setfenv, load, {})} end
        return load("return x", "c", "t", {x = 3})()`,
    })
    const [done, problem] = lua.value() as unknown[]
    assert.equal(done, false)
    assert.match(String(problem), /'setfenv' cannot change environment of given object/)
    assert.equal(lua.value(true), 3)
    assert.match(runError('setfenv(pcall, {})'), /^main\.lua:1: 'setfenv' cannot change/)
  })
  test('a level that there is not is an error', () => {
    assert.match(runError('getfenv(100)'), /^main\.lua:1: .*invalid level/)
    assert.match(runError('setfenv(1, nil)'), /^main\.lua:1: bad argument #2 to 'setfenv'/)
  })
})

describe('bit and bit32', () => {
  results({
    'bit.band(0xff, 0x0f)': 15,
    'bit.bor(1, 2, 4)': 7,
    'bit.bxor(0xff, 0x0f)': 0xf0,
    'bit.bnot(0)': -1,
    'bit.tobit(0xffffffff)': -1,
    'bit.tobit(2^31)': -(2 ** 31),
    'bit.lshift(1, 31)': -(2 ** 31),
    'bit.lshift(1, 32)': 1,
    'bit.rshift(-1, 28)': 15,
    'bit.arshift(-256, 4)': -16,
    'bit.rol(0x12345678, 12)': 0x45678123,
    'bit.ror(0x12345678, 12)': 0x67812345,
    'bit.bswap(0x12345678)': 0x78563412,
    'bit.tohex(255)': '000000ff',
    'bit.tohex(-1, 4)': 'ffff',
    'bit.tohex(0xabc, -4)': '0ABC',
    'bit32.band(0xffffffff, -1)': 0xffffffff,
    'bit32.bnot(0)': 0xffffffff,
    'bit32.lshift(1, 31)': 2 ** 31,
    'bit32.lshift(1, 32)': 0,
    'bit32.lshift(8, -2)': 2,
    'bit32.rshift(0x80000000, 31)': 1,
    'bit32.arshift(0x80000000, 31)': 0xffffffff,
    'bit32.lrotate(0x80000001, 1)': 3,
    'bit32.rrotate(1, 1)': 2 ** 31,
    'bit32.btest(6, 1)': false,
    'bit32.extract(0xabcd, 4, 8)': 0xbc,
    'bit32.replace(0, 0xf, 4, 4)': 0xf0,
  })
})

describe('JSON', () => {
  results({
    'to_json({})': '{}',
    'to_json({1, 2})': '[1,2]',
    'to_json({a = "x"})': '{"a":"x"}',
    'to_json(nil)': 'null',
    'to_json(5.0)': '5',
    'to_json(0/0)': 'null',
    'to_json(1/0)': 'null',
    'to_json("\\"\\n\\0é")': '"\\"\\n\\u0000é"',
    'to_json("a\\255b")': '"a\ufffdb"',
    'to_json(from_json("[]"))': '[]',
    'to_json({a = json.null, 1})': '{"1":1,"a":null}',
    'getmetatable(from_json("[]")).__type': 'slice',
    'to_json(setmetatable({}, {__type = "slice"}))': '[]',
    'from_json("[1,null,3]")[3]': 3,
    '#from_json("[1,null,3]")': 3,
    '#from_json("\\239\\187\\191[1]")': 1,
    'json.is_null(from_json("[null]")[1])': true,
    'json.is_null(from_json("{\\"a\\":null}").a)': true,
    'json.is_null(false)': false,
    'from_json("{\\"a\\":null}").a == nil': true,
    'tostring(json.null)': 'null',
    'json.parse("{\\"a\\":{\\"b\\":[1.5]}}").a.b[1]': 1.5,
    'json.stringify({1})': '[1]',
    'from_json("9007199254740991") == 9007199254740991': true,
    'select("#", from_json("null")) == 1 and from_json("null") == nil': true,
  })
  test('what is no JSON gives nil and a sentence', () => {
    for (const argument of [
      '"{"',
      '"nothing"',
      '""',
      'nil',
      '{}',
      '("["):rep(100) .. ("]"):rep(100)',
    ]) {
      const given = runResult(`local v, e = from_json(${argument}) return {v == nil, type(e), e}`)
      assert.deepEqual((given as unknown[]).slice(0, 2), [true, 'string'], argument)
      assert.doesNotMatch(String((given as unknown[])[2]), /node:|\.ts|\n/)
    }
  })
  test('what has no JSON is an error at the line of the script', () => {
    assert.equal(runError('\nto_json(print)'), 'main.lua:2: a function cannot be written as JSON')
    assert.equal(
      runError('local t = {} t.t = t to_json(t)'),
      'main.lua:1: tables more than 64 deep cannot be written as JSON',
    )
  })
})

describe('the log', () => {
  test('print and the levels write lines, their values with tabs between', () => {
    const lua = openLua({
      source: `
        print('a', 1.0, nil, true) log.debug('d') log.info('i', 2) log.warn('w') log.error('e')
        print() print('\\255')`,
    })
    lua.end()
    assert.deepEqual(lua.lines, [
      ...['info a\t1\tnil\ttrue', 'debug d', 'info i\t2', 'warn w', 'error e'],
      ...['info ', 'info \ufffd'],
    ])
  })
})
