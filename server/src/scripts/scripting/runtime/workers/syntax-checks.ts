import { Fault } from '../../../../foundation/kernel/index.ts'
import type { LuaCalls } from '../../check/lua-calls.ts'
import { scriptingLimits } from '../../limits.ts'
import type { Chunk, SyntaxProblem } from '../../registry/program.ts'
import type { CheckedPart, SourceFinding } from './messages.ts'
import type { WorkerPool } from './pool.ts'
import { Quarantine } from './quarantine.ts'
import type { WorkerChannel } from './worker-channel.ts'

export type SyntaxChecksOptions = {
  readonly pool: Pick<WorkerPool, 'checkChannelFor'>
  /** Called when a check begins. */
  readonly onBusy: () => void
  /** Shared with the calls, so that an id belongs to one of them alone. */
  readonly ids: { last: number }
  readonly elapsedMs: () => number
}

type PendingCheck = {
  readonly solutionId: string
  readonly channel: WorkerChannel
  readonly resolve: (found: never) => void
  readonly reject: (error: unknown) => void
}

/**
 * Sources that are checked and not run. Small ones are checked by the worker that runs their
 * solution. Large ones, and those of a solution that had much checked of late, go to the
 * quarantine workers. This does not put the solution's calls into quarantine.
 */
export class SyntaxChecks {
  readonly #options: SyntaxChecksOptions
  readonly #pending = new Map<number, PendingCheck>()
  readonly #pendingOf = new Map<string, number>()
  readonly #quarantine: Quarantine
  #closed = false

  constructor(options: SyntaxChecksOptions) {
    this.#options = options
    this.#quarantine = new Quarantine(options.elapsedMs)
  }

  get count(): number {
    return this.#pending.size
  }

  /** @throws Fault overloaded where too many of the solution wait, or the worker was lost. */
  check(solutionId: string, chunk: Chunk): Promise<SyntaxProblem | undefined> {
    return this.#ask(solutionId, chunk, 'syntax')
  }

  /** The same for the calls that the source makes; undefined for one that cannot be read. */
  readCalls(solutionId: string, chunk: Chunk): Promise<LuaCalls | undefined> {
    return this.#ask(solutionId, chunk, 'calls')
  }

  async #ask<Part extends SourceFinding>(
    solutionId: string,
    chunk: Chunk,
    what: CheckedPart,
  ): Promise<Part | undefined> {
    if (this.#closed) throw new Fault('overloaded', 'The platform is stopping.')
    const before = this.#pendingOf.get(solutionId) ?? 0
    if (before >= scriptingLimits.scriptChecksWaitingMax) throw new Fault('overloaded', tooMany)
    const { pool, ids, onBusy } = this.#options
    ids.last += 1
    const id = ids.last
    const isLarge = chunk.source.length > scriptingLimits.scriptCheckSmallChars
    const channel = pool.checkChannelFor(solutionId, isLarge || this.#quarantine.has(solutionId))
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { solutionId, channel, resolve, reject })
      this.#pendingOf.set(solutionId, before + 1)
      channel.post(['check', id, chunk, solutionId, what])
      onBusy()
    })
  }

  receive(id: number, found: SourceFinding | undefined, cpuMs: number): void {
    const check = this.#take(id)
    if (check === undefined) return
    this.#quarantine.recordCpu(check.solutionId, cpuMs)
    check.resolve(found as never)
  }

  workerLost(lost: WorkerChannel): void {
    for (const [id, { channel, reject }] of [...this.#pending]) {
      if (channel !== lost) continue
      this.#take(id)
      reject(new Fault('overloaded', 'The worker that checked the script was lost. Try again.'))
    }
  }

  /** From now on every check is refused. */
  close(): void {
    this.#closed = true
  }

  #take(id: number): PendingCheck | undefined {
    const check = this.#pending.get(id)
    if (check === undefined) return undefined
    this.#pending.delete(id)
    const left = (this.#pendingOf.get(check.solutionId) ?? 1) - 1
    if (left > 0) this.#pendingOf.set(check.solutionId, left)
    else this.#pendingOf.delete(check.solutionId)
    return check
  }
}

const tooMany = 'Too many scripts of this solution wait to be looked at. Try again.'
