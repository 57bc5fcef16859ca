import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pipelineLimits } from '../limits.ts'
import { parseExpression } from './expression.ts'

const values = new Map([
  ['a', 6],
  ['b', 4],
  ['e', 2],
])
const compute = (text: string) => parseExpression(text, ['a', 'b', 'e'])(values)

test('an expression has the precedence of arithmetic', () => {
  const rows: [string, number][] = [
    ['1 + 2 * 3', 7],
    ['(1+2)*3', 9],
    ['10 - 2 - 3', 5],
    ['100 / 10 / 2', 5],
    ['7 % 4 * 2', 6],
    ['2 ^ 3 ^ 2', 512],
    ['-2 ^ 2', -4],
    ['2 ^ -1', 0.5],
    ['2 * -a', -12],
    ['--a', 6],
    ['+a', 6],
    [' a\n-\tb ', 2],
    ['1.5e3 + .5 + 2.', 1502.5],
    ['a*b+e', 26],
    ['min(a, b, e) + max(a)', 8],
    ['abs(b - a) + sqrt(b) + round(2.5) + floor(-0.5) + ceil(0.2)', 7],
    ['ln(exp(3)) + log10(1000)', 6],
  ]
  for (const [text, expected] of rows) assert.equal(compute(text), expected, text)
})

test('a result may be no number, and is not thrown', () => {
  for (const text of ['1 / 0', 'sqrt(-1)', '1e308 * 10', '0 / 0', '9e999']) {
    assert.ok(!Number.isFinite(compute(text)), text)
  }
})

test('what is no expression is refused, and said why', () => {
  const rows: [string, RegExp][] = [
    ['', /ends too early/],
    ['a +', /ends too early/],
    ['(a', /"\)" is missing/],
    ['a)', /"\)" is not expected/],
    ['a b', /"b" is not expected/],
    ['2a', /"a" is not expected/],
    ['c', /"c" is not known/],
    ['constructor', /"constructor" is not known/],
    ['toString()', /not expected|not known/],
    ['a.b', /"\." is not expected/],
    ['a; b', /";" is not expected/],
    ['process.exit(1)', /"process" is not known/],
    ['sqrt(1, 2)', /"sqrt" takes 1 arguments/],
    ['min()', /"\)" is not expected/],
    ['sqrt', /"\(" is missing/],
    ['a ** b', /"\*" is not expected/],
    ['A', /"A" is not expected/],
  ]
  for (const [text, message] of rows) {
    assert.throws(() => compute(text), { code: 'invalid_argument', message }, text)
  }
})

test('its length is bounded, and with it the depth of its parentheses', () => {
  const most = pipelineLimits.expressionCharsMax
  const nested = `${'('.repeat(most / 2 - 1)}1 ${')'.repeat(most / 2 - 1)}`
  assert.equal(nested.length, most)
  assert.equal(compute(nested), 1)
  assert.equal(compute(`${'-'.repeat(most - 1)}a`), -6)
  assert.throws(() => compute(`${nested} `), { code: 'invalid_argument', message: /at most/ })
})
