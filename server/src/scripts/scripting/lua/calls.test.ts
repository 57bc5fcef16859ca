import { strict as assert } from 'node:assert'
import { describe, test } from 'node:test'
import {
  Lua,
  luaEngine,
  openLua,
  runEnd,
  runError,
  runResult,
  type ServiceCallStep,
  tryOpen,
} from '../../../../test/fixtures/lua.ts'
import type { ScriptValue } from '../runtime/value.ts'

const services = ['http', 'device2', 'myPump']

function asks(
  source: string,
  answer: (asked: ServiceCallStep) => ScriptValue = ({ args }) => args,
) {
  const asked: unknown[] = []
  const ended = openLua({ source, services }).end([], {
    answer(one) {
      asked.push([one.service, one.operation, structuredClone(one.args)])
      return answer(one)
    },
  })
  assert.equal(ended.kind, 'returned', JSON.stringify(ended))
  return { asked, value: 'value' in ended ? structuredClone(ended.value) : undefined }
}

describe('a service call', () => {
  test('calls a service, and continues with the answer', () => {
    const { asked, value } = asks('return {Http.get{url = "x"}, 2}', () => ({ status: 200 }))
    assert.deepEqual(asked, [['http', 'get', { url: 'x' }]])
    assert.deepEqual(value, [{ status: 200 }, 2])
  })

  test('is spelled with a large or a small letter, raw or by name', () => {
    const { asked } = asks(`
      http.a() Http.b(1) murano.services.http.c() murano.services.Http.d()
      murano.service_call('http', 'e', {}) murano.service_call('Http', 'f')
      myPump.g() MyPump.h() murano.service_call('unknown', 'i')`)
    assert.deepEqual(
      asked.map((one) => (one as string[]).slice(0, 2).join('.')),
      [
        ...['http.a', 'http.b', 'http.c', 'http.d', 'http.e', 'http.f'],
        ...['myPump.g', 'myPump.h', 'unknown.i'],
      ],
    )
  })

  test('may be overloaded, and reached raw below its overload', () => {
    const { asked, value } = asks(
      `
      function Device2.getIdentity(args)
        local found = murano.services.device2.getIdentity(args)
        found.own = true
        return found
      end
      return {Device2.getIdentity{identity = 'x'}, device2.getIdentity{identity = 'y'}}`,
    )
    assert.deepEqual(asked, [
      ['device2', 'getIdentity', { identity: 'x' }],
      ['device2', 'getIdentity', { identity: 'y' }],
    ])
    assert.deepEqual(value, [
      { identity: 'x', own: true },
      { identity: 'y', own: true },
    ])
    assert.deepEqual(asks('_G.Device2 = {x = 1} return Device2.x').value, 1)
    assert.match(
      runError('murano.services.http.get = print', { services }),
      /^main\.lua:1: murano\.services\.http cannot be changed$/,
    )
  })

  test('passes through pcall, coroutines, metamethods and iterators', () => {
    const passing = [
      'return select(2, pcall(Http.get, 5))',
      'return select(2, xpcall(function() return Http.get(5) end, print))',
      'return coroutine.wrap(function() return Http.get(5) end)()',
      'local f = coroutine.wrap(function() coroutine.yield(Http.get(5)) end) return f()',
      `return coroutine.wrap(function()
         return coroutine.wrap(function() return pcall(Http.get, 5) and Http.get(5) end)()
       end)()`,
      'local co = coroutine.create(Http.get) return select(2, coroutine.resume(co, 5))',
      'return setmetatable({}, {__index = function() return Http.get(5) end}).x',
      'return setmetatable({}, {__call = function() return Http.get(5) end})()',
      'return setmetatable({}, {__add = function() return Http.get(5) end}) + 1',
      'for x in function(_, x) if not x then return Http.get(5) end end do y = x end return y',
      'local f = load("return Http.get(5)") return f()',
    ]
    for (const source of passing) assert.equal(asks(source).value, 5, source)
  })

  test('is an error that can be caught where C code stands between', () => {
    const between = [
      'table.sort({2, 1}, function(a, b) Http.get() return a < b end)',
      '("x"):gsub("x", function() Http.get() end)',
      'tostring(setmetatable({}, {__tostring = function() return Http.get() end}))',
    ]
    for (const source of between) {
      assert.match(runError(source, { services }), /a service cannot be called here/, source)
      assert.equal(runEnd(`return pcall(function() ${source} end)`, { services }).kind, 'returned')
    }
  })

  test('fails as a value, not as an error', () => {
    const failed = { type: 'QueryError', error: 'no', status: 404 }
    assert.deepEqual(asks('return Http.get().status', () => failed).value, 404)
  })

  test('counts: past the limit the call ends, the machine goes on', () => {
    const lua = openLua({
      source: 'for i = 1, a do Http.get() end return a',
      services,
      limits: { serviceCallsMax: 3 },
    })
    assert.equal(lua.value(3), 3)
    const ended = lua.end([4])
    assert('limit' in ended && ended.limit === 'service_calls', JSON.stringify(ended))
    assert.deepEqual(ended.error, {
      type: 'QueryError',
      error: 'limit service_calls: more than 3 service calls',
      status: 429,
    })
    assert(!lua.machine.dead)
    assert.equal(lua.value(3), 3)
  })

  test('whose answer comes too late ends the call, the machine goes on', async () => {
    const lua = openLua({ source: 'return Http.get()', services })
    assert.equal(lua.start('main', [], { wallMs: 1 }).kind, 'serviceCall')
    const begun = performance.now()
    while (performance.now() - begun < 5);
    const ended = lua.machine.resume(lua.call, 1)
    assert('limit' in ended && ended.limit === 'time', JSON.stringify(ended))
    assert(!lua.machine.dead)
    assert.equal(lua.end().kind, 'returned')
  })
})

