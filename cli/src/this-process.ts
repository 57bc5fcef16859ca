import { homedir } from 'node:os'
import type { Invocation } from './invocation.ts'

type Interruption = Pick<Invocation, 'interrupt'> & {
  /** Watches the signals of the process from then on. */
  watch(): AbortSignal
}

/** The parts of this process; none of them is touched before a command asks for it. */
export function thisProcess({ watch, interrupt }: Interruption): Invocation {
  return {
    env: process.env,
    folder: '.',
    // A user without an entry has none, and needs none to serve.
    get home() {
      return homedir()
    },
    get stdin() {
      return process.stdin
    },
    get stdout() {
      return process.stdout
    },
    get stderr() {
      return process.stderr
    },
    get signal() {
      return watch()
    },
    interrupt,
  }
}
