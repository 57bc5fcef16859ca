import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it, type TestContext } from 'node:test'
import { pathToFileURL } from 'node:url'
import { waitMsMax } from '../fixtures/bounds.ts'
import { atEnd } from '../fixtures/ends.ts'

const runner = join(import.meta.dirname, '..', '..', '..', 'dev', 'runner.mjs')

/** Runs test files as `npm test` does, with a pipe that is read slowly. */
async function runFile(t: TestContext, text: string) {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-runner-'))
  atEnd(t, () => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'planted.test.mjs')
  await writeFile(file, text)
  const script = `import { runTests } from ${JSON.stringify(pathToFileURL(runner).href)}
process.exitCode = await runTests(process.execPath, [{ files: [${JSON.stringify(file)}] }])`
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { env })
  let ended = true
  const bound = setTimeout(() => {
    ended = false
    child.kill('SIGTERM')
  }, waitMsMax)
  atEnd(t, () => clearTimeout(bound))
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    printed += chunk
  })
  const [code] = await once(child, 'close')
  assert.ok(ended, 'the run did not end by itself')
  return { code, printed }
}

const leaky = `
import { it } from 'node:test'
import { connect, createServer } from 'node:net'
import { once } from 'node:events'
const server = createServer(() => {}).listen(0, '127.0.0.1')
await once(server, 'listening')
setInterval(() => {}, 1_000)
it('leaves a socket behind', async () => {
  const socket = connect(server.address().port, '127.0.0.1')
  await once(socket, 'connect')
})
`

it('a run whose tests leave sockets behind ends by itself, with exit code 0', async (t) => {
  const { code, printed } = await runFile(t, leaky)
  assert.equal(code, 0, printed)
  assert.match(printed, /pass 1\b/)
  const [, slowest] = printed.split('== the slowest files\n')
  assert.match(slowest ?? '', /^[ \d.]+ s [ \d.]+ s of CPU {2}\S*planted\.test\.mjs/m)
})

it('a run with failures prints every one of them and exits with 1', async (t) => {
  const failing = `for (let at = 0; at < 300; at += 1)
    it('fails ' + at, () => { throw new Error('planted ' + at + ' ' + 'x'.repeat(2_000)) })`
  const { code, printed } = await runFile(t, leaky + failing)
  assert.equal(code, 1)
  const report = printed.slice(printed.indexOf('failing tests:'))
  for (let at = 0; at < 300; at += 1) assert.ok(report.includes(`Error: planted ${at} `), `${at}`)
})

it('a file that fails once and then passes is listed as unstable, with exit code 1', async (t) => {
  const unstable = `
import { existsSync, writeFileSync } from 'node:fs'
it('fails the first time', () => {
  const mark = import.meta.filename + '.ran'
  if (existsSync(mark)) return
  writeFileSync(mark, '')
  throw new Error('planted')
})`
  const { code, printed } = await runFile(t, leaky + unstable)
  assert.equal(code, 1, printed)
  assert.match(printed, /unstable: [^\n]*\n {2}\S+planted\.test\.mjs/)
})

it('an interrupted run begins no file again, and exits with the code of the signal', async (t) => {
  const interrupting = `
import { it } from 'node:test'
it('interrupts the run', async () => {
  process.kill(process.ppid, 'SIGTERM')
  await new Promise(() => setInterval(() => {}, 1_000))
})`
  const { code, printed } = await runFile(t, interrupting)
  assert.equal(code, 143, printed)
  assert.doesNotMatch(printed, /once more by themselves/)
})
