import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openLua } from '../../../test/fixtures/lua.ts'
import type { Chunk } from '../registry/program.ts'

const module = (name: string, source: string): Chunk => ({
  name: `${name}.lua`,
  source,
  role: { kind: 'module', module: name },
})

function value(source: string, chunks: readonly Chunk[] = []) {
  const ended = openLua({ source, chunks }).end([])
  return 'value' in ended ? structuredClone(ended.value) : ended.error.error
}

test('staging.mcrypto hashes and encodes as scripts of the field expect', () => {
  const crypto = 'local m = require("staging.mcrypto") '
  assert.equal(
    value(`${crypto} return m.b64url_encode(m.hash("abc", m.SHA256))`),
    'ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0',
  )
  assert.equal(value(`${crypto} return #m.rand_bytes(20)`), 20)
  assert.equal(value(`${crypto} return m.rand_bytes(20) == m.rand_bytes(20)`), false)
  assert.match(String(value(`${crypto} return m.rand_bytes(1e9)`)), /rand_bytes takes 0 to/)
  assert.match(String(value(`${crypto} return m.rand_bytes(-1)`)), /rand_bytes takes 0 to/)
  assert.match(String(value(`${crypto} return m.hash("a", "nope")`)), /there is no hash nope/)
})

test('os.now is in milliseconds, bench.measure gives a time and the result', () => {
  assert.equal(value('return os.now() // 1000 - os.time() <= 1'), true)
  assert.deepEqual(
    value('local ms, x = bench.measure(function(a) return a + 1 end, 4) return {ms >= 0, x}'),
    [true, 5],
  )
})

test('modules without return run when the machine is made, and their globals are seen', () => {
  const modules = [
    module('util', 'function twice(n) return n * 2 end'),
    module('overload', 'Keystore = Keystore or {} own = require("none") or {name = "own"}'),
    module('broken', 'error("not now")'),
  ]
  assert.equal(value('return twice(4)', modules), 8)
  assert.equal(value('return own.name', modules), 'own')
})
