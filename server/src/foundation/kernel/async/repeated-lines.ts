import { limits } from '../limits.ts'

/** The lines of one message in a window that began with the first. */
type Window = {
  readonly written: Set<string>
  /** Lines that were left out. */
  repeated: number
}

/**
 * A line that repeats is written once in a window, and counted: a full disk or a database that is
 * down fails each request and each turn of each loop. Lines are equal by their message, the error
 * and the texts beside it, as the name of a certificate; of one message some lines differ at most.
 */
export class RepeatedLines {
  readonly #windows = new Map<string, Window>()

  /**
   * Returns whether the line is to be written.
   * @param sum writes the line about those that were left out, once the window is over.
   */
  admits(message: string, fields: unknown, sum: (repeated: number) => void): boolean {
    const window = this.#windows.get(message) ?? this.#open(message, sum)
    if (window === undefined) return true
    const key = lineKey(fields)
    if (window.written.has(key) || window.written.size >= limits.logLinesOfMessageMax) {
      window.repeated += 1
      return false
    }
    window.written.add(key)
    return true
  }

  #open(message: string, sum: (repeated: number) => void): Window | undefined {
    // Messages are sentences of the program; so many different ones do not repeat.
    if (this.#windows.size >= limits.logMessagesMax) return undefined
    const window = { written: new Set<string>(), repeated: 0 }
    this.#windows.set(message, window)
    const end = () => {
      this.#windows.delete(message)
      if (window.repeated > 0) sum(window.repeated)
    }
    setTimeout(end, limits.logWindowMs).unref()
    return window
  }
}

/** Numbers do not count: they are times and sizes. */
function lineKey(fields: unknown): string {
  if (typeof fields !== 'object' || fields === null) return ''
  const texts = Object.entries(fields).map(([name, value]) => {
    if (value instanceof Error) return 'code' in value ? String(value.code) : value.message
    return typeof value === 'string' ? `${name} ${value}` : ''
  })
  return texts.join('\n')
}
