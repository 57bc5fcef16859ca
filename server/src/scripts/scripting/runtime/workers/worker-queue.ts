import { scriptingLimits } from '../../limits.ts'
import type { ToWorker } from './messages.ts'

/** A source's characters that are compiled in a millisecond, about. */
const charsPerMs = 40_000

/**
 * The messages that wait for one worker. Answers come first, since calls that were begun wait for
 * them; then solutions take turns, a call or a check each. A batch is as long as these are thought
 * to take, so that what comes later does not wait behind much.
 */
export class WorkerQueue {
  /** Milliseconds of CPU that a call of the solution takes. */
  readonly #costOf: (solutionId: string) => number
  #urgent: ToWorker[] = []
  /** In the order of their turns. */
  readonly #solutions = new Map<string, ToWorker[]>()

  constructor(costOf: (solutionId: string) => number) {
    this.#costOf = costOf
  }

  get isEmpty(): boolean {
    return this.#urgent.length === 0 && this.#solutions.size === 0
  }

  get hasCalls(): boolean {
    return [...this.#solutions.values()].some((own) => own.some(([kind]) => kind === 'call'))
  }

  push(message: ToWorker): void {
    const solutionId = messageSolution(message)
    if (solutionId === undefined) {
      this.#urgent.push(message)
      return
    }
    const own = this.#solutions.get(solutionId)
    if (own === undefined) this.#solutions.set(solutionId, [message])
    else own.push(message)
  }

  has(message: ToWorker): boolean {
    const solutionId = messageSolution(message)
    const own = solutionId === undefined ? this.#urgent : this.#solutions.get(solutionId)
    return own?.includes(message) === true
  }

  /** @returns whether it was still here. */
  remove(message: ToWorker): boolean {
    const solutionId = messageSolution(message)
    const own = solutionId === undefined ? this.#urgent : this.#solutions.get(solutionId)
    const at = own?.indexOf(message) ?? -1
    if (at < 0) return false
    own?.splice(at, 1)
    if (solutionId !== undefined && own?.length === 0) this.#solutions.delete(solutionId)
    return true
  }

  takeBatch(): ToWorker[] {
    const batch = this.#urgent.splice(0, scriptingLimits.scriptBatchMax)
    let leftMs = scriptingLimits.scriptBatchMs
    while (batch.length < scriptingLimits.scriptBatchMax && leftMs > 0) {
      const [next] = this.#solutions
      if (next === undefined) break
      const [solutionId, own] = next
      this.#solutions.delete(solutionId)
      const turns = this.#solutions.size > 0 ? 1 : scriptingLimits.scriptBatchMax - batch.length
      leftMs -= takeMessages(own, turns, this.#costOf(solutionId), leftMs, batch)
      if (own.length > 0) this.#solutions.set(solutionId, own)
    }
    return batch
  }

  /** Takes all calls out, in their order. */
  takeCalls(): ToWorker[] {
    const taken = []
    for (const [solutionId, own] of [...this.#solutions]) {
      taken.push(...own.filter(([kind]) => kind === 'call'))
      const others = own.filter(([kind]) => kind !== 'call')
      if (others.length === 0) this.#solutions.delete(solutionId)
      else this.#solutions.set(solutionId, others)
    }
    return taken
  }

  takeAll(): ToWorker[] {
    const all = [...this.#urgent, ...[...this.#solutions.values()].flat()]
    this.#urgent = []
    this.#solutions.clear()
    return all
  }
}

/** Moves calls, each with the program that it needs. @returns what they are thought to cost. */
function takeMessages(
  own: ToWorker[],
  turns: number,
  costMs: number,
  leftMs: number,
  batch: ToWorker[],
): number {
  let calls = 0
  let checksMs = 0
  let at = 0
  while (at < own.length && calls < turns && calls * costMs + checksMs < leftMs) {
    const message = own[at]
    if (message?.[0] === 'check') checksMs += message[2].source.length / charsPerMs
    if (message?.[0] === 'call' || message?.[0] === 'check') calls += 1
    at += 1
  }
  batch.push(...own.splice(0, at))
  return calls * costMs + checksMs
}

/** Returns the solution whose messages must stay in their order. */
function messageSolution(message: ToWorker): string | undefined {
  switch (message[0]) {
    case 'call':
      return message[2]
    case 'program':
      return message[1].solutionId
    case 'forget':
      return message[1]
    case 'check':
      return message[3]
    default:
      return undefined
  }
}
