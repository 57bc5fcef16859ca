import { Fault, limits } from '../../kernel/index.ts'

/** The budget of one request: its time, the fields of its answer, its single look-ups. */
export type Work = {
  /** Aborted when the time is up; the reason is the fault to answer with. */
  readonly signal: AbortSignal
  /** Called before anything is asked of a store. @throws Fault `time_exceeded`. */
  check(): void
  /**
   * Called with each list that was loaded.
   * @param width the most fields of a row; the document's selections if it is left out
   * @throws Fault `too_complex`.
   */
  countRows(rows: number, width?: number): void
  /** Called before a store is asked about one thing alone. @throws both faults. */
  countLookup(): void
  /** The request is answered. */
  done(): void
  /** What was loaded so far: fields and single look-ups. */
  readonly cost: number
}

/**
 * A request's allowance. Fields are counted from above: no row of the answer has more of them than
 * the document has selections, whatever the document is.
 * @param selections the document's, fragments written out.
 */
export function startWork(selections: number, msMax: number): Work {
  const controller = new AbortController()
  const over = () => controller.abort(new Fault('time_exceeded'))
  const timer = setTimeout(over, msMax)
  const { signal } = controller
  let fields = 0
  let lookups = 0
  return {
    signal,
    check: () => signal.throwIfAborted(),
    countRows(rows, width = selections) {
      fields += rows * Math.min(width, selections)
      if (fields > limits.graphqlFieldsMax) throw tooMany('fields', limits.graphqlFieldsMax)
    },
    countLookup() {
      signal.throwIfAborted()
      lookups += 1
      if (lookups > limits.graphqlLookupsMax) throw tooMany('look-ups', limits.graphqlLookupsMax)
    },
    done: () => clearTimeout(timer),
    get cost() {
      return fields + lookups
    },
  }
}

function tooMany(what: string, max: number): Fault {
  const text = `The answer would need more than ${max} ${what}. Ask for a smaller page.`
  return new Fault('too_complex', text)
}
