import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { changedLimits, type Logger, limits } from '../../../../foundation/kernel/index.ts'
import { scriptingLimits } from '../../limits.ts'
import { begunAt, cpuAt, doneAt, progressCells, revokedAt, ticksAt } from '../thread/thread-time.ts'
import type { FromWorkerBatch, ToWorker } from './messages.ts'
import { WorkerQueue } from './worker-queue.ts'

/**
 * Memory of a worker's own code beside its machines. It is the last resort: values of scripts have
 * limits of their own. A worker past it is ended as one that hangs, and the process goes on.
 */
const scriptWorkerHeapMib = 256
/**
 * Memory of a worker's own code for new objects. V8 ends a worker that is out of memory only if
 * less than 16 MiB grows old at once; past that it ends the process.
 */
const scriptWorkerYoungMib = 8
/** Batches of messages that are in flight to one worker thread. */
const scriptBatchesMax = 2

export type WorkerChannelOptions = {
  readonly entry: URL
  readonly logger: Logger
  readonly machinesMax: number
  /** Milliseconds of CPU that a call of the solution takes. */
  readonly averageCpuMs: (solutionId: string) => number
  readonly onMessages: (channel: WorkerChannel, messages: FromWorkerBatch) => void
  /** Called once, when the worker has exited; the channel cannot be used after it. */
  readonly onExit: (channel: WorkerChannel, remains: InFlight) => void
  /** A message could not be cloned: it was not sent. */
  readonly onNotCloneable: (message: ToWorker) => void
  /** As if so many messages had been sent before the first one, and none of them revoked. */
  readonly numbersFrom?: number
}

/** Messages of a worker that exited. */
export type InFlight = {
  /** The message that ran, if one did. */
  readonly crashed: ToWorker | undefined
  /** Messages that were not started. */
  readonly notStarted: readonly ToWorker[]
}

/** The message that a worker runs now. */
export type WorkerActivity = {
  readonly message: ToWorker
  /** The time, and the CPU, that it has taken. */
  readonly runningMs: number
  readonly cpuMs: number
  /** Time without a tick of the engine. */
  readonly hungMs: number
}

type Batch = { readonly first: number; readonly messages: readonly ToWorker[] }

/**
 * Messages between the process and one worker. They wait in a queue that is flushed in a microtask,
 * with at most two batches under way, so that a busy worker gets few large ones. They are numbered
 * (the numbers wrap around), and the worker counts in shared memory which it has begun.
 */
export class WorkerChannel {
  /** The version of each solution's program that the worker was sent. */
  readonly sentVersions = new Map<string, number>()
  readonly #options: WorkerChannelOptions
  readonly #worker: Worker
  readonly #counts: Int32Array
  readonly #inFlight: Batch[] = []
  readonly #queue: WorkerQueue
  #next: number
  #flushing = false
  #exited = false
  #lastBegun = 0
  #lastTicks = 0
  #runningMs = 0
  #hungMs = 0
  /** Calls up to this number were taken back, unless they were begun. */
  #revoked = 0

