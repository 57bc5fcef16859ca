import { type Logger, limits } from '../../../kernel/index.ts'
import type { FromWorker, ToWorker } from './messages.ts'
import { createQuarantine, type Quarantine } from './quarantine.ts'
import { rendezvous } from './rendezvous.ts'
import { type InFlight, type WorkerActivity, WorkerChannel } from './worker-channel.ts'

export type PoolNeeds = {
  /** Threads that run scripts, and those for solutions that spin. */
  readonly workers: number
  readonly workersApart: number
  readonly entry: URL
  readonly logger: Logger
  readonly elapsedMs: () => number
  readonly heard: (message: FromWorker, line: WorkerChannel) => void
  readonly lost: (line: WorkerChannel, remains: InFlight) => void
  readonly refused: (message: ToWorker) => void
  /** Of which solution a message is. */
  readonly solutionOf: (message: ToWorker) => string | undefined
  /** Whether a call was begun in the worker, and has not ended. */
  readonly hasCalls: (line: WorkerChannel) => boolean
  /** Calls that a worker was not to begin: they are to be posted anew. */
  readonly takenBack: (messages: readonly ToWorker[]) => void
}

/** Some seconds of work: who runs a script once needs no worker more. */
const looksBeforeSpare = 80

/** Where a solution's calls go, while it is not apart, and the worker that has its machine. */
type Placement = { readonly home: number; line: WorkerChannel | undefined }

/**
 * The workers. Each solution has one, so that its calls share one machine: by rendezvous hashing,
 * so that another number of workers moves few of them. Solutions that spin have workers of their
 * own. A worker that one call holds is left to this call, and another one takes its place.
 */
export class WorkerPool {
  readonly apart: Quarantine
  readonly #needs: PoolNeeds
  /** Behind the others those for solutions that spin. */
  readonly #lines = new Map<number, WorkerChannel>()
  readonly #known = new Map<string, Placement>()
  /** Left to the calls that they have. */
  readonly #left = new Set<WorkerChannel>()
  readonly #machinesMax: number
  /** They take the place of others. */
  readonly #spares = new Set<WorkerChannel>()
  #closed = false
  #looks = 0

  constructor(needs: PoolNeeds) {
    this.#needs = needs
    this.apart = createQuarantine(needs.elapsedMs)
    const workers = needs.workers + needs.workersApart
    this.#machinesMax = Math.max(1, Math.floor(limits.scriptMachinesMax / workers))
  }

  lineOf(solutionId: string): WorkerChannel {
    const known = this.#knownOf(solutionId)
    const place = this.apart.has(solutionId) ? this.#placeApart(solutionId) : known.home
    const line = this.#lines.get(place) ?? this.#take(place)
    if (known.line !== line) leave(known.line, solutionId)
    known.line = line
    return line
  }

