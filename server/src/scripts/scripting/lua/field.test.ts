import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openLua } from '../../../../test/fixtures/lua.ts'

function value(source: string) {
  const ended = openLua({ source }).end([])
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
