import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, describe, it, type TestContext } from 'node:test'
import { startCommand } from '../../../fixtures/commands/command-line.ts'
import { testFolder } from '../../../fixtures/ends.ts'
import { type TestPlatform, testPlatform } from '../../../fixtures/platform.ts'
import { suiteContext } from '../../../fixtures/suite.ts'
import { until } from '../../../fixtures/wire/mqtt-fleet.ts'

/** The last line; a slow machine shows progress before it. */
const lastLine = (printed: string) => printed.trimEnd().split('\n').at(-1) ?? ''

/** More than the sockets between the command and the instance hold. */
const rows = 200_000

describe('millrace device whitelist that is cut short', () => {
  const suite = suiteContext()
  let instance: TestPlatform
  let file = ''
  let answer = ''
  before(async () => {
    instance = await testPlatform(suite)
    const folder = await testFolder(suite)
    file = join(folder, 'devices.csv')
    answer = join(folder, 'answer.csv')
    const note = 'n'.repeat(100)
    const lines = Array.from({ length: rows }, (_, at) => `cut-${at},${note}\n`)
    await writeFile(file, `ID,Note\n${lines.join('')}`)
  })

  /** Starts the command, whose bytes pass through `between`. */
  async function start(
    t: TestContext,
    between: (command: Socket, there: Socket) => void,
    ...more: string[]
  ) {
    const proxy = createServer((command) => {
      const there = connect(Number(new URL(instance.httpUrl).port), '127.0.0.1')
      for (const socket of [command, there]) socket.on('error', () => {})
      command.once('close', () => there.destroy())
      between(command, there)
    }).listen(0, '127.0.0.1')
    await once(proxy, 'listening')
    t.after(() => proxy.close())
    const { port } = proxy.address() as AddressInfo
    const where = ['--connector', instance.connector.id, '--file', file]
    const env = { MILLRACE_URL: `http://127.0.0.1:${port}`, MILLRACE_TOKEN: instance.token }
    return startCommand(t, ['device', 'whitelist', ...where, ...more], { cwd: tmpdir(), env })
  }

  it('says after Ctrl-C which rows were answered, and leaves their results', async (t) => {
    const run = await start(
      t,
      (command, there) => {
        command.pipe(there)
        // The rest of the answer stays behind.
        there.once('data', (piece) => command.write(piece))
      },
      ...['--answer', answer],
    )
    const draft = `${answer}.new`
    await until(async () => existsSync(draft) && (await readFile(draft)).length > 0)
    assert.equal(await run.end('SIGINT'), 130)
    const left =
      /^millrace: interrupted; [\d,]+ of 200,000 rows were answered, and are in \S+\.new;/
    assert.match(lastLine(run.printed()), left)
    assert.equal(existsSync(answer), false)
  })

  it('says after a lost connection what to do', async (t) => {
    const run = await start(t, (command, there) => {
      command.pipe(there)
      there.once('data', (piece) => command.end(piece))
    })
    assert.equal(await run.end(), 1)
    assert.match(lastLine(run.printed()), /^millrace: the connection was lost \([^)]+\); /)
    assert.match(
      lastLine(run.printed()),
      /; [\d,]+ of 200,000 rows were answered; rows behind them may be/,
    )
    assert.match(
      lastLine(run.printed()),
      /Send the whole file again: what is written is unchanged\.$/,
    )
  })

  it('writes nothing if it is interrupted while the file is sent', async (t) => {
    const reached = Promise.withResolvers<void>()
    const run = await start(t, (command) => {
      command.once('readable', reached.resolve)
    })
    await reached.promise
    assert.equal(await run.end('SIGINT'), 130)
    assert.equal(lastLine(run.printed()), 'millrace: interrupted; nothing was written')
  })
})
