import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { isLongForm } from '../fixtures/bounds.ts'
import { testEngine } from '../fixtures/database.ts'
import { comes } from '../fixtures/demo.ts'
import { atEnd } from '../fixtures/ends.ts'
import { copyCluster } from '../fixtures/processes/cluster.ts'

const root = join(import.meta.dirname, '..', '..', '..')
const skip =
  (process.platform !== 'linux' && 'processes are looked up in /proc') ||
  (testEngine === 'external' && 'it is about the embedded engine')

type Started = {
  readonly child: ChildProcess
  readonly dataDir: string
  readonly httpUrl: string
  /** The processes below the one that was started, by a part of their command line. */
  find(part: string): number
  printed(): string
  /** Waits until none of its processes is left: nodes, shells and PostgreSQL. */
  gone(): Promise<void>
}

/** Starts a command of the checkout, in a group of its own, and waits until it answers. */
async function start(
  t: TestContext,
  words: readonly string[],
  { demo = 'off', ...more }: Readonly<Record<string, string>> = {},
): Promise<Started> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-signals-'))
  const dataDir = join(folder, 'data')
  await copyCluster(dataDir)
  const free = '127.0.0.1:0'
  const [command = '', ...args] = words
  const child = spawn(command, args, {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      MILLRACE_DATA: dataDir,
      MILLRACE_HTTP: free,
      MILLRACE_DEVICE_TLS: free,
      MILLRACE_MQTT_TLS: free,
      DATABASE_URL: '',
      MILLRACE_DEMO: demo,
      ...more,
    },
  })
  let pids: number[] = []
  atEnd(t, async () => {
    for (const pid of [...pids, ...below(child.pid ?? 0)]) endNow(pid)
    await rm(folder, { recursive: true, force: true, maxRetries: 20 })
  })
  let printed = ''
  const take = (text: string) => {
    printed += text
  }
  child.stdout.setEncoding('utf8').on('data', take)
  child.stderr.setEncoding('utf8').on('data', take)
  const httpUrl = await comes(async () => {
    if (child.exitCode !== null) throw new Error(`it ended: ${printed}`)
    if (demo === 'on' && !printed.includes('Ctrl-C stops it')) return undefined
    return /(?:answers at|Console) +(http:\/\/[^;\s]+)/.exec(printed)?.[1]
  })
  const text = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')
  pids = [child.pid ?? 0, ...below(child.pid ?? 0), Number.parseInt(text, 10)]
  return {
    child,
    dataDir,
    httpUrl,
    find: (part) => pids.find((pid) => readCommand(pid).includes(part)) ?? assert.fail(part),
    printed: () => printed,
    gone: async () => {
      await comes(async () => (pids.some(lives) ? undefined : true)).catch(() => {
        const left = pids.filter(lives).map((pid) => `${pid} ${readCommand(pid)}`)
        assert.fail(`still there:\n${left.join('\n')}\n${printed}`)
      })
    },
  }
}

function readStat(pid: number): string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return []
  }
}

function lives(pid: number): boolean {
  const [state = 'X'] = readStat(pid)
  return state !== 'Z' && state !== 'X'
}

function readCommand(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}

/** Its children, theirs, and so on. */
function below(pid: number): number[] {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((one) => Number(readStat(one)[1]) === pid)
  return [...children, ...children.flatMap(below)]
}

function endNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}

const npmStart = ['npm', 'start']
const npxServe = ['npx', 'millrace', 'serve']
const launcher = 'dev/millrace.mjs start'

/** Each way in which signals are passed on has one test in `npm test`. */
const longSkip = !isLongForm && 'it is one of the long form'

describe('a signal leaves no process behind', { skip }, () => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL'] as const) {
    const toNpm = { skip: ['SIGTERM', 'SIGHUP'].includes(signal) && longSkip }
    it(`${signal} to npm alone`, toNpm, async (t) => {
      const started = await start(t, npmStart)
      started.child.kill(signal)
      await started.gone()
      if (signal !== 'SIGKILL') assert.match(started.printed(), /Everything that was acknowledged/)
    })

    const toLauncher = { skip: ['SIGINT', 'SIGHUP'].includes(signal) && longSkip }
    it(`${signal} to what npm has started, alone`, toLauncher, async (t) => {
      const started = await start(t, npmStart)
      process.kill(started.find(launcher), signal)
      await started.gone()
    })
  }

  it('Ctrl-C in the terminal, with the demo', async (t) => {
    const started = await start(t, npmStart, { demo: 'on' })
    process.kill(-(started.child.pid ?? 0), 'SIGINT')
    await started.gone()
    assert.match(started.printed(), /Stopped\. Everything that was acknowledged is stored/)
  })

  it('the end of a terminal: nobody reads any more', async (t) => {
    const started = await start(t, npmStart)
    started.child.stdout?.destroy()
    started.child.stderr?.destroy()
    process.kill(-(started.child.pid ?? 0), 'SIGHUP')
    await started.gone()
  })

  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    const toNpx = { skip: signal === 'SIGTERM' && longSkip }
    it(`${signal} to npx alone`, toNpx, async (t) => {
      const started = await start(t, npxServe)
      started.child.kill(signal)
      await started.gone()
    })
  }

  it('SIGINT to npx alone, where its shell passes it on; else a SIGTERM after it', async (t) => {
    const started = await start(t, npxServe, { npm_config_script_shell: 'bash' })
    started.child.kill('SIGINT')
    await started.gone()
    const other = await start(t, npxServe)
    other.child.kill('SIGINT')
    other.child.kill('SIGTERM')
    await other.gone()
  })

  it('Ctrl-C twice, while a request keeps the first from ending', async (t) => {
    const started = await start(t, npmStart)
    const { hostname, port } = new URL(started.httpUrl)
    const socket = connect(Number(port), hostname)
    atEnd(t, () => socket.destroy())
    socket.on('error', () => {})
    await once(socket, 'connect')
    socket.write('POST /provision/activate HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n')
    socket.write('Expect: 100-continue\r\n\r\n')
    // A request that has not been read keeps nothing from ending.
    const [answer] = await once(socket, 'data')
    assert.match(String(answer), /^HTTP\/1.1 100 /)
    const server = started.find('/postgres -D')
    const group = -(started.child.pid ?? 0)
    process.kill(group, 'SIGINT')
    await comes(async () => (started.printed().includes('Stopping') ? true : undefined))
    // A signal that comes within a second of the first is the same Ctrl-C.
    await comes(async () => {
      interrupt(group)
      return started.printed().includes('Ended PostgreSQL') ? true : undefined
    })
    await started.gone()
    assert.match(started.printed(), new RegExp(`Ended PostgreSQL \\(process ${server}\\) at once`))
  })
})

/** Lines that a group printed before its end may come after it. */
function interrupt(group: number): void {
  try {
    process.kill(group, 'SIGINT')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
