import type { OutputStream } from '../invocation.ts'

/** The progress of a command. */
export type Status = {
  /** From 0 to 1; undefined if the end is not known. */
  readonly share?: number | undefined
  readonly text: string
}

const terminalEveryMs = 250
const plainEveryMs = 5_000
const barChars = 24
const eraseLine = '\r\u001b[K'

/**
 * Shows on standard error how far a command is: a bar that moves on a terminal, elsewhere a line
 * every few seconds.
 */
export class StatusLine {
  readonly #stderr: OutputStream
  readonly #state: () => Status
  readonly #isTerminal: boolean
  readonly #timer: NodeJS.Timeout
  #isDrawn = false

  constructor(stderr: OutputStream, state: () => Status) {
    this.#stderr = stderr
    this.#state = state
    this.#isTerminal = stderr.isTTY === true
    const everyMs = this.#isTerminal ? terminalEveryMs : plainEveryMs
    this.#timer = setInterval(() => this.#draw(), everyMs)
    if (this.#isTerminal) this.#draw()
  }

  /** Erases the bar, so that lines can be printed; it is drawn again. */
  hide(): void {
    if (!this.#isDrawn) return
    this.#stderr.write(eraseLine)
    this.#isDrawn = false
  }

  end(): void {
    clearInterval(this.#timer)
    this.hide()
  }

  #draw(): void {
    const line = formatStatus(this.#state())
    if (!this.#isTerminal) {
      this.#stderr.write(`${line}\n`)
      return
    }
    // A line that wraps cannot be erased.
    const width = Math.max((this.#stderr.columns || 80) - 1, 0)
    this.#stderr.write(`${eraseLine}${line.slice(0, width)}`)
    this.#isDrawn = true
  }
}

function formatStatus({ share, text }: Status): string {
  if (share === undefined) return text
  const part = Math.min(Math.max(share, 0), 1)
  const filled = Math.floor(part * barChars)
  const percent = `${Math.floor(part * 100)}`.padStart(3)
  return `[${'#'.repeat(filled).padEnd(barChars, '-')}] ${percent} %  ${text}`
}

/** Bytes as people read them. */
export function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}

/** A count as people read it. */
export const formatCount = (count: number) => count.toLocaleString('en')
