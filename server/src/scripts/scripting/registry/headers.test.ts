import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scriptingLimits } from '../limits.ts'
import { definedHandlers, readRetry, splitFile } from './headers.ts'

const split = (file: string, text: string) => {
  const { scripts, problems } = splitFile(file, text)
  const shown = scripts.map(({ kind, name, firstLine }) => `${firstLine} ${kind} ${name}`)
  return { shown, sources: scripts.map(({ source }) => source), problems }
}

test('a file without a header has its kind by its name', () => {
  const rows = [
    ['device2_event.lua', 'return 1', '1 handler device2_event'],
    ['handlers/my_svc_event.lua', 'return 1', '1 handler my_svc_event'],
    ['modules/a/b.lua', 'return {}', '1 module a.b'],
    ['modules/device_x.lua', 'return {}', '1 module device_x'],
    ['setup.lua', 'x = 1', '1 plain setup.lua'],
    ['lib/setup.lua', 'x = 1', '1 plain lib/setup.lua'],
    ['device2_event.lua', 'function handle_device2_event(e) end', '1 handler device2_event'],
    ['all_handlers.lua', 'function handle_a_b(e) end', '1 plain all_handlers.lua'],
  ] as const
  for (const [file, text, shown] of rows) assert.deepEqual(split(file, text).shown, [shown])
})

test('each header begins a script at its own line; what stands before belongs to the first', () => {
  const text = [
    '-- about',
    '--#EVENT device2 event',
    'return 1',
    '--#ENDPOINT get /v1/x application/json',
    'return 2\r',
    '--#EVENT timer tick\r',
    'return 3',
    '',
  ].join('\n')
  const { shown, sources, problems } = split('all.lua', text)
  assert.deepEqual(problems, [])
  assert.deepEqual(shown, [
    '1 handler device2_event',
    '4 endpoint GET /v1/x',
    '6 handler timer_tick',
  ])
  assert.equal(sources.join(''), text, 'nothing of a file is lost')
})

test('a header that cannot be read is reported with its line', () => {
  for (const header of [
    '--#EVENT',
    '--#EVENT device2 event more',
    '--#EVENT dev.ice event',
    '--#ENDPOINT GET x',
    '--#ENDPOINT FETCH /x',
    '--#ENDPOINT GET /x a/b more',
    '--#RETRY',
    '--#RETRY x',
    '--#RETRY -1',
    '--#RETRY 1.5',
    '--#RETRY 3 0',
    '--#RETRY 3 5 7',
    `--#RETRY ${scriptingLimits.scriptRetriesMax + 1}`,
    `--#RETRY 1 ${scriptingLimits.scriptRetrySecondsMax + 1}`,
  ]) {
    const { problems } = splitFile('a_b.lua', `\n${header}\n`)
    assert.deepEqual(
      problems.map(({ file, line }) => [file, line]),
      [['a_b.lua', 2]],
      header,
    )
  }
})

test('a script sets how often its deliveries are retried', () => {
  const parseRetry = (text: string) => readRetry('x.lua', text).retry
  assert.deepEqual(parseRetry('--#RETRY 3 10\nreturn 1'), { retries: 3, seconds: 10 })
  assert.deepEqual(parseRetry('--#RETRY 0'), { retries: 0, seconds: 1 })
  assert.equal(
    parseRetry('  --#RETRY 3'),
    undefined,
    'a header stands at the beginning of its line',
  )
  assert.equal(parseRetry('return 1'), undefined)
})

test('the handlers that a file defines itself are known', () => {
  const text = [
    'function handle_a_b(event) end',
    '  function  handle_c_d (event) end',
    'handle_e_f = function(event) end',
    'local function handle_g_h() end',
    'x.handle_i_j = 1',
    'function helper() end',
  ].join('\n')
  assert.deepEqual([...definedHandlers(text)], ['handle_a_b', 'handle_c_d', 'handle_e_f'])
})

test('a text made to be slow is read quickly', () => {
  const spaces = ' '.repeat(200_000)
  for (const text of [
    spaces,
    `--#EVENT${spaces}`,
    `function${spaces}`,
    '--#EVENT '.repeat(50_000),
  ]) {
    assert.ok(splitFile('a_b.lua', text).scripts.length <= 1)
    assert.equal(definedHandlers(text).size, 0)
  }
})
