import { Worker } from 'node:worker_threads'
import { type Logger, limits } from '../../kernel/index.ts'
import { LineQueue } from '../log/line-queue.ts'
import type { FromWorkerBatch, ToWorker } from './messages.ts'
import { begunAt, cpuAt, doneAt, progressCells, revokedAt, ticksAt } from './thread-time.ts'

export type LineNeeds = {
  readonly entry: URL
  readonly logger: Logger
  readonly machinesMax: number
  /** Milliseconds of CPU that a call of the solution takes. */
  readonly costOf: (solutionId: string) => number
  readonly heard: (line: WorkerChannel, messages: FromWorkerBatch) => void
  /** Told once, when the worker is gone; the line is of no use after it. */
  readonly lost: (line: WorkerChannel, remains: InFlight) => void
  /** A message could not be cloned: it was not sent. */
  readonly refused: (message: ToWorker) => void
  /** As if so many messages had been sent before the first one, and none of them revoked. */
  readonly numbersFrom?: number
}

/** What a worker that was lost had before it. */
export type InFlight = {
  /** The message at which it was, if it was at one. */
  readonly culprit: ToWorker | undefined
  /** Messages that were never begun. */
  readonly unbegun: readonly ToWorker[]
}

/** What a worker is at. */
export type AtWork = {
  readonly message: ToWorker
  /** How long, and how much CPU that has taken. */
  readonly heldMs: number
  readonly cpuMs: number
  /** How long the engine has not come to look at its limits. */
  readonly hungMs: number
}

type Batch = { readonly first: number; readonly messages: readonly ToWorker[] }

/**
 * The way to one worker. Messages wait in a queue that is flushed in a microtask, with at most two
 * batches under way, so that a busy worker gets few large ones. They are numbered (the numbers wrap
 * around), and the worker counts in shared memory what it has begun.
 */
export class WorkerChannel {
  /** The version of each solution's program that the worker was sent. */
  readonly known = new Map<string, number>()
  readonly #needs: LineNeeds
  readonly #worker: Worker
  readonly #counts: Int32Array
  readonly #underWay: Batch[] = []
  readonly #queue: LineQueue
  #next: number
  #flushing = false
  #gone = false
  #begunBefore = 0
  #ticksBefore = 0
  #heldMs = 0
  #hungMs = 0
  /** Calls up to this number were taken back, unless they were begun. */
  #revoked = 0

