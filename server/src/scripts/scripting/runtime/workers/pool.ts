import { fnv1a, type Logger, LruMap } from '../../../../foundation/kernel/index.ts'
import { scriptingLimits } from '../../limits.ts'
import type { FromWorker, ToWorker } from './messages.ts'
import { Quarantine } from './quarantine.ts'
import { type InFlight, type WorkerActivity, WorkerChannel } from './worker-channel.ts'

/**
 * The time after which calls that wait move to another thread, if the call before them has done
 * little because the processor is busy; its solution stays.
 */
const scriptBlockedMs = 250
/**
 * Worker threads that are left to one call each in this way. Past it calls wait until one of them
 * has ended.
 */
const scriptWorkersBlockedMax = 4
/** Solutions whose worker thread a process stores. */
const scriptPlacementsMax = 10_000

export type WorkerPoolOptions = {
  /** Threads that run scripts, and those for solutions that spin. */
  readonly workers: number
  readonly quarantineWorkers: number
  readonly entry: URL
  readonly logger: Logger
  readonly elapsedMs: () => number
  readonly onMessage: (message: FromWorker, channel: WorkerChannel) => void
  readonly onLost: (channel: WorkerChannel, remains: InFlight) => void
  readonly onNotCloneable: (message: ToWorker) => void
  /** Returns the solution that a message belongs to. */
  readonly findSolution: (message: ToWorker) => string | undefined
  /** Returns whether the worker has a call that has not ended. */
  readonly hasCalls: (channel: WorkerChannel) => boolean
  /** Receives calls that the worker has not begun, to be posted anew. */
  readonly onRevoked: (messages: readonly ToWorker[]) => void
}

/** Some seconds of work: a process that runs one script once needs no spare worker. */
const samplesBeforeSpare = 80

/** The place of a solution's calls outside of quarantine, and the worker of its machine. */
type Placement = { readonly home: number; channel: WorkerChannel | undefined }

/**
 * The workers. Each solution has one, so that its calls share one machine: by rendezvous hashing,
 * so that another number of workers moves few of them. Solutions that spin have workers of their
 * own. A worker that one call holds is left to this call, and another one takes its place.
 */
export class WorkerPool {
  readonly quarantine: Quarantine
  readonly #options: WorkerPoolOptions
  /** By place; the quarantine workers come last. */
  readonly #channels = new Map<number, WorkerChannel>()
  readonly #placements = new LruMap<string, Placement>(scriptPlacementsMax)
  /** Removed from their places because a call holds them; they end the calls that they have. */
  readonly #left = new Set<WorkerChannel>()
  readonly #machinesMax: number
  /** Ready to take the place of another. */
  readonly #spares = new Set<WorkerChannel>()
  #closed = false
  #samples = 0

  constructor(options: WorkerPoolOptions) {
    this.#options = options
    this.quarantine = new Quarantine(options.elapsedMs)
    const workers = options.workers + options.quarantineWorkers
    this.#machinesMax = Math.max(1, Math.floor(scriptingLimits.scriptMachinesMax / workers))
  }

  channelFor(solutionId: string): WorkerChannel {
    const known = this.#placementFor(solutionId)
    const place = this.quarantine.has(solutionId) ? this.#quarantinePlace(solutionId) : known.home
    const channel = this.#channels.get(place) ?? this.#take(place)
    if (known.channel !== channel) leave(known.channel, solutionId)
    known.channel = channel
    return channel
  }

