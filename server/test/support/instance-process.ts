import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { waitMsMax } from './bounds.ts'

/** A platform in a process of its own, to be killed. */
export type InstanceProcess = {
  readonly httpUrl: string
  readonly pid: number
  /** Ends it without any chance to tidy up. */
  kill(): Promise<void>
  /** Asks it to stop, as Ctrl-C does. @returns its exit code. */
  stop(): Promise<number | null>
  signal(name: NodeJS.Signals): void
  /** Its exit code, when it has ended; null after a signal that it does not handle. */
  readonly ended: Promise<number | null>
}

const cli = join(import.meta.dirname, '..', '..', 'src', 'cli', 'index.ts')

/** Starts `millrace serve` with these settings and waits until its doors are open. */
export async function startInstance(settings: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [cli, 'serve'], {
    env: {
      ...process.env,
      MILLRACE_HTTP: '127.0.0.1:0',
      MILLRACE_DEVICE_TLS: '127.0.0.1:0',
      MILLRACE_MQTT_TLS: '127.0.0.1:0',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const httpUrl = await doorOf(child)
  const ended = once(child, 'exit').then(() => child.exitCode)
  const instance: InstanceProcess = {
    httpUrl,
    pid: child.pid ?? 0,
    ended,
    signal: (name) => void child.kill(name),
    kill: async () => {
      child.kill('SIGKILL')
      await ended
    },
    stop: () => {
      child.kill('SIGINT')
      return ended
    },
  }
  return instance
}

function doorOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = ''
    const timer = setTimeout(() => fail('did not open its doors in time'), waitMsMax)
    const fail = (why: string) => {
      clearTimeout(timer)
      child.kill('SIGKILL')
      reject(new Error(`the instance ${why}; it printed: ${printed}`))
    }
    child.once('exit', (code) => fail(`ended with ${code}`))
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      printed += chunk
      const url = /answers at (http:\/\/[^;\s]+)/.exec(printed)?.[1]
      if (url === undefined) return
      clearTimeout(timer)
      child.removeAllListeners('exit')
      resolve(url)
    })
  })
}
