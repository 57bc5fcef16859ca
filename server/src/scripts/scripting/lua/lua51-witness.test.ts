import { strict as assert } from 'node:assert'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { lua51Lines, withoutLines } from '../../../../test/fixtures/lua.ts'

const interpreter = 'lua5.1'
const found = spawnSync(interpreter, ['-v']).status === 0

/** Prints the results as the fast tier compares them. */
const show = `
  local function show(...)
    local t = {}
    for i = 1, select('#', ...) do t[i] = tostring((select(i, ...))) end
    io.write(table.concat(t, ' '))
  end
  show(assert(loadstring(io.read('*a'), '=?'))())`

const missing = `there is no ${interpreter} on this machine`

test('Lua 5.1 itself returns what the lines say', { skip: found ? false : missing }, () => {
  for (const [code, expected] of lua51Lines()) {
    const run = spawnSync(interpreter, ['-e', show], { input: code, encoding: 'utf8' })
    assert.equal(run.status, 0, `${code}: ${run.stderr}`)
    assert.equal(withoutLines(run.stdout), expected, code)
  }
})