describe('calls of one machine', () => {
  test('go on in any order, each with its own context', () => {
    const source = 'local id = context.tracking_id Http.get() return {a, id, context.tracking_id}'
    const lua = openLua({ source, services })
    const calls = [1, 2, 3].map((arg) => {
      assert.equal(lua.start('main', [arg]).kind, 'serviceCall')
      return lua.call
    })
    for (const call of [2, 0, 1]) {
      const ended = lua.machine.resume(calls[call] ?? 0, 'x')
      const id = `t${call + 1}`
      assert.deepEqual('value' in ended && ended.value, [call + 1, id, id])
    }
  })

  test('share globals, and keep locals apart', () => {
    const lua = openLua({
      source: 'count = (count or 0) + 1 local mine = count Http.get() return {mine, count}',
      services,
    })
    lua.start('main', [])
    const first = lua.call
    lua.start('main', [])
    const ended = lua.machine.resume(first, 1)
    assert.deepEqual('value' in ended && ended.value, [1, 2])
  })

  test('a cancelled call is over, and what it had to close is closed', () => {
    const source = `
      if a then return closed end
      local x <close> = setmetatable({}, {__close = function() closed = 'yes' end})
      Http.get()`
    const lua = openLua({ source, services })
    lua.start('main', [])
    lua.machine.cancel(lua.call)
    assert.equal(lua.machine.resume(lua.call, 1).kind, 'stopped')
    assert.equal(lua.value(true), 'yes')
    lua.machine.cancel(99)
    assert(!lua.machine.dead)
  })

  test('a cancelled call that spins while it is closed takes the machine with it', () => {
    const source = `
      local x <close> = setmetatable({}, {__close = function() while true do end end})
      Http.get()`
    const lua = openLua({ source, services, limits: { cpuMsMax: 100 } })
    lua.start('main', [])
    lua.machine.cancel(lua.call)
    assert(lua.machine.dead)
  })

  test('another call cannot resume a coroutine that waits for a service', () => {
    const source = `
      if a then return {coroutine.status(co), select(2, coroutine.resume(co))} end
      co = coroutine.create(function() return Http.get() end)
      return select(2, coroutine.resume(co))`
    const lua = openLua({ source, services })
    assert.equal(lua.start('main', []).kind, 'serviceCall')
    const first = lua.call
    assert.deepEqual(lua.value(true), ['normal', 'cannot resume non-suspended coroutine'])
    const ended = lua.machine.resume(first, 'answer')
    assert.equal('value' in ended && ended.value, 'answer')
  })

  test('a handler that is not there is 404', () => {
    const ended = openLua({ source: '' }).end([], { handler: 'handle_x_y' })
    assert.deepEqual('error' in ended && [ended.kind, ended.error], [
      'failed',
      { type: 'QueryError', error: 'there is no function handle_x_y', status: 404 },
    ])
    assert.equal(openLua({ source: 'x = 1' }).end([], { handler: 'x' }).kind, 'failed')
  })

  test('a handler cannot yield as if it were a coroutine', () => {
    assert.match(runError('coroutine.yield(1)'), /^main\.lua:1: attempt to yield from outside/)
  })

  test('a closed machine runs nothing', () => {
    const lua = openLua({ source: 'return 1' })
    lua.machine.close()
    assert.equal(lua.end().kind, 'stopped')
  })
})

