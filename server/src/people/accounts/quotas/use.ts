import type { Database } from '../../../foundation/database/index.ts'
import { type Clock, DelayedFlush, type Logger } from '../../../foundation/kernel/index.ts'
import { addUses, deleteUsesBefore, type MinuteUse, readUses } from '../store/quotas.ts'

/** The interval at which a process adds up what businesses used. */
const quotaFlushMs = 5_000

type Options = { readonly database: Database; readonly clock: Clock; readonly logger: Logger }

const msPerMinute = 60_000
const secondsOfMinute = 60
const minutesKept = 60

/** Counts what businesses use, in memory, and adds it to the database every few seconds. */
export class UseCounts {
  readonly #options: Options
  #added = new Map<string, { -readonly [Field in keyof MinuteUse]: MinuteUse[Field] }>()
  readonly #flush: DelayedFlush

  constructor(options: Options) {
    this.#options = options
    this.#flush = new DelayedFlush(() => this.#write(), quotaFlushMs)
  }

  add(businessId: string, kind: string, amount: number): void {
    const minute = this.#minute()
    const key = `${minute}/${kind}/${businessId}`
    const known = this.#added.get(key)
    if (known === undefined) this.#added.set(key, { businessId, kind, minute, used: amount })
    else known.used += amount
    this.#flush.schedule()
  }

  /** The use in the last whole minute: messages a second, and milliseconds of CPU. */
  async of(
    businessIds: readonly string[],
  ): Promise<ReadonlyMap<'messages' | 'script_cpu', ReadonlyMap<string, number>>> {
    await this.#flush.flush()
    const rows = await readUses(this.#options.database, businessIds, this.#minute() - 1)
    const sumUse = (wanted: string, seconds: number) =>
      new Map(
        rows
          .filter(({ kind }) => kind === wanted)
          .map(({ businessId, used }) => [businessId, Math.round((used / seconds) * 100) / 100]),
      )
    return new Map([
      ['messages', sumUse('messages', secondsOfMinute)],
      ['script_cpu', sumUse('script_cpu', 1)],
    ])
  }

  async sweep(): Promise<void> {
    await deleteUsesBefore(this.#options.database, this.#minute() - minutesKept)
  }

  close(): Promise<void> {
    return this.#flush.close()
  }

  #minute(): number {
    return Math.floor(this.#options.clock.nowMs() / msPerMinute)
  }

  /** A use that cannot be added now is added later, unless it is too much. */
  async #write(): Promise<void> {
    const added = this.#added
    if (added.size === 0) return
    this.#added = new Map()
    try {
      await addUses(this.#options.database, [...added.values()])
    } catch (error) {
      this.#options.logger.warn({ err: error }, 'the use of businesses was not counted')
    }
  }
}