  checkChannelFor(solutionId: string, inQuarantine: boolean): WorkerChannel {
    const place =
      inQuarantine || this.quarantine.has(solutionId)
        ? this.#quarantinePlace(solutionId)
        : rendezvous(solutionId, this.#options.workers)
    return this.#channels.get(place) ?? this.#take(place)
  }

  forget(solutionId: string): void {
    for (const channel of this.#all()) leave(channel, solutionId)
    this.#placements.delete(solutionId)
  }

  /** First those that are known not to take long: the others may hold the next worker, too. */
  revokeFrom(channel: WorkerChannel): void {
    const isKnown = (message: ToWorker) => {
      const solutionId = this.#options.findSolution(message)
      return solutionId !== undefined && this.quarantine.averageCpuMs(solutionId) > 0
    }
    const { known = [], others = [] } = Object.groupBy(channel.revokeCalls(), (message) =>
      isKnown(message) ? 'known' : 'others',
    )
    this.#options.onRevoked([...known, ...others])
  }

  sample(): void {
    this.#samples += 1
    if (this.#samples >= samplesBeforeSpare) this.#openSpare()
    for (const channel of this.#all()) {
      const at = channel.sampleActivity()
      if (at !== undefined) this.#checkActivity(channel, at)
      else if (this.#left.has(channel) && channel.isIdle && !this.#options.hasCalls(channel))
        this.#free(channel)
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    await Promise.all(this.#all().map((channel) => channel.end()))
  }

  #checkActivity(channel: WorkerChannel, at: WorkerActivity): void {
    if (at.hungMs >= scriptingLimits.scriptHangMs) {
      const what = { hungMs: at.hungMs, at: at.message[0] }
      this.#options.logger.error(what, 'a script worker hangs: ended')
      channel.end()
      return
    }
    const place = this.#findHome(channel)
    if (place === undefined) return
    if (at.cpuMs >= scriptingLimits.scriptQuarantineCpuMs / 2) this.#openSpare()
    const hasSpun = at.cpuMs >= scriptingLimits.scriptQuarantineCpuMs
    if (!hasSpun && at.runningMs < scriptBlockedMs) return
    // On a busy machine a call may hold its worker for long and do little: it is not to blame.
    const solutionId = hasSpun ? this.#options.findSolution(at.message) : undefined
    if (solutionId !== undefined) this.quarantine.extend(solutionId)
    if (!channel.hasCallsToRevoke || this.#left.size >= scriptWorkersBlockedMax) return
    this.#left.add(channel)
    this.#channels.delete(place)
    this.revokeFrom(channel)
  }

  #placementFor(solutionId: string): Placement {
    const known = this.#placements.get(solutionId)
    if (known !== undefined) return known
    const placement = { home: rendezvous(solutionId, this.#options.workers), channel: undefined }
    this.#placements.set(solutionId, placement)
    return placement
  }

  #quarantinePlace(solutionId: string): number {
    return this.#options.workers + rendezvous(solutionId, this.#options.quarantineWorkers)
  }

  #findHome(channel: WorkerChannel): number | undefined {
    for (let place = 0; place < this.#options.workers; place += 1) {
      if (this.#channels.get(place) === channel) return place
    }
    return undefined
  }

  #all(): WorkerChannel[] {
    return [...this.#channels.values(), ...this.#left, ...this.#spares]
  }

  #take(place: number): WorkerChannel {
    const spares = place < this.#options.workers ? [...this.#spares] : []
    const spare = spares.find(({ isReady }) => isReady) ?? spares[0]
    if (spare !== undefined) this.#spares.delete(spare)
    const channel = spare ?? this.#open()
    this.#channels.set(place, channel)
    return channel
  }

  /** A worker takes a fifth of a second to begin; where one solution is alone nobody waits. */
  #openSpare(): void {
    const all = this.#spares.size + this.#left.size
    if (this.#closed || this.#placements.size < 2 || all >= scriptingLimits.scriptWorkersSpareMax)
      return
    this.#spares.add(this.#open())
  }

  /**
   * Frees a worker whose work has ended after it was left: it is a spare one, without its machines.
   */
  #free(channel: WorkerChannel): void {
    if (this.#spares.size >= scriptingLimits.scriptWorkersSpareMax) {
      channel.end()
      return
    }
    for (const solutionId of [...channel.sentVersions.keys()]) leave(channel, solutionId)
    this.#left.delete(channel)
    this.#spares.add(channel)
  }

  #open(): WorkerChannel {
    const { entry, logger, onMessage, onLost, onNotCloneable } = this.#options
    return new WorkerChannel({
      entry,
      logger,
      machinesMax: this.#machinesMax,
      onNotCloneable,
      averageCpuMs: (solutionId) => this.quarantine.averageCpuMs(solutionId),
      onMessages: (from, messages) => {
        for (const message of messages) onMessage(message, from)
      },
      onExit: (gone, remains) => {
        this.#drop(gone)
        onLost(gone, remains)
      },
    })
  }

  #drop(gone: WorkerChannel): void {
    this.#left.delete(gone)
    this.#spares.delete(gone)
    for (const [place, channel] of this.#channels)
      if (channel === gone) this.#channels.delete(place)
    if (this.#closed) return
    for (const placement of this.#placements.values()) {
      if (placement.channel === gone) placement.channel = undefined
    }
  }
}

/** The machine stays until the calls in it have ended. */
function leave(channel: WorkerChannel | undefined, solutionId: string): void {
  if (channel?.sentVersions.delete(solutionId) === true) channel.post(['forget', solutionId])
}

/** Every place has a number for the solution; the place with the highest number has it. */
function rendezvous(solutionId: string, places: number): number {
  let best = 0
  let highest = -1
  for (let place = 0; place < places; place += 1) {
    const number = hash(`${place}/${solutionId}`)
    if (number > highest) {
      highest = number
      best = place
    }
  }
  return best
}

const mixer = 0x85ebca6b

function hash(text: string): number {
  const hashed = fnv1a(text)
  const mixed = Math.imul(hashed ^ (hashed >>> 16), mixer)
  return (mixed ^ (mixed >>> 13)) >>> 0
}
