import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { limits } from './limits.ts'
import { createLogger } from './logger.ts'

function writtenLines(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const lines: { msg: string; err?: { stack: string }; repeated?: number; file?: string }[] = []
  const logger = createLogger('info', { write: (line) => void lines.push(JSON.parse(line)) })
  return { lines, logger }
}

const failed = () => Object.assign(new Error('No space left.'), { code: '53100' })

test('an error that repeats is one line, and a count when its time is over', (t) => {
  const { lines, logger } = writtenLines(t)
  for (let entries = 0; entries < 1_000; entries += 1) {
    logger.error({ err: failed(), entries }, 'entries could not be appended')
  }
  assert.equal(lines.length, 1)
  assert.match(lines[0]?.err?.stack ?? '', /No space left/)
  t.mock.timers.tick(limits.logWindowMs)
  assert.equal(lines.length, 2)
  assert.deepEqual([lines[1]?.msg, lines[1]?.repeated], ['entries could not be appended', 999])
  t.mock.timers.tick(10 * limits.logWindowMs)
  assert.equal(lines.length, 2, 'a time without failures has no line')
  logger.error({ err: failed() }, 'entries could not be appended')
  assert.ok(lines[2]?.err, 'the next one is told in full')
})

test('lines that name something else are written, up to a number', (t) => {
  const { lines, logger } = writtenLines(t)
  logger.warn({ file: 'a.pem' }, 'a certificate expires soon')
  logger.warn({ file: 'b.pem' }, 'a certificate expires soon')
  logger.warn({ file: 'a.pem', err: failed() }, 'a certificate is unreadable')
  logger.warn({ file: 'a.pem', err: new Error('Other.') }, 'a certificate is unreadable')
  assert.equal(lines.length, 4)
  const most = limits.logLinesOfMessageMax
  for (let at = 0; at < 2 * most; at += 1) logger.warn({ file: `${at}` }, 'a file is unreadable')
  assert.equal(lines.length, 4 + most)
  t.mock.timers.tick(limits.logWindowMs)
  assert.equal(lines.at(-1)?.repeated, most)
})

test('what is no failure is never left out', (t) => {
  const { lines, logger } = writtenLines(t)
  for (let at = 0; at < 5; at += 1) logger.info({ file: 'a.pem' }, 'a certificate was renewed')
  assert.equal(lines.length, 5)
})
