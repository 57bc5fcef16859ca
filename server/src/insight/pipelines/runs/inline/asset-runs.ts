import { LruMap } from '../../../../foundation/kernel/index.ts'
import type { Job, NewJob } from '../../../../log/jobs/index.ts'
import type { LoadedAsset } from '../asset-graphs.ts'
import type { RunInput } from '../run-input.ts'
import type { LinksRun, RunOutcome } from '../run-job.ts'

/** Runs that batches of the log began and that jobs of this process take over. */
const functionRunsAdoptedMax = 10_000

export type EntryInput = Extract<RunInput, { readonly kind: 'run' }>
export type EntryJob = Job<RunInput> & { readonly input: EntryInput }

/** A run, and the jobs of the entries that it is for. */
export type Piece = { readonly job: EntryJob; readonly entries: readonly NewJob<RunInput>[] }

export type EndedPiece = { readonly piece: Piece; readonly outcome: RunOutcome }

type Current = {
  readonly piece: Piece
  readonly run: LinksRun
  readonly ended: Promise<RunOutcome>
  /** By the time that its batch has waited. */
  readonly beganMs: number
}

/** Does a run once its modules have a place for it; `begin` returns undefined if it is too late. */
type Begin = (
  run: LinksRun,
  begin: () => Promise<RunOutcome> | undefined,
) => Promise<RunOutcome | undefined>

/** The runs of an asset in a batch, one after the other, until the batch does not wait any more. */
export class AssetRuns {
  readonly loaded: LoadedAsset
  readonly ended: EndedPiece[] = []
  /** The runs that were not begun, in their order. */
  left: readonly Piece[]
  /** The run in progress. */
  current: Current | undefined
  isOver = false

  constructor(loaded: LoadedAsset, pieces: readonly Piece[]) {
    this.loaded = loaded
    this.left = pieces
  }

  /** Whatever a run throws makes it a job, as if it had not begun. */
  async runAll(
    make: (piece: Piece) => LinksRun,
    begin: Begin,
    waitedMs: () => number,
  ): Promise<void> {
    try {
      for (let [piece] = this.left; piece !== undefined && !this.isOver; [piece] = this.left) {
        const own = piece
        const run = make(own)
        const outcome = await begin(run, () => {
          if (this.isOver) return undefined
          const ended = run.run()
          this.current = { piece: own, run, ended, beganMs: waitedMs() }
          return ended
        })
        if (this.isOver) return
        this.current = undefined
        if (outcome === undefined) break
        this.ended.push({ piece: own, outcome })
        this.left = this.left.slice(1)
        if (outcome.kind !== 'done') break
      }
    } catch {
      if (!this.isOver) this.current = undefined
    } finally {
      this.isOver = true
    }
  }

  /** The batch goes on without what has not ended; what is in progress is not begun again. */
  giveUp(): void {
    if (this.isOver) return
    this.isOver = true
    if (this.current !== undefined) this.left = this.left.slice(1)
  }
}

/**
 * Runs that a batch began and did not wait for, by the jobs that take them over: such a job waits
 * for the outcome, and its modules are not called again.
 */
export class AdoptedRuns {
  readonly #runs = new LruMap<string, Promise<RunOutcome>>(functionRunsAdoptedMax)

  add(jobId: string, ended: Promise<RunOutcome>): void {
    this.#runs.set(jobId, ended)
    // It may fail before its job begins, or if its job was never stored.
    ended.catch(() => {})
  }

  has(jobId: string): boolean {
    return this.#runs.peek(jobId) !== undefined
  }

  /** Returns the outcome of a job that took a run over, once; undefined if it did not. */
  take(jobId: string): Promise<RunOutcome> | undefined {
    const ended = this.#runs.get(jobId)
    this.#runs.delete(jobId)
    return ended
  }
}