describe('errors', () => {
  const rows: Readonly<Record<string, readonly [source: string, error: string]>> = {
    'name the file and the line': [
      '\n\nlocal x = nil + 1',
      'main.lua:3: attempt to perform arithmetic on a nil value',
    ],
    'of error': ['error("no")', 'main.lua:1: no'],
    'without a position': ['error("no", 0)', 'no'],
    'of a coroutine': ['coroutine.wrap(function() error("in") end)()', 'main.lua:1: in'],
    'that are not text': ['error({})', 'the error is a value without a text'],
    'that are nil': ['error()', 'the error is a value without a text'],
    'that are numbers': ['error(7)', '7'],
    'that are functions': ['error(print)', 'the error is a value without a text'],
  }
  for (const [name, [source, error]] of Object.entries(rows)) {
    test(name, () => {
      const ended = runEnd(source)
      assert(ended.kind === 'failed', JSON.stringify(ended))
      assert.deepEqual(ended.error, { type: 'ServerError', error, status: 500 })
    })
  }

  test('an error object that a script throws keeps its type and status', () => {
    const thrown = { type: 'QueryError', error: 'not yours', status: 403 }
    const ended = runEnd(`error({type = 'QueryError', error = 'not yours', status = 403})`)
    assert(ended.kind === 'failed')
    assert.deepEqual(ended.error, thrown)
    const strange = runEnd(`error({type = 'x', error = 'e', status = 99})`)
    assert(strange.kind === 'failed')
    assert.deepEqual(strange.error, { type: 'ServerError', error: 'e', status: 500 })
  })

  test('are cut to a length', () => {
    const text = runError('error(("x"):rep(1e6), 0)')
    assert.equal(text.length, 2_001)
  })

  test('have no trace, no path and nothing of the host', () => {
    const sources = [
      'error(setmetatable({}, {__index = function() error("deep") end}))',
      'to_json(print)',
      'string.format("%d", {})',
      'Http.get()()',
      'bit.band({})',
      'os.date({})',
      'require(nil)',
      'json.parse()()',
      'coroutine.wrap(1)',
    ]
    for (const source of sources) {
      const text = runError(source, { services })
      assert.doesNotMatch(text, /traceback|\.ts|node:|file:|\bat |object Object/, text)
    }
  })
})

