import { type Clock, Fault, type Logger, limits } from '../../foundation/kernel/index.ts'
import type { TestInput } from './schema.ts'
import { type OpenInstance, TestRun } from './test-run.ts'

/** Runs of tests of one business at once, each on a temporary instance. */
const solutionTestRunsOfBusinessMax = 2
/** Runs of tests of all businesses at once in a process. */
const solutionTestRunsMax = 4

export type SolutionTestsOptions = {
  /** False if the operator has not allowed tests. */
  readonly allowed: boolean
  readonly open: OpenInstance
  /** Removes what killed processes have left of temporary instances that have expired. */
  sweep(nowMs: number): Promise<void>
  readonly clock: Clock
  readonly logger: Logger
}

/** Runs the tests of solutions, each run on a temporary instance of its own. */
export class SolutionTests {
  readonly #options: SolutionTestsOptions
  /** The runs of each business, by its id. */
  readonly #running = new Map<string, Set<TestRun>>()
  #closed = false

  constructor(options: SolutionTestsOptions) {
    this.#options = options
  }

  /**
   * Opens an instance. The caller reads the results, to the end or until it has stopped the run.
   * @throws Fault tests_refused, too_many_requests if the business runs as many as it may,
   *   overloaded if all together do.
   */
  async start(businessId: string, input: TestInput): Promise<TestRun> {
    this.#refuse(businessId)
    const { open, clock, logger } = this.#options
    const run = new TestRun(input, logger)
    const own = this.#running.get(businessId) ?? new Set()
    this.#running.set(businessId, own.add(run))
    run.ended.then(() => {
      own.delete(run)
      if (own.size === 0) this.#running.delete(businessId)
    })
    await run.open(open, clock.nowMs())
    return run
  }

  #refuse(businessId: string): void {
    const { allowed } = this.#options
    if (!allowed) {
      const detail = 'The operator has not allowed tests of solutions (MILLRACE_SOLUTION_TESTS).'
      throw new Fault('tests_refused', detail)
    }
    const retry = { retryAfterS: limits.retryAfterS }
    const own = this.#running.get(businessId)?.size ?? 0
    if (own >= solutionTestRunsOfBusinessMax) {
      const detail = `${own} runs of tests of the business are under way; it may have no more.`
      throw new Fault('too_many_requests', detail, retry)
    }
    if (this.#closed || this.#count >= solutionTestRunsMax) {
      throw new Fault('overloaded', 'Too many runs of tests are under way.', retry)
    }
  }

  get #count(): number {
    return [...this.#running.values()].reduce((sum, { size }) => sum + size, 0)
  }

  async sweep(): Promise<void> {
    const { clock, logger, sweep } = this.#options
    await sweep(clock.nowMs()).catch((error) => {
      logger.warn({ err: error }, 'failed to remove expired temporary instances')
    })
  }

  /** Stops all runs, and waits until their instances are gone. */
  async close(): Promise<void> {
    this.#closed = true
    const all = [...this.#running.values()].flatMap((runs) => [...runs])
    for (const run of all) run.stop()
    await Promise.all(all.map((run) => run.ended))
  }
}
