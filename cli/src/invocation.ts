import { isAbsolute, join } from 'node:path'
import type { Readable, Writable } from 'node:stream'

/** Environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>

/** The output of a command: a terminal, a pipe or a file. */
export type OutputStream = Writable & { readonly isTTY?: boolean; readonly columns?: number }

/** The parts of a process that a command uses; only a launcher takes them from its process. */
export type Invocation = {
  readonly env: Environment
  /** The working folder; `.` is that of the process. */
  readonly folder: string
  /** The home of the user. */
  readonly home: string
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly stdout: OutputStream
  readonly stderr: OutputStream
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal
  /** Does what Ctrl-C does, while the terminal passes that on as a letter. */
  interrupt(): void
}

/** The command line is wrong: shown with a hint at the command's help, exit code 2. */
export class UsageError extends Error {}

/** A path in a working folder; in that of the process it stays as it was written. */
export function pathIn(folder: string, path: string): string {
  return folder === '.' || isAbsolute(path) ? path : join(folder, path)
}
