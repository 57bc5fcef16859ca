import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type LuaOptions, openLua, runEnd } from '../../../../test/fixtures/lua.ts'

function runTrace(source: string, options: LuaOptions = {}): readonly string[] {
  const end = runEnd(source, options)
  assert.equal(end.kind, 'failed')
  return end.kind === 'failed' ? (end.trace ?? []) : []
}

const levels = {
  name: 'modules/levels.lua',
  source: 'local levels = {}\nfunction levels.read(a)\n  return a.b.c\nend\nreturn levels',
  role: { kind: 'module', module: 'levels' } as const,
}

describe('where an error was raised', () => {
  it('is listed from the innermost place outwards, in the files of the author', () => {
    const source = 'local levels = require("levels")\nlocal x = levels.read({})\nreturn x'
    assert.deepEqual(runTrace(source, { chunks: [levels] }), [
      "modules/levels.lua:3 in field 'read'",
      'main.lua:2',
    ])
  })

  it('is known of an error that is a table, whose text names no line', () => {
    const source = '\nlocal function refuse() error{error = "no", status = 404} end\nrefuse()'
    assert.deepEqual(runTrace(source), ["main.lua:2 in local 'refuse'", 'main.lua:3'])
  })

  it('is known of a call that failed after a service had answered', () => {
    const source = '\nlocal answer = Http.get{}\nreturn answer.body.x'
    assert.deepEqual(runTrace(source, { services: ['http'] }), ['main.lua:3'])
  })

  it('has no line of the platform, whose Lua passes errors on', () => {
    const trace = runTrace('to_json(print)')
    assert.deepEqual(trace, ['main.lua:1'])
  })

  it('has no line of the code around an endpoint', () => {
    const endpoint = {
      name: 'web.lua',
      source: '\n\nlocal function f() error("x") end\nf()\n\n',
      role: { kind: 'handler', defines: 'GET /x', parameters: ['response'], returns: 'response' },
    } as const
    const end = openLua({ chunks: [endpoint] }).end([{}], { handler: 'GET /x' })
    const trace = end.kind === 'failed' ? end.trace : undefined
    assert.deepEqual(trace, ["web.lua:3 in local 'f'", 'web.lua:4'])
  })

  it('is short where calls lie deep in one another', () => {
    const trace = runTrace(
      'local function f(n) if n == 0 then error("x") end f(n - 1) f() end f(500)',
    )
    assert.ok(trace.length > 5 && trace.length < 30, `${trace.length} places`)
  })
})