describe('chunks', () => {
  const module = (name: string, source: string) =>
    ({ name: `${name}.lua`, source, role: { kind: 'module', module: name } }) as const
  const plain = (name: string, source: string) =>
    ({ name, source, role: { kind: 'plain' } }) as const

  test('a handler sees its parameters, and its lines keep their numbers', () => {
    assert.deepEqual(runResult('return {a, b, c == nil}', 1, 'x'), [1, 'x', true])
    assert.equal(runResult('--#EVENT device2 event\nreturn a', 5), 5)
    assert.match(runError('--#EVENT device2 event\nerror("here")'), /^main\.lua:2: here$/)
    assert.equal(runResult('\uFEFFreturn 1'), 1)
  })

  test('plain chunks run once, in their order', () => {
    const lua = openLua({
      source: 'return order',
      chunks: [plain('1.lua', 'order = {1}'), plain('2.lua', 'order[#order + 1] = 2')],
    })
    assert.deepEqual(lua.value(), [1, 2])
    assert.deepEqual(lua.value(), [1, 2])
  })

  test('a module is run once, when the machine is made, with its name', () => {
    const chunks = [
      module('a.b', 'runs = (runs or 0) + 1 return {name = ..., runs = runs}'),
      module('returnless', 'made = true'),
      module('old', 'module(..., function() end) function hello() return "hi" end'),
      module('asks', 'return Http.get("answer")'),
      module('loop', 'local again = require("loop") return again'),
      module('bad', 'local x = = 1'),
      module('fails', '\nerror("no")'),
    ]
    const value = (source: string) => {
      const ended = openLua({ source, chunks, services }).end([], { answer: ({ args }) => args })
      return 'value' in ended ? structuredClone(ended.value) : ended.error.error
    }
    assert.deepEqual(value('require("a.b") return require("a.b")'), { name: 'a.b', runs: 1 })
    assert.equal(value('return runs'), 1)
    assert.deepEqual(value('return {require("returnless"), made}'), [true, true])
    assert.deepEqual(value('return {require("old").hello(), old.hello(), hello == nil}'), [
      'hi',
      'hi',
      true,
    ])
    assert.equal(value('return require("asks")'), 'answer')
    assert.equal(value('return require("string") == string'), true)
    assert.equal(value('return require("none") == nil'), true)
    assert.equal(value('return require("a/b").name'), 'a.b')
    assert.match(String(value('require("loop")')), /^loop\.lua:1: loop or previous error/)
    assert.match(String(value('require("bad")')), /bad\.lua:1: unexpected symbol near '='/)
    assert.equal(value('require("fails")'), 'fails.lua:2: no')
    assert.match(String(value('require(nil)')), /^main\.lua:1: bad argument #1 to 'require'/)
  })

  test('one that cannot be compiled, fails or calls a service gives the problem', () => {
    const rows: Readonly<Record<string, RegExp>> = {
      'x = = 1': /^plain\.lua:1: unexpected symbol near '='$/,
      '\nerror("no")': /^plain\.lua:2: no$/,
      'Http.get()': /^plain\.lua:1: a service cannot be called here/,
      'print("said")': /^$/,
    }
    for (const [source, error] of Object.entries(rows)) {
      const problem = tryOpen({ services, chunks: [plain('plain.lua', source)] })
      if (problem instanceof Lua) assert.deepEqual(problem.lines, ['info said'])
      else assert.match('error' in problem ? problem.error.error : '', error)
    }
  })

  test('a source is checked without being run', () => {
    const check = (source: string, parameters: string[] = ['event']) =>
      luaEngine().check({
        name: 'device2_event.lua',
        source,
        role: { kind: 'handler', defines: 'h', parameters },
      })
    const file = 'device2_event.lua'
    assert.equal(check('return event'), undefined)
    assert.equal(check('while true do end'), undefined)
    assert.deepEqual(check('local x\nx = = 1'), {
      file,
      line: 2,
      message: "unexpected symbol near '='",
    })
    assert.deepEqual(check('end end'), { file, line: 1, message: "<eof> expected near 'end'" })
    assert.deepEqual(check('goto nowhere'), {
      file,
      line: 1,
      message: "no visible label 'nowhere' for <goto> at line 1",
    })
    assert.deepEqual(check(`return ${'('.repeat(1_000)}`)?.line, 1)
    assert.equal(check('x'.repeat(1_048_577))?.message, 'the script has more than 1048576 bytes')
    assert.equal(check('return 1', ['a b'])?.message, '"a b" cannot be the name of a parameter')
    assert.match(String(check('\x1bLua')?.message), /binary|unexpected|attempt/)
  })
})
