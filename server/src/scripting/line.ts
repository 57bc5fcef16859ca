import { Worker } from 'node:worker_threads'
import { type Logger, limits } from '../kernel/index.ts'
import { begunAt, doneAt, type FromWorkerBatch, type ToWorker } from './messages.ts'

export type LineNeeds = {
  readonly entry: URL
  readonly logger: Logger
  readonly machinesMax: number
  readonly heard: (line: Line, messages: FromWorkerBatch) => void
  /** Told once, when the worker is gone; the line is of no use after it. */
  readonly lost: (line: Line, remains: Remains) => void
  /** A message could not be cloned: it was not sent. */
  readonly refused: (message: ToWorker) => void
}

/** What a worker that was lost had before it. */
export type Remains = {
  /** The message at which it was, if it was at one. */
  readonly culprit: ToWorker | undefined
  /** Messages that were never begun. */
  readonly unbegun: readonly ToWorker[]
}

type Batch = { readonly first: number; readonly messages: readonly ToWorker[] }

/**
 * The way to one worker. Messages wait in a queue that is flushed in a microtask, with at most two
 * batches under way, so that a busy worker gets few large ones. They are numbered (the numbers wrap
 * around), and the worker counts in shared memory what it has begun.
 */
export class Line {
  /** The version of each solution's program that the worker was sent. */
  readonly known = new Map<string, number>()
  readonly #needs: LineNeeds
  readonly #worker: Worker
  readonly #counts: Int32Array
  readonly #underWay: Batch[] = []
  #waiting: ToWorker[] = []
  #next = 1
  #flushing = false
  #gone = false
  #lookedAt = 0
  #stuckMs = 0

  constructor(needs: LineNeeds) {
    this.#needs = needs
    const progress = new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT)
    this.#counts = new Int32Array(progress)
    const { machinesMax } = needs
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
    this.#waiting.push(message)
    if (this.#flushing || this.#underWay.length >= limits.scriptBatchesMax) return
    this.#flushing = true
    queueMicrotask(() => this.#flush())
  }

  /** Takes back a message that is still here. @returns whether it was. */
  takeBack(message: ToWorker): boolean {
    const at = this.#waiting.indexOf(message)
    if (at >= 0) this.#waiting.splice(at, 1)
    return at >= 0
  }

  /** What the worker is at, and for how long; to be called every `limits.scriptLookMs`. */
  look(): { readonly message: ToWorker; readonly stuckMs: number } | undefined {
    const begun = Atomics.load(this.#counts, begunAt)
    const idle = begun === Atomics.load(this.#counts, doneAt)
    // Looks are counted, not the clock: after a pause of the whole process nobody is to blame.
    this.#stuckMs = idle || begun !== this.#lookedAt ? 0 : this.#stuckMs + limits.scriptLookMs
    this.#lookedAt = begun
    const message = idle ? undefined : this.#numbered(begun)
    return message === undefined ? undefined : { message, stuckMs: this.#stuckMs }
  }

  /** Ends the worker at once; `lost` is told now. */
  end(): Promise<number> {
    const ended = this.#worker.terminate()
    this.#lose()
    return ended
  }

  #flush(): void {
    this.#flushing = false
    while (
      !this.#gone &&
      this.#waiting.length > 0 &&
      this.#underWay.length < limits.scriptBatchesMax
    ) {
      const messages = this.#takeBatch()
      if (messages.length > 0) this.#send(messages)
    }
  }

  #takeBatch(): ToWorker[] {
    if (this.#waiting.length <= limits.scriptBatchMax) {
      const all = this.#waiting
      this.#waiting = []
      return all
    }
    return this.#waiting.splice(0, limits.scriptBatchMax)
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
    this.#underWay.shift()
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

  #lose(): void {
    if (this.#gone) return
    this.#gone = true
    const begun = Atomics.load(this.#counts, begunAt)
    const idle = begun === Atomics.load(this.#counts, doneAt)
    const unbegun = this.#underWay.flatMap(({ first, messages }) =>
      messages.filter((_, at) => ((first + at - begun) | 0) > 0),
    )
    const culprit = idle ? undefined : this.#numbered(begun)
    this.#needs.lost(this, { culprit, unbegun: [...unbegun, ...this.#waiting] })
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