  constructor(needs: LineNeeds) {
    this.#needs = needs
    this.#queue = new LineQueue(needs.costOf)
    const progress = new SharedArrayBuffer(progressCells * Int32Array.BYTES_PER_ELEMENT)
    this.#counts = new Int32Array(progress)
    const { machinesMax, numbersFrom = 0 } = needs
    for (const cell of [begunAt, doneAt]) Atomics.store(this.#counts, cell, numbersFrom)
    this.#next = (numbersFrom + 1) | 0
    const machineBytesMax = limits.scriptMachinesBytesMax
    this.#worker = new Worker(needs.entry, {
      workerData: { progress, machinesMax, machineBytesMax },
      env: {},
      resourceLimits: {
        maxOldGenerationSizeMb: limits.scriptWorkerHeapMib,
        maxYoungGenerationSizeMb: limits.scriptWorkerYoungMib,
      },
    })
    // What keeps the process alive is that somebody waits for a call, not that a worker is there.
    this.#worker.unref()
    this.#worker.on('message', (messages: FromWorkerBatch) => this.#hear(messages))
    this.#worker.on('error', (error) => {
      needs.logger.error({ err: error }, 'a script worker failed')
    })
    this.#worker.on('exit', () => this.#lose())
  }

  post(message: ToWorker): void {
    this.#queue.push(message)
    if (this.#flushing || this.#underWay.length >= limits.scriptBatchesMax) return
    this.#flushing = true
    queueMicrotask(() => this.#flush())
  }

  /** Whether the engine is there: it has looked at its limits while it was made. */
  get isReady(): boolean {
    return Atomics.load(this.#counts, ticksAt) !== 0
  }

  /** Whether nothing waits here and nothing is under way. */
  get isIdle(): boolean {
    return this.#queue.isEmpty && this.#underWay.length === 0
  }

  /** Whether a message is still here. */
  holds(message: ToWorker | undefined): boolean {
    return message !== undefined && this.#queue.has(message)
  }

  /** Takes back a message that is still here. @returns whether it was. */
  takeBack(message: ToWorker): boolean {
    return this.#queue.remove(message)
  }

  /** Whether a call waits here that the worker has not begun. */
  get hasUnbegun(): boolean {
    return this.#queue.hasCalls || this.#unbegun().some(([kind]) => kind === 'call')
  }

  /** Takes back all calls that the worker has not begun. */
  takeCalls(): ToWorker[] {
    const revoked = (this.#next - 1) | 0
    Atomics.store(this.#counts, revokedAt, revoked)
    const unbegun = this.#unbegun().filter(([kind]) => kind === 'call')
    this.#revoked = revoked
    return [...unbegun, ...this.#queue.takeCalls()]
  }

  /** To be called every `limits.scriptLookMs`. */
  look(): AtWork | undefined {
    const begun = Atomics.load(this.#counts, begunAt)
    const ticks = Atomics.load(this.#counts, ticksAt)
    const idle = begun === Atomics.load(this.#counts, doneAt)
    const isNew = idle || begun !== this.#begunBefore
    // Looks are counted, not the clock: after a pause of the whole process nobody is to blame.
    this.#heldMs = isNew ? 0 : this.#heldMs + limits.scriptLookMs
    this.#hungMs = isNew || ticks !== this.#ticksBefore ? 0 : this.#hungMs + limits.scriptLookMs
    this.#begunBefore = begun
    this.#ticksBefore = ticks
    const message = idle ? undefined : this.#numbered(begun)
    if (message === undefined) return undefined
    const cpuMs = Atomics.load(this.#counts, cpuAt)
    return { message, heldMs: this.#heldMs, cpuMs, hungMs: this.#hungMs }
  }

  /** Ends the worker at once; `lost` is told now. */
  end(): Promise<number> {
    const ended = this.#worker.terminate()
    this.#lose()
    return ended
  }

  #flush(): void {
    this.#flushing = false
    while (!this.#gone && !this.#queue.isEmpty && this.#underWay.length < limits.scriptBatchesMax) {
      this.#send(this.#queue.takeBatch())
    }
  }

  #send(messages: readonly ToWorker[]): void {
    try {
      this.#worker.postMessage(messages)
    } catch {
      // One of them holds what cannot be cloned, such as a function: the others go without it.
      const clean = messages.filter((one) => isCloneable(one))
      for (const one of messages) if (!clean.includes(one)) this.#needs.refused(one)
      if (clean.length > 0) this.#send(clean)
      return
    }
    this.#underWay.push({ first: this.#next, messages })
    this.#next = (this.#next + messages.length) | 0
  }

  #hear(messages: FromWorkerBatch): void {
    if (this.#gone) return
    if (messages.at(-1)?.[0] !== 'more') {
      this.#underWay.shift()
      this.#revokeDone()
    }
    this.#needs.heard(this, messages)
    this.#flush()
  }

  #numbered(number: number): ToWorker | undefined {
    for (const { first, messages } of this.#underWay) {
      const at = (number - first) | 0
      if (at >= 0 && at < messages.length) return messages[at]
    }
    return undefined
  }

  /** Numbers wrap around: what is 2^31 behind the next one would count as ahead of it. */
  #revokeDone(): void {
    const done = ((this.#underWay[0]?.first ?? this.#next) - 1) | 0
    if (((done - this.#revoked) | 0) <= 0) return
    Atomics.store(this.#counts, revokedAt, done)
    this.#revoked = done
  }

  /** What is under way, was not begun, and is to be begun here. */
  #unbegun(): ToWorker[] {
    const begun = Atomics.load(this.#counts, begunAt)
    const isToCome = ([kind]: ToWorker, number: number) =>
      ((number - begun) | 0) > 0 && (kind !== 'call' || ((number - this.#revoked) | 0) > 0)
    return this.#underWay.flatMap(({ first, messages }) =>
      messages.filter((message, at) => isToCome(message, first + at)),
    )
  }

  #lose(): void {
    if (this.#gone) return
    this.#gone = true
    const begun = Atomics.load(this.#counts, begunAt)
    const idle = begun === Atomics.load(this.#counts, doneAt)
    const culprit = idle ? undefined : this.#numbered(begun)
    this.#needs.lost(this, { culprit, unbegun: [...this.#unbegun(), ...this.#queue.takeAll()] })
  }
}

function isCloneable(message: ToWorker): boolean {
  try {
    structuredClone(message)
    return true
  } catch {
    return false
  }
}
