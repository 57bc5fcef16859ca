import type { Client } from '../api/call.ts'
import { followLines, type Line, type LineFilter, listLines } from '../api/logs.ts'
import { Problem } from '../api/problem.ts'

/** The newest lines that are kept; older ones fall out. */
export const linesMax = 500
const firstLines = 100
const retryMsMin = 1_000
const retryMsMax = 15_000

export type Feed = {
  /** `stopped`: the server refused, and asking again would not help. */
  readonly state: 'connecting' | 'live' | 'reconnecting' | 'stopped'
  /** Why it is not live. */
  readonly problem: Problem | undefined
  /** Newest first. While paused they stay as they were. */
  readonly lines: readonly Line[]
  readonly paused: boolean
  /** Lines that came while it was paused, at most `linesMax`. */
  readonly waiting: number
  /** Whether the lines before the stream have been read. */
  readonly loaded: boolean
}

export type LogFeed = {
  readonly current: () => Feed
  readonly subscribe: (listener: () => void) => () => void
  setPaused(paused: boolean): void
  /** Begins, and again after `stop` or where it has stopped by itself. */
  start(): void
  stop(): void
}

type Wanted = { readonly connectorId: string; readonly filter: LineFilter }

/** Follows a connector's log: first the stored lines, then new ones; reconnects if it breaks. */
export function createLogFeed(client: Client, { connectorId, filter }: Wanted): LogFeed {
  const listeners = new Set<() => void>()
  let run: AbortController | undefined
  let known: readonly Line[] = []
  let feed: Feed = {
    ...{ state: 'connecting', problem: undefined, lines: [] },
    ...{ paused: false, waiting: 0, loaded: false },
  }

  function become(part: Partial<Feed>): void {
    feed = { ...feed, ...part }
    for (const listener of listeners) listener()
  }

  function take(came: readonly Line[]): void {
    known = merge(known, came)
    const shown = new Set(feed.lines.map(keyOf))
    if (!feed.paused) become({ lines: known })
    else become({ waiting: known.filter((line) => !shown.has(keyOf(line))).length })
  }

  async function load(signal: AbortSignal): Promise<void> {
    take(await listLines(client, connectorId, { ...filter, limit: firstLines }, signal))
    become({ loaded: true })
  }

  /** Opens the stream before the list is read, so that no line falls between the two. */
  async function followOnce(signal: AbortSignal, onOpen: () => void): Promise<void> {
    const both = new AbortController()
    const either = AbortSignal.any([signal, both.signal])
    let loading: Promise<void> | undefined
    const after = feed.loaded ? (known[0]?.id ?? '') : ''
    const opened = () => {
      onOpen()
      if (after === '') loading = load(either).catch((error) => both.abort(error))
    }
    try {
      await followLines(client, connectorId, {
        ...{ filter, after, signal: either },
        ...{ onOpen: opened, onLines: take },
      })
    } finally {
      await loading
    }
  }

  return {
    current: () => feed,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    setPaused(paused) {
      become(paused ? { paused } : { paused, waiting: 0, lines: known })
    },
    start() {
      run?.abort()
      run = new AbortController()
      become({ state: 'connecting', problem: undefined })
      follow(run.signal, followOnce, become)
    },
    stop() {
      run?.abort()
    },
  }
}

/** Follows until it is stopped, or until another request would not help. */
async function follow(
  signal: AbortSignal,
  followOnce: (signal: AbortSignal, onOpen: () => void) => Promise<void>,
  become: (part: Partial<Feed>) => void,
): Promise<void> {
  let waitMs = retryMsMin
  while (!signal.aborted) {
    const problem = await followOnce(signal, () => {
      waitMs = retryMsMin
      become({ state: 'live', problem: undefined })
    }).then(() => undefined, problemOf)
    if (signal.aborted) return
    if (problem !== undefined && !isPassing(problem)) return become({ state: 'stopped', problem })
    become({ state: 'reconnecting', problem })
    await pause(waitMs, signal)
    waitMs = Math.min(waitMs * 2, retryMsMax)
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

/** Whether it may be over by itself, so that asking again helps. */
function isPassing(problem: Problem): boolean {
  return problem.isOutage || passing.includes(problem.code)
}

const passing: readonly string[] = ['server_closed', 'overloaded', 'time_exceeded', 'internal']

function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error
  return new Problem('internal', error instanceof Error ? error.message : `${error}`)
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