  constructor(options: WorkerChannelOptions) {
    this.#options = options
    this.#queue = new WorkerQueue(options.averageCpuMs)
    const progress = new SharedArrayBuffer(progressCells * Int32Array.BYTES_PER_ELEMENT)
    this.#counts = new Int32Array(progress)
    const { machinesMax, numbersFrom = 0 } = options
    for (const cell of [begunAt, doneAt]) Atomics.store(this.#counts, cell, numbersFrom)
    this.#next = (numbersFrom + 1) | 0
    const machineBytesMax = limits.scriptMachinesBytesMax
    this.#worker = new Worker(options.entry, {
      workerData: { progress, machinesMax, machineBytesMax, limits: changedLimits() },
      env: threadEnvironment(),
      resourceLimits: {
        maxOldGenerationSizeMb: scriptWorkerHeapMib,
        maxYoungGenerationSizeMb: scriptWorkerYoungMib,
      },
    })
    // A caller that waits keeps the process alive; a worker that is there does not.
    this.#worker.unref()
    this.#worker.on('message', (messages: FromWorkerBatch) => this.#receive(messages))
    this.#worker.on('error', (error) => {
      options.logger.error({ err: error }, 'a script worker failed')
    })
    this.#worker.on('exit', () => this.#exit())
  }

  post(message: ToWorker): void {
    this.#queue.push(message)
    if (this.#flushing || this.#inFlight.length >= scriptBatchesMax) return
    this.#flushing = true
    queueMicrotask(() => this.#flush())
  }

  /** True if the engine is there: it has looked at its limits while it was made. */
  get isReady(): boolean {
    return Atomics.load(this.#counts, ticksAt) !== 0
  }

  /** True if nothing waits here and nothing is under way. */
  get isIdle(): boolean {
    return this.#queue.isEmpty && this.#inFlight.length === 0
  }

  /** Returns whether a message is still here. */
  isQueued(message: ToWorker | undefined): boolean {
    return message !== undefined && this.#queue.has(message)
  }

  /** Takes back a message that is still here. @returns whether it was. */
  removeQueued(message: ToWorker): boolean {
    return this.#queue.remove(message)
  }

  /** True if a call waits here that the worker has not begun. */
  get hasCallsToRevoke(): boolean {
    return this.#queue.hasCalls || this.#notStarted().some(([kind]) => kind === 'call')
  }

  /** Takes back all calls that the worker has not begun. */
  revokeCalls(): ToWorker[] {
    const revoked = (this.#next - 1) | 0
    Atomics.store(this.#counts, revokedAt, revoked)
    const notStarted = this.#notStarted().filter(([kind]) => kind === 'call')
    this.#revoked = revoked
    return [...notStarted, ...this.#queue.takeCalls()]
  }

  /** To be called every `scriptWatchdogMs`. */
  sampleActivity(): WorkerActivity | undefined {
    const begun = Atomics.load(this.#counts, begunAt)
    const ticks = Atomics.load(this.#counts, ticksAt)
    const idle = begun === Atomics.load(this.#counts, doneAt)
    const isNew = idle || begun !== this.#lastBegun
    // Looks are counted, not the clock: after a pause of the whole process nobody is to blame.
    this.#runningMs = isNew ? 0 : this.#runningMs + scriptingLimits.scriptWatchdogMs
    this.#hungMs =
      isNew || ticks !== this.#lastTicks ? 0 : this.#hungMs + scriptingLimits.scriptWatchdogMs
    this.#lastBegun = begun
    this.#lastTicks = ticks
    const message = idle ? undefined : this.#numbered(begun)
    if (message === undefined) return undefined
    const cpuMs = Atomics.load(this.#counts, cpuAt)
    return { message, runningMs: this.#runningMs, cpuMs, hungMs: this.#hungMs }
  }

  /** Ends the worker at once; `onExit` is called now. */
  end(): Promise<number> {
    const ended = this.#worker.terminate()
    this.#exit()
    return ended
  }

  #flush(): void {
    this.#flushing = false
    while (!this.#exited && !this.#queue.isEmpty && this.#inFlight.length < scriptBatchesMax) {
      this.#send(this.#queue.takeBatch())
    }
  }

  #send(messages: readonly ToWorker[]): void {
    try {
      this.#worker.postMessage(messages)
    } catch {
      // If one of them holds what cannot be cloned, such as a function, the others go without it.
      const clean = messages.filter((one) => isCloneable(one))
      for (const one of messages) if (!clean.includes(one)) this.#options.onNotCloneable(one)
      if (clean.length > 0) this.#send(clean)
      return
    }
    this.#inFlight.push({ first: this.#next, messages })
    this.#next = (this.#next + messages.length) | 0
  }

  #receive(messages: FromWorkerBatch): void {
    if (this.#exited) return
    if (messages.at(-1)?.[0] !== 'more') {
      this.#inFlight.shift()
      this.#revokeDone()
    }
    this.#options.onMessages(this, messages)
    this.#flush()
  }

  #numbered(number: number): ToWorker | undefined {
    for (const { first, messages } of this.#inFlight) {
      const at = (number - first) | 0
      if (at >= 0 && at < messages.length) return messages[at]
    }
    return undefined
  }

  /** Numbers wrap around: what is 2^31 behind the next one would count as ahead of it. */
  #revokeDone(): void {
    const done = ((this.#inFlight[0]?.first ?? this.#next) - 1) | 0
    if (((done - this.#revoked) | 0) <= 0) return
    Atomics.store(this.#counts, revokedAt, done)
    this.#revoked = done
  }

  /** Messages in flight that were not started and not revoked. */
  #notStarted(): ToWorker[] {
    const begun = Atomics.load(this.#counts, begunAt)
    const isToCome = ([kind]: ToWorker, number: number) =>
      ((number - begun) | 0) > 0 && (kind !== 'call' || ((number - this.#revoked) | 0) > 0)
    return this.#inFlight.flatMap(({ first, messages }) =>
      messages.filter((message, at) => isToCome(message, first + at)),
    )
  }

  #exit(): void {
    if (this.#exited) return
    this.#exited = true
    const begun = Atomics.load(this.#counts, begunAt)
    const idle = begun === Atomics.load(this.#counts, doneAt)
    this.#options.onExit(this, {
      crashed: idle ? undefined : this.#numbered(begun),
      notStarted: [...this.#notStarted(), ...this.#queue.takeAll()],
    })
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

/** A thread reads the folder of compiled code from its environment, and nothing else. */
function threadEnvironment(): NodeJS.Dict<string> {
  const folder = getCompileCacheDir()
  // It names the subfolder of this Node.
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) }
}
