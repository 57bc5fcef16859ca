import { setTimeout as pause } from 'node:timers/promises'
import type { Transaction } from '../../../server/src/foundation/database/index.ts'
import type { NewValue } from '../../../server/src/insight/assets/index.ts'
import type { Platform } from '../../../server/src/platform/platform.ts'
import { machineMs } from '../load/machine-clock.ts'

/** When the effect of each write was committed, in milliseconds of the machine's clock. */
export type PipelineEffects = {
  readonly seenMs: readonly (readonly [number: number, ms: number])[]
  /** Writes whose effects were still to come when the load ended. */
  readonly pending: number
}

const settleMsMax = 60_000

/** The effects of numbered writes: values of some signals, seen when they are committed. */
export class SeenEffects {
  /** The integer keys of the signals in which a write has its effect. */
  readonly ends = new Set<number>()
  /** Called once, with the effect of the write. */
  readonly waiters = new Map<number, () => void>()
  #seen = new Map<number, number>()

  /** Sees values when the transaction that stores them is committed. */
  watch({ assets, database }: Platform): void {
    const writes = new WeakMap<Transaction, NewValue[]>()
    const { writeValues } = assets
    const { transaction } = database
    const { ends } = this
    const see = (value: unknown) => this.#see(numberIn(value))
    const watched = {
      async writeValues(held: Transaction, values: readonly NewValue[]) {
        writes.get(held)?.push(...values.filter(({ key }) => ends.has(key)))
        await writeValues(held, values)
      },
    }
    Object.assign(assets, watched)
    Object.assign(database, {
      async transaction<Result>(work: (held: Transaction) => Promise<Result>) {
        const own: NewValue[] = []
        const result = await transaction((held) => {
          own.length = 0
          writes.set(held, own)
          return work(held)
        })
        for (const { value } of own) see(value)
        return result
      },
    })
  }

  /** Waits for the effects of so many writes, not for ever; forgets them. */
  async take(writes: number): Promise<PipelineEffects> {
    const pending = writes - this.#seen.size
    const endMs = performance.now() + settleMsMax
    while (this.#seen.size < writes && performance.now() < endMs) await pause(5)
    const seenMs = [...this.#seen]
    this.forget()
    return { seenMs, pending }
  }

  forget(): void {
    this.#seen = new Map()
  }

  #see(number: number): void {
    if (!this.#seen.has(number)) this.#seen.set(number, machineMs())
    this.waiters.get(number)?.()
    this.waiters.delete(number)
  }
}

/** A status carries the value that was judged. */
function numberIn(value: unknown): number {
  return typeof value === 'number' ? value : Number((value as { value?: unknown })?.value)
}
