import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { describe, it } from 'node:test'
import type { components } from '@millrace/client'
import { Output, wantsColour } from '../../../../../cli/src/output/output.ts'
import { createCallView } from '../../../../../cli/src/solution/calls.ts'
import { makeColours } from '../../../../../cli/src/solution/colours.ts'
import { markFault } from '../../../../../cli/src/solution/source-place.ts'

type SolutionLine = components['schemas']['SolutionLine']

describe('a log, call by call', () => {
  const line = (
    type: 'log' | 'call',
    text: string,
    more: Partial<SolutionLine> = {},
  ): SolutionLine => {
    const level = 'info'
    const of = { service: 'user', handler: 'handle_user_go', tracking_id: 'one' }
    return Object.assign({ id: '0.n.1', timestamp: 0, type, level, text } as const, of, more)
  }
  const usage = { cpu_ms: 1, service_calls: 0, wall_ms: 12.3 }

  it('shows what a long call has printed, and then only what is new', () => {
    let nowMs = 0
    const printed: string[] = []
    const view = createCallView({
      print: (text: string) => void printed.push(text),
      colours: makeColours(new Output({ json: false, colour: false }, process)),
      sources: () => new Map(),
      elapsedMs: () => nowMs,
    })
    view.take([line('log', 'a'), line('log', 'other', { tracking_id: 'two' })])
    view.take([line('call', '', { tracking_id: 'two', usage })])
    nowMs = 1_999
    view.look()
    assert.deepEqual(printed.splice(0), [
      '00:00:00.000  returned  user_go  call two  12 ms, 1.0 ms CPU, 0 service calls',
      '    info  other',
    ])
    nowMs = 2_000
    view.look()
    assert.deepEqual(printed.splice(0), ['00:00:00.000  running  user_go  call one', '    info  a'])
    view.take([line('log', 'b'), line('call', '', { usage })])
    assert.deepEqual(printed.splice(0), [
      '00:00:00.000  returned  user_go  call one  12 ms, 1.0 ms CPU, 0 service calls',
      '    info  b',
    ])
  })
})

describe('what is marked in a line of source', () => {
  for (const [line, message, under, column] of [
    ['  local x = level.high', "a nil value (local 'level')", '            ^~~~~', 13],
    ['a.b = c.b', "a nil value (field 'b')", '  ^     ^', undefined],
    ['if level > levels.high then', "(local 'levels')", '           ^~~~~~', 12],
    ['sublevel = level', "(local 'level')", '           ^~~~~', 12],
    ['  go()', 'attempt to compare number with nil', '  ^', undefined],
    ['return {', "'}' expected near <eof>", '        ^', undefined],
    ['  expect(x):equals(1)', 'expected 1, was 2', '  ^~~~~~', 3],
    ['\tt.insert(1)', "bad argument #1 to 'insert' (table expected)", '\t  ^~~~~~', 4],
  ] as const) {
    it(`is what the message names, in ${line.trim()}`, () => {
      assert.deepEqual(markFault(line, message), { under, column })
    })
  }
})

describe('what colours are for', () => {
  const red = (isTTY: boolean, environment: Record<string, string>) =>
    makeColours(
      new Output({ json: false, colour: wantsColour(environment, { isTTY }) }, process),
    ).red('x')

  it('is a terminal, and never one with NO_COLOR', () => {
    assert.equal(red(true, {}), '\u001b[31mx\u001b[39m')
    assert.equal(red(true, { NO_COLOR: '' }), '\u001b[31mx\u001b[39m')
    for (const plain of [
      red(false, {}),
      red(true, { NO_COLOR: '1' }),
      red(true, { TERM: 'dumb' }),
    ]) {
      assert.equal(plain, 'x')
    }
  })

  it('is all that a text does to a terminal', () => {
    const stdout = new PassThrough()
    new Output({ json: false, colour: true }, { stdout, stderr: stdout }).print('a\u001b[2Jb')
    assert.equal(String(stdout.read()), 'a\ufffd[2Jb\n')
  })
})
