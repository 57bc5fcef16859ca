import { closeSync, mkdirSync, openSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Clock, type Logger, limits, PollLoop } from '../../kernel/index.ts'
import { readPair } from '../certificates/pair.ts'
import type { Challenges } from './challenges.ts'
import { type AcmeOrder, order } from './order.ts'

export type AcmeOrdersOptions = {
  readonly settings: AcmeOrder
  /** The folder of the account's key and of the certificates. */
  readonly dir: string
  readonly challenges: Challenges
  readonly clock: Clock
  readonly logger: Logger
  /** A certificate was written. */
  readonly written: () => Promise<void>
}

/**
 * Keeps the certificates of an ACME server valid: ordered if they are missing or for other names,
 * and again when a third of their time is left. After a failure it waits, longer each time, since
 * ACME servers count them.
 */
export class AcmeOrders {
  readonly #options: AcmeOrdersOptions
  readonly #loop: PollLoop
  #failures = 0
  #notBeforeMs = 0

  constructor(options: AcmeOrdersOptions) {
    this.#options = options
    this.#loop = new PollLoop({
      look: () => this.#look(),
      failed: (error) => options.logger.error({ err: error }, 'the order of certificates failed'),
      pollMs: limits.acmeLookMs,
    })
  }

  /** To be called when the instance answers: the ACME server calls it. */
  start(): void {
    void this.#loop.run()
  }

  stop(): void {
    // An order under way ends by itself; it writes its file in one step.
    void this.#loop.stop()
  }

  async #look(): Promise<void> {
    const { settings, clock } = this.#options
    if (clock.elapsedMs() < this.#notBeforeMs) return
    for (const kind of settings.keys) if (this.#isDue(kind)) await this.#order(kind)
  }

  async #order(kind: AcmeOrder['keys'][number]): Promise<void> {
    const { settings, dir, challenges, clock, logger, written } = this.#options
    const { names } = settings
    await withLock(dir, clock, async () => {
      try {
        await inTime(order(settings, kind, { dir, file: this.#fileOf(kind), challenges }))
        this.#failures = 0
        logger.info({ names, kind }, 'a certificate was ordered')
        await written()
      } catch (error) {
        const waitMs = Math.min(limits.acmeRetryMs * 2 ** this.#failures, limits.acmeRetryMsMax)
        this.#failures += 1
        this.#notBeforeMs = clock.elapsedMs() + waitMs
        logger.error({ err: error, names, kind, waitMs }, 'a certificate could not be ordered')
      }
    })
  }

  #isDue(kind: AcmeOrder['keys'][number]): boolean {
    const file = this.#fileOf(kind)
    try {
      const { names, from, until } = readPair({ cert: file, key: file })
      if (!this.#options.settings.names.every((name) => names.includes(name))) return true
      return until - this.#options.clock.nowMs() < (until - from) / 3
    } catch {
      // Missing, or unreadable: either way a new one takes its place.
      return true
    }
  }

  #fileOf(kind: string): string {
    return join(this.#options.dir, `${kind}.pem`)
  }
}

/** Runs the work unless another process of the data directory does; a lock left behind ends. */
async function withLock(dir: string, clock: Clock, work: () => Promise<void>): Promise<void> {
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  const file = join(dir, 'order.lock')
  const since = statSync(file, { throwIfNoEntry: false })?.mtimeMs
  if (since !== undefined && clock.nowMs() - since > 2 * limits.acmeOrderMsMax) {
    rmSync(file, { force: true })
  }
  try {
    closeSync(openSync(file, 'wx', 0o600))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return
    throw error
  }
  try {
    await work()
  } finally {
    rmSync(file, { force: true })
  }
}

async function inTime(work: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    late.reject(new Error('the ACME server did not finish the order in time'))
  }, limits.acmeOrderMsMax)
  await Promise.race([work, late.promise]).finally(() => clearTimeout(timer))
}
