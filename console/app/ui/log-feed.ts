import type { Client } from '../api/client.ts'
import { followLines, type Line, type LineFilter, listLines } from '../api/logs.ts'

/** The newest lines that are kept; older ones fall out. */
export const linesMax = 500
const firstLines = 100
const retryMs = 1_000

export type Feed = {
  /** `stopped`: the server refused, and asking again would not help. */
  readonly state: 'connecting' | 'live' | 'reconnecting' | 'stopped'
  /** Why it is not live. */
  readonly problem: Error | undefined
  /** Newest first. While paused they stay as they were. */
  readonly lines: readonly Line[]
  readonly paused: boolean
  /** Lines that came while it was paused, at most `linesMax`. */
  readonly waiting: number
  /** Whether the lines before the stream have been read. */
  readonly loaded: boolean
}

type Wanted = { readonly connectorId: string; readonly filter: LineFilter }

/** Follows a connector's log: first the stored lines, then new ones; reconnects if it breaks. */
export class LogFeed {
  readonly #client: Client
  readonly #wanted: Wanted
  readonly #listeners = new Set<() => void>()
  #run: AbortController | undefined
  /** Where the live view goes on. */
  #after: string | undefined
  #known: readonly Line[] = []
  #coming: Line[] = []
  #feed: Feed = {
    ...{ state: 'connecting', problem: undefined, lines: [] },
    ...{ paused: false, waiting: 0, loaded: false },
  }

  constructor(client: Client, wanted: Wanted) {
    this.#client = client
    this.#wanted = wanted
  }

  readonly current = (): Feed => this.#feed

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Begins, and again after `stop` or where it has stopped by itself. */
  readonly start = (): void => {
    this.#run?.abort()
    this.#run = new AbortController()
    this.#become({ state: 'connecting', problem: undefined })
    this.#follow(this.#run.signal)
  }

  readonly stop = (): void => this.#run?.abort()

  setPaused(paused: boolean): void {
    this.#become(paused ? { paused } : { paused, waiting: 0, lines: this.#known })
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const { connectorId, filter } = this.#wanted
    const lines = followLines(this.#client, connectorId, filter, {
      signal,
      retryMs,
      after: () => this.#after,
      opened: async () => {
        await this.#load(signal)
        this.#become({ state: 'live', problem: undefined })
      },
      lost: (error) => this.#become({ state: 'reconnecting', problem: error as Error }),
    })
    try {
      for await (const line of lines) this.#gather(line)
    } catch (error) {
      this.#become({ state: 'stopped', problem: error as Error })
    }
  }

  /** Reads the list when the stream is open, so that no line falls between the two. */
  async #load(signal: AbortSignal): Promise<void> {
    if (this.#feed.loaded) return
    const { connectorId, filter } = this.#wanted
    const page = { ...filter, limit: firstLines }
    const { lines, after } = await listLines(this.#client, connectorId, page, signal)
    this.#after = after
    this.#take(lines)
    this.#become({ loaded: true })
  }

  /** Lines that come at once are shown at once. */
  #gather(line: Line): void {
    this.#after = line.id
    this.#coming.push(line)
    if (this.#coming.length > 1) return
    setTimeout(() => {
      const all = this.#coming
      this.#coming = []
      this.#take(all)
    })
  }

  #take(came: readonly Line[]): void {
    this.#known = merge(this.#known, came)
    const { paused, lines } = this.#feed
    const shown = new Set(lines.map(keyOf))
    if (!paused) this.#become({ lines: this.#known })
    else this.#become({ waiting: this.#known.filter((line) => !shown.has(keyOf(line))).length })
  }

  #become(part: Partial<Feed>): void {
    this.#feed = { ...this.#feed, ...part }
    for (const listener of this.#listeners) listener()
  }
}

/** Several lines may have one id: the line for a gap has that of the line behind it. */
export function keyOf({ id, type, code }: Line): string {
  return `${id} ${type} ${code ?? ''}`
}

/** Newest first, each once, no more than are kept. */
function merge(known: readonly Line[], came: readonly Line[]): readonly Line[] {
  const all = new Map([...came.toReversed(), ...known].map((line) => [keyOf(line), line]))
  return [...all.values()].sort((a, b) => b.timestamp - a.timestamp).slice(0, linesMax)
}
