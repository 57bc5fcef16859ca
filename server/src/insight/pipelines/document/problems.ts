import { type DocumentProblem, Fault } from '../../../foundation/kernel/index.ts'
import { pipelineLimits } from '../limits.ts'

/**
 * Collects what is wrong with a document, so that its author corrects it at once. It refuses the
 * document by itself at `pipelineProblemsMax` problems: a document has room for thousands.
 */
export class Problems {
  readonly #found: { readonly pointer: string; readonly fault: Fault }[] = []

  get count(): number {
    return this.#found.length
  }

  add(
    pointer: string,
    detail: string,
    code: 'invalid_argument' | 'not_found' = 'invalid_argument',
  ) {
    this.#note(pointer, new Fault(code, detail))
  }

  /** Returns what `work` returns; undefined if it threw a Fault, which becomes a problem. */
  try<Result>(pointer: string, work: () => Result): Result | undefined {
    try {
      return work()
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      this.#note(pointer, error)
      return undefined
    }
  }

  #note(pointer: string, fault: Fault): void {
    this.#found.push({ pointer, fault })
    if (this.#found.length >= pipelineLimits.pipelineProblemsMax) this.refuse()
  }

  /** @throws Fault pipeline_refused with all problems, if there are any. */
  refuse(): void {
    const [first] = this.#found
    if (first === undefined) return
    const problems = this.#found.map(
      ({ pointer, fault }): DocumentProblem => ({ pointer, detail: fault.detail }),
    )
    const more = problems.length > 1 ? ` ${problems.length - 1} more problems follow.` : ''
    const detail = `${first.pointer || '/'}: ${first.fault.detail}${more}`
    throw new Fault('pipeline_refused', detail, { problems, cause: first.fault })
  }
}

/** The first problem itself, for those who change one link only. */
export function firstFault(error: unknown): unknown {
  const cause = error instanceof Fault && error.code === 'pipeline_refused' ? error.cause : error
  return cause instanceof Fault ? cause : error
}
