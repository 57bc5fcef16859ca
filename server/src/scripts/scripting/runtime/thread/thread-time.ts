export type ThreadTimeSources = {
  /** Milliseconds that only move forward. */
  readonly elapsedMs: () => number
  /** Milliseconds of CPU of this thread. Reading it costs six times as much as the former. */
  readonly threadMs: () => number
  /** The counters, shared with the main thread, of what a message has used while it is handled. */
  readonly progress?: Int32Array
  /** Called at a tick, once for each message that has taken some CPU. */
  readonly onLongMessage?: () => void
}

/** In `progress`, numbers that wrap around: messages begun, messages done, ticks of the engine. */
export const begunAt = 0
export const doneAt = 1
export const ticksAt = 2
/** Milliseconds of CPU of the message that is worked on. */
export const cpuAt = 3
/** Written by the main thread: calls up to this message are not to be begun any more. */
export const revokedAt = 4
export const progressCells = 5

/**
 * Systems count a thread's CPU in steps of some milliseconds: below, the wall clock is more exact.
 */
const readEveryMs = 10
/** A message that takes so much delays others. */
const longMessageMs = 2

/**
 * CPU that this thread uses. Between two readings of it every millisecond of the wall counts as
 * one: a little too much where others take the processor meanwhile, never too little. Only
 * differences mean something.
 */
export class ThreadTime {
  readonly #sources: ThreadTimeSources
  readonly #progress: Int32Array
  #usedMs = 0
  /** The wall's clock up to which `#usedMs` is known. */
  #atMs: number
  #threadMs: number
  #readSinceBegin = false
  #messageFromMs = 0
  #isLong = false

  constructor(sources: ThreadTimeSources) {
    this.#sources = sources
    this.#progress = sources.progress ?? new Int32Array(progressCells)
    this.#atMs = sources.elapsedMs()
    this.#threadMs = sources.threadMs()
  }

  /** Messages came after a pause. */
  wake(): void {
    this.#threadMs = this.#sources.threadMs()
  }

  /** A message begins: what was before is not its. */
  begin(): void {
    this.#atMs = this.#sources.elapsedMs()
    this.#readSinceBegin = false
    this.#messageFromMs = this.#usedMs
    this.#isLong = false
    Atomics.store(this.#progress, cpuAt, 0)
  }

  get nowMs(): number {
    return this.#sources.elapsedMs()
  }

  /** CPU used up to now: the beginning or the end of what is to be measured. */
  mark(): number {
    const nowMs = this.#sources.elapsedMs()
    if (nowMs - this.#atMs >= readEveryMs) this.#read(nowMs)
    this.#usedMs += nowMs - this.#atMs
    this.#atMs = nowMs
    return this.#usedMs
  }

  /** Called at the engine's checks of its limits. @returns CPU used up to now. */
  tick(nowMs: number): number {
    if (!this.#readSinceBegin || nowMs - this.#atMs >= readEveryMs) this.#read(nowMs)
    const usedMs = this.#usedMs + nowMs - this.#atMs
    Atomics.add(this.#progress, ticksAt, 1)
    const messageMs = usedMs - this.#messageFromMs
    Atomics.store(this.#progress, cpuAt, Math.round(messageMs))
    if (messageMs >= longMessageMs && !this.#isLong) {
      this.#isLong = true
      this.#sources.onLongMessage?.()
    }
    return usedMs
  }

  /**
   * Returns a function to be called at each step of work that has no checks of the engine: a tick,
   * so that a busy machine ends no worker that works, until the work has used the CPU.
   */
  ticksFor(cpuMs: number): () => void {
    let leftMs = cpuMs
    const fromMs = this.mark()
    return () => {
      if (leftMs > 0) leftMs = fromMs + cpuMs - this.tick(this.nowMs)
    }
  }

  /** As exactly as the system counts. @returns CPU used up to now. */
  settle(nowMs: number): number {
    this.#read(nowMs)
    return this.#usedMs
  }

  /** No more than the wall's time: the last reading may lie before what is measured. */
  #read(nowMs: number): void {
    const threadMs = this.#sources.threadMs()
    this.#usedMs += Math.max(0, Math.min(nowMs - this.#atMs, threadMs - this.#threadMs))
    this.#atMs = nowMs
    this.#threadMs = threadMs
    this.#readSinceBegin = true
  }
}
