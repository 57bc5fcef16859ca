import { Fault, type Logger, limits } from '../../foundation/kernel/index.ts'
import { solutionTestLimits } from './limits.ts'
import { hasTests, runTests } from './run.ts'
import type { TestInput, TestResult } from './schema.ts'
import type { TestInstance } from './tested-solution.ts'

export type InstanceWanted = {
  /** The time from which on others may remove what a killed process has left of it. */
  readonly expiresAtMs: number
  readonly allowOutbound: boolean
}

/**
 * Opens a temporary instance.
 * @throws Fault tests_refused if none can be made here.
 */
export type OpenInstance = (wanted: InstanceWanted) => Promise<TestInstance>

/** The tests of one run, on an instance that is gone at its end. */
export class TestRun {
  /** Resolves when the instance is gone. */
  readonly ended: Promise<void>
  readonly #input: TestInput
  readonly #logger: Logger
  readonly #stopping = new AbortController()
  readonly #end: () => void
  #instance: TestInstance | undefined
  #closing: Promise<void> | undefined

  constructor(input: TestInput, logger: Logger) {
    this.#input = input
    this.#logger = logger
    const { promise, resolve } = Promise.withResolvers<void>()
    this.ended = promise
    this.#end = resolve
  }

  /**
   * Opens the instance, if there are tests.
   * @throws Fault tests_refused, overloaded if it was stopped meanwhile.
   */
  async open(open: OpenInstance, nowMs: number): Promise<void> {
    const expiresAtMs =
      nowMs + solutionTestLimits.solutionTestMsMax + solutionTestLimits.solutionTestEndMsMax
    const { allowOutbound = false } = this.#input
    if (!hasTests(this.#input)) return this.#end()
    try {
      this.#instance = await open({ expiresAtMs, allowOutbound })
    } catch (error) {
      this.#end()
      throw error
    }
    if (!this.#stopping.signal.aborted) return
    await this.#close()
    throw new Fault('overloaded', 'The instance is stopping.', { retryAfterS: limits.retryAfterS })
  }

  /**
   * Runs the tests one after the other.
   * @throws Fault time_exceeded; any error if the instance fails.
   */
  async *results(): AsyncGenerator<TestResult> {
    const instance = this.#instance
    if (instance === undefined) return
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      this.stop()
    }, solutionTestLimits.solutionTestMsMax)
    try {
      yield* runTests(instance, this.#input, this.#stopping.signal)
    } catch (error) {
      // An instance that closes fails its calls.
      if (!this.#stopping.signal.aborted) throw error
    } finally {
      clearTimeout(timer)
      await this.#close()
    }
    if (!isLate) return
    const seconds = solutionTestLimits.solutionTestMsMax / 1_000
    throw new Fault('time_exceeded', `The tests were stopped after ${seconds} seconds.`)
  }

  /** Ends the test under way, and removes the instance. */
  stop(): void {
    this.#stopping.abort()
    if (this.#instance !== undefined) void this.#close()
  }

  #close(): Promise<void> {
    this.#closing ??= this.#remove()
    return this.#closing
  }

  async #remove(): Promise<void> {
    try {
      await this.#instance?.close()
    } catch (error) {
      this.#logger.warn({ err: error }, 'failed to remove a temporary instance; it will expire')
    } finally {
      this.#end()
    }
  }
}
