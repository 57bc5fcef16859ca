import type { FollowOptions } from '@millrace/client'
import type { Client } from '../api/client.ts'
import { followLines, type Line, type LineFilter, listLines } from '../api/logs.ts'

/** The newest lines that are kept; older ones fall out. */
export const linesMax = 500
const firstLines = 100
const retryMs = 1_000

/** A line of a log that is followed. */
type AnyLine = {
  readonly id: string
  readonly timestamp: number
  readonly type: string
  readonly code?: string | null
}

export type Feed<One = Line> = {
  /** `stopped`: the server refused, and asking again would not help. */
  readonly state: 'connecting' | 'live' | 'reconnecting' | 'stopped'
  /** Why it is not live. */
  readonly problem: Error | undefined
  /** Newest first. While paused they stay as they were. */
  readonly lines: readonly One[]
  readonly paused: boolean
  /** Lines that came while it was paused, at most `linesMax`. */
  readonly waiting: number
  /** True if the lines before the stream have been read. */
  readonly loaded: boolean
}

type LineSource<One> = {
  /** The newest stored lines, newest first; `after` is where the live view goes on. */
  readonly list: (
    limit: number,
    signal: AbortSignal,
  ) => Promise<{ readonly lines: readonly One[]; readonly after?: string }>
  readonly follow: (options: FollowOptions) => AsyncIterable<One>
}

/** Follows a log: first the stored lines, then new ones; reconnects if it breaks. */
export class LineFeed<One extends AnyLine> {
  readonly #source: LineSource<One>
  readonly #listeners = new Set<() => void>()
  #run: AbortController | undefined
  /** The place at which the live view goes on. */
  #after: string | undefined
  #known: readonly One[] = []
  #coming: One[] = []
  #feed: Feed<One> = {
    ...{ state: 'connecting', problem: undefined, lines: [] },
    ...{ paused: false, waiting: 0, loaded: false },
  }

  constructor(source: LineSource<One>) {
    this.#source = source
  }

  readonly current = (): Feed<One> => this.#feed

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
    const lines = this.#source.follow({
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
    const { lines, after } = await this.#source.list(firstLines, signal)
    this.#after = after
    this.#take(lines)
    this.#become({ loaded: true })
  }

  /** Lines that come at once are shown at once. */
  #gather(line: One): void {
    this.#after = line.id
    this.#coming.push(line)
    if (this.#coming.length > 1) return
    setTimeout(() => {
      const all = this.#coming
      this.#coming = []
      this.#take(all)
    })
  }

  #take(came: readonly One[]): void {
    this.#known = merge(this.#known, came)
    const { paused, lines } = this.#feed
    const shown = new Set(lines.map(lineKey))
    if (!paused) this.#become({ lines: this.#known })
    else this.#become({ waiting: this.#known.filter((line) => !shown.has(lineKey(line))).length })
  }

  #become(part: Partial<Feed<One>>): void {
    this.#feed = { ...this.#feed, ...part }
    for (const listener of this.#listeners) listener()
  }
}

type Wanted = { readonly connectorId: string; readonly filter: LineFilter }

/** Follows a connector's log. */
export class LogFeed extends LineFeed<Line> {
  constructor(client: Client, { connectorId, filter }: Wanted) {
    super({
      list: (limit, signal) => listLines(client, connectorId, { ...filter, limit }, signal),
      follow: (options) => followLines(client, connectorId, filter, options),
    })
  }
}

/** Several lines may have one id: the line for a gap has that of the line behind it. */
export function lineKey({ id, type, code }: AnyLine): string {
  return `${id} ${type} ${code ?? ''}`
}

/** Newest first, each once, no more than are kept. */
function merge<One extends AnyLine>(known: readonly One[], came: readonly One[]): readonly One[] {
  const all = new Map([...came.toReversed(), ...known].map((line) => [lineKey(line), line]))
  return [...all.values()].sort((a, b) => b.timestamp - a.timestamp).slice(0, linesMax)
}