  checkLineOf(solutionId: string, isApart: boolean): WorkerChannel {
    const place =
      isApart || this.apart.has(solutionId)
        ? this.#placeApart(solutionId)
        : rendezvous(solutionId, this.#needs.workers)
    return this.#lines.get(place) ?? this.#take(place)
  }

  forget(solutionId: string): void {
    for (const line of this.#all()) leave(line, solutionId)
    this.#known.delete(solutionId)
  }

  /** First those that are known not to take long: the others may hold the next worker, too. */
  sendOn(line: WorkerChannel): void {
    const isKnown = (message: ToWorker) => {
      const solutionId = this.#needs.solutionOf(message)
      return solutionId !== undefined && this.apart.averageCpuMs(solutionId) > 0
    }
    const { known = [], others = [] } = Object.groupBy(line.revokeCalls(), (message) =>
      isKnown(message) ? 'known' : 'others',
    )
    this.#needs.takenBack([...known, ...others])
  }

  look(): void {
    this.#looks += 1
    if (this.#looks >= looksBeforeSpare) this.#openSpare()
    for (const line of this.#all()) {
      const at = line.sampleActivity()
      if (at !== undefined) this.#lookAt(line, at)
      else if (this.#left.has(line) && line.isIdle && !this.#needs.hasCalls(line)) this.#free(line)
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    await Promise.all(this.#all().map((line) => line.end()))
  }

  #lookAt(line: WorkerChannel, at: WorkerActivity): void {
    if (at.hungMs >= limits.scriptHangMs) {
      const what = { hungMs: at.hungMs, at: at.message[0] }
      this.#needs.logger.error(what, 'a script worker hangs: ended')
      line.end()
      return
    }
    const place = this.#homeOf(line)
    if (place === undefined) return
    if (at.cpuMs >= limits.scriptQuarantineCpuMs / 2) this.#openSpare()
    const hasSpun = at.cpuMs >= limits.scriptQuarantineCpuMs
    if (!hasSpun && at.runningMs < limits.scriptBlockedMs) return
    // On a busy machine a call may hold its worker for long and do little: it is not to blame.
    const solutionId = hasSpun ? this.#needs.solutionOf(at.message) : undefined
    if (solutionId !== undefined) this.apart.extend(solutionId)
    if (!line.hasCallsToRevoke || this.#left.size >= limits.scriptWorkersBlockedMax) return
    this.#left.add(line)
    this.#lines.delete(place)
    this.sendOn(line)
  }

  #knownOf(solutionId: string): Placement {
    const known = this.#known.get(solutionId)
    if (known !== undefined) return known
    if (this.#known.size >= limits.scriptPlacementsMax) this.#known.clear()
    const made = { home: rendezvous(solutionId, this.#needs.workers), line: undefined }
    this.#known.set(solutionId, made)
    return made
  }

  #placeApart(solutionId: string): number {
    return this.#needs.workers + rendezvous(solutionId, this.#needs.workersApart)
  }

  #homeOf(line: WorkerChannel): number | undefined {
    for (let place = 0; place < this.#needs.workers; place += 1) {
      if (this.#lines.get(place) === line) return place
    }
    return undefined
  }

  #all(): WorkerChannel[] {
    return [...this.#lines.values(), ...this.#left, ...this.#spares]
  }

  #take(place: number): WorkerChannel {
    const spares = place < this.#needs.workers ? [...this.#spares] : []
    const spare = spares.find(({ isReady }) => isReady) ?? spares[0]
    if (spare !== undefined) this.#spares.delete(spare)
    const line = spare ?? this.#open()
    this.#lines.set(place, line)
    return line
  }

  /** A worker takes a quarter of a second to begin; where one solution is alone nobody waits. */
  #openSpare(): void {
    const all = this.#spares.size + this.#left.size
    if (this.#closed || this.#known.size < 2 || all >= limits.scriptWorkersSpareMax) return
    this.#spares.add(this.#open())
  }

  /** What held a worker that was left has ended: it is a spare one, without its machines. */
  #free(line: WorkerChannel): void {
    if (this.#spares.size >= limits.scriptWorkersSpareMax) {
      line.end()
      return
    }
    for (const solutionId of [...line.sentVersions.keys()]) leave(line, solutionId)
    this.#left.delete(line)
    this.#spares.add(line)
  }

  #open(): WorkerChannel {
    const { entry, logger, heard, lost, refused } = this.#needs
    return new WorkerChannel({
      ...{ entry, logger, onNotCloneable: refused, machinesMax: this.#machinesMax },
      averageCpuMs: (solutionId) => this.apart.averageCpuMs(solutionId),
      onMessages: (from, messages) => {
        for (const message of messages) heard(message, from)
      },
      onExit: (gone, remains) => {
        this.#drop(gone)
        lost(gone, remains)
      },
    })
  }

  #drop(gone: WorkerChannel): void {
    this.#left.delete(gone)
    this.#spares.delete(gone)
    for (const [place, line] of this.#lines) if (line === gone) this.#lines.delete(place)
    if (this.#closed) return
    for (const known of this.#known.values()) if (known.line === gone) known.line = undefined
  }
}

/** The machine stays until the calls in it have ended. */
function leave(line: WorkerChannel | undefined, solutionId: string): void {
  if (line?.sentVersions.delete(solutionId) === true) line.post(['forget', solutionId])
}
