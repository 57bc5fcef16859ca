import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { waitMsMax } from './bounds.ts'
import { atEnd } from './ends.ts'
import { cli } from './page.ts'

const pollMs = 20

/** A command of `millrace` that runs, as its user sees it. */
export type CliProcess = {
  readonly pid: number
  /** All that it has printed so far, on both streams. */
  printed(): string
  /** Waits until what it printed behind the last match matches. @returns the match. */
  prints(pattern: RegExp): Promise<RegExpExecArray>
  /** Sends a signal, if one is given, and waits for its end. @returns its exit code. */
  end(signal?: NodeJS.Signals): Promise<number | null>
}

export type CliOptions = {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
}

export function startCli(
  t: Pick<TestContext, 'after'>,
  args: readonly string[],
  { cwd, env }: CliOptions,
): CliProcess {
  const child = spawn(process.execPath, [cli, ...args], { cwd, env, stdio: 'pipe' })
  let printed = ''
  let seen = 0
  const take = (text: string) => {
    printed += text
  }
  child.stdout.setEncoding('utf8').on('data', take)
  child.stderr.setEncoding('utf8').on('data', take)
  // All that it printed was heard only then, and not at its exit.
  const closed = once(child, 'close')
  atEnd(t, () => stop(child, 'SIGKILL'))
  return {
    pid: child.pid ?? 0,
    printed: () => printed,
    async prints(pattern) {
      for (const deadline = Date.now() + waitMsMax; Date.now() < deadline; await pause(pollMs)) {
        const match = pattern.exec(printed.slice(seen))
        if (match === null) continue
        seen += match.index + match[0].length
        return match
      }
      throw new Error(`it never printed ${pattern}; it printed: ${printed}`)
    },
    async end(signal) {
      if (signal !== undefined) await stop(child, signal)
      await closed
      return child.exitCode
    },
  }
}

async function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill(signal)
  await once(child, 'exit')
}
