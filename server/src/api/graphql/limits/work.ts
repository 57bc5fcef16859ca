import { Fault, limits } from '../../../foundation/kernel/index.ts'
import { graphqlLimits } from '../limits.ts'
import { computeCost } from './estimate.ts'

/** The budget of one request: its time, the fields of its answer, its single look-ups. */
export type Work = {
  /** Aborted when the time is up or the answer too large; the reason is the fault to answer. */
  readonly signal: AbortSignal
  /** Called before anything is asked of a store. @throws Fault `time_exceeded`. */
  check(): void
  /**
   * Called with each list of an answer.
   * @param width the most fields of a row; the document's selections bound it, too
   * @throws Fault `too_complex`.
   */
  countRows(rows: number, width: number): void
  /** Called before a store is asked about so many things, each alone. @throws both faults. */
  countLookups(count: number): void
  /** Called with each leaf of the answer, or with all of it. */
  countTexts(value: unknown): void
  /** Called for each statement. */
  statement(): void
  /** Called with what comes from the database. */
  received(bytes: number): void
  /** The request is answered. */
  done(): void
  /** The cost so far: its rows and statements. */
  readonly cost: number
}

/**
 * A request's allowance. Fields are counted from above: no row of the answer has more of them than
 * the document has selections, whatever the document is.
 * @param selections the document's, fragments written out.
 */
export function startWork(selections: number, msMax: number): Work {
  return new RequestWork(selections, msMax)
}

class RequestWork implements Work {
  readonly #selections: number
  readonly #controller = new AbortController()
  readonly #timer: NodeJS.Timeout
  #fields = 0
  #lookups = 0
  #rows = 0
  #statements = 0
  #bytes = 0
  #chars = 0
  readonly #sizes = new WeakMap<object, number>()

  constructor(selections: number, msMax: number) {
    this.#selections = selections
    this.#timer = setTimeout(() => this.#controller.abort(new Fault('time_exceeded')), msMax)
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  get cost(): number {
    return computeCost({ rows: this.#rows, statements: this.#statements })
  }

  check(): void {
    this.signal.throwIfAborted()
  }

  countRows(rows: number, width: number): void {
    this.#rows += rows
    this.#fields += rows * Math.min(width, this.#selections)
    if (this.#fields > graphqlLimits.graphqlFieldsMax)
      throw tooMany('fields', graphqlLimits.graphqlFieldsMax)
  }

  countLookups(count: number): void {
    this.check()
    this.#lookups += count
    if (this.#lookups > graphqlLimits.graphqlLookupsMax) {
      throw tooMany('look-ups', graphqlLimits.graphqlLookupsMax)
    }
  }

  countTexts(value: unknown): void {
    this.#chars += this.#measureSize(value)
    if (this.#chars > limits.graphqlMemoryBytesMax) this.#abort()
  }

  statement(): void {
    this.#statements += 1
  }

  received(bytes: number): void {
    this.#bytes += bytes
    if (this.#bytes > limits.graphqlMemoryBytesMax) this.#abort()
  }

  done(): void {
    clearTimeout(this.#timer)
  }

  /** Numbers and truth values are as long as their field. */
  #measureSize(value: unknown): number {
    if (typeof value === 'string') return value.length
    if (typeof value !== 'object' || value === null) return 0
    const known = this.#sizes.get(value)
    if (known !== undefined) return known
    let size = 0
    for (const one of Object.values(value)) size += this.#measureSize(one)
    this.#sizes.set(value, size)
    return size
  }

  #abort(): void {
    if (!this.signal.aborted) this.#controller.abort(new Fault('answer_too_large'))
  }
}

function tooMany(what: string, max: number): Fault {
  const text = `The answer would need more than ${max} ${what}. Ask for a smaller page.`
  return new Fault('too_complex', text)
}
