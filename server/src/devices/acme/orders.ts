import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Database } from '../../foundation/database/index.ts'
import {
  type Clock,
  Fault,
  type Logger,
  newId,
  PollLoop,
  type Random,
  replaceFile,
} from '../../foundation/kernel/index.ts'
import type { Secrets } from '../provisioning/index.ts'
import { Challenges } from './challenges.ts'
import { acmeLimits } from './limits.ts'
import { type AcmeSettings, type KeyKind, newAccountKey, type Ordered, order } from './order.ts'
import * as store from './store.ts'

export type AcmeOrdersOptions = {
  readonly settings: AcmeSettings
  /** The folder of the certificates' files. */
  readonly dir: string
  readonly database: Database
  readonly secrets: Pick<Secrets, 'seal' | 'open'>
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
}

const usPerMs = 1_000
/** The contexts in which keys are sealed. */
const accountContext = 'acme account'
const certificateContext = 'acme certificate'

/**
 * Keeps the certificates of an ACME server valid, for all processes of the instance that have the
 * same server and the same names in their settings.
 *
 * A certificate lies in the database with its key, which is sealed; each process has a copy in a
 * file, from which it is served. A certificate that is missing, or of which a third of the time or
 * less is left, is ordered by the process that leases the order. It renews its lease meanwhile, so
 * another one takes over soon after it was killed, and stores nothing once the lease is another's.
 * It then notifies the others; these also look by themselves. After a failure all wait, longer each
 * time, since ACME servers count them; but a process that was started after it tries at once, since
 * its operator may have repaired what was wrong.
 */
export class AcmeOrders {
  readonly challenges: Challenges
  readonly #options: AcmeOrdersOptions
  readonly #subject: store.Subject
  readonly #owner: string
  readonly #loop: PollLoop
  #written: () => Promise<void> = async () => {}
  #stopListening: (() => void) | undefined
  /** By the clock of the database. */
  #startedUs: number | undefined

  constructor(options: AcmeOrdersOptions) {
    const { settings, database, random, logger } = options
    this.#options = options
    this.challenges = new Challenges(database, logger)
    this.#subject = { url: settings.url, names: settings.names.toSorted().join(',') }
    this.#owner = `process ${process.pid} on ${hostname()}, ${newId(random)}`
    this.#loop = new PollLoop({
      look: () => this.#look(),
      failed: (error) => logger.error({ err: error }, 'looking for due certificates failed'),
      pollMs: acmeLimits.acmeLookMs,
    })
  }

  /** The folder of the certificates' files. */
  get dir(): string {
    return this.#options.dir
  }

  /**
   * To be called when the instance answers: the ACME server calls it.
   * @param written called when a certificate was written to its file.
   */
  start(written: () => Promise<void>): void {
    this.#written = written
    this.#stopListening = this.#options.database.hints.listen('certificates', () => {
      this.#loop.notify()
    })
    void this.#loop.run()
  }

  /** An order under way is left to another process. */
  async stop(): Promise<void> {
    this.#stopListening?.()
    // It would wait for the order.
    void this.#loop.stop()
    // Without a database the lease ends by itself.
    await store.abandonLease(this.#options.database, this.#subject, this.#owner).catch(() => {})
  }

  async #look(): Promise<void> {
    this.#startedUs ??= await store.readDatabaseTime(this.#options.database)
    const due = await this.#due()
    if (due.length > 0) await this.#orderUnlessAnother()
  }

  /** Copies what is stored into the files. @returns the kinds that are to be ordered. */
  async #due(): Promise<KeyKind[]> {
    const due: KeyKind[] = []
    for (const kind of this.#options.settings.keys) {
      const stored = (await this.#stored(kind)) ?? (await this.#adopted(kind))
      if (stored !== undefined) await this.#copy(kind, stored)
      if (stored === undefined || this.#isDue(stored.certificate)) due.push(kind)
    }
    return due
  }

  async #orderUnlessAnother(): Promise<void> {
    const { database } = this.#options
    const lease = { owner: this.#owner, forUs: acmeLimits.acmeLeaseMs * usPerMs }
    const failures = await store.takeLease(database, this.#subject, lease, this.#startedUs ?? 0)
    if (failures === undefined) return
    const renewing = new PollLoop({
      look: async () => void (await store.renewLease(database, this.#subject, lease)),
      // A certificate that was ordered without a lease is not stored.
      failed: (error) => this.#options.logger.warn({ err: error }, 'renewing a lease failed'),
      pollMs: acmeLimits.acmeLeaseMs / 3,
    })
    renewing.startLater()
    try {
      await this.challenges.removeOld()
      // Another process may have ordered before this one had the lease.
      const results = []
      for (const kind of await this.#due()) results.push(await this.#order(kind, failures))
      if (results.includes('failed')) await this.#postpone(failures)
      else await store.releaseLease(database, this.#subject, this.#owner)
    } finally {
      await renewing.stop()
    }
  }

  async #order(kind: KeyKind, failures: number): Promise<'ordered' | 'failed'> {
    const { settings, database, logger } = this.#options
    const { names } = settings
    try {
      const accountKey = await this.#accountKey()
      const { challenges } = this
      const ordered = await inTime(order(settings, kind, { accountKey, challenges }))
      await this.#store(kind, ordered)
      logger.info({ names, kind }, 'a certificate was ordered')
      database.hints.notify('certificates', 'any')
      await this.#copy(kind, ordered)
      return 'ordered'
    } catch (error) {
      if (!this.#loop.stopped) {
        const said = { err: error, names, kind, waitMs: retryWaitMs(failures) }
        logger.error(said, 'a certificate could not be ordered')
      }
      return 'failed'
    }
  }

  async #postpone(failures: number): Promise<void> {
    const waitUs = retryWaitMs(failures) * usPerMs
    await store.postpone(this.#options.database, this.#subject, this.#owner, waitUs)
  }

  async #store(kind: KeyKind, { certificate, key }: Ordered): Promise<void> {
    const { database, secrets } = this.#options
    const row = { certificate, sealedKey: secrets.seal(key, certificateContext) }
    if (await store.storeCertificate(database, this.#subject, kind, row, this.#owner)) return
    throw new Error('the order took longer than its lease, and another process orders')
  }

  /** @returns undefined also if it was sealed with another instance key: it is ordered anew. */
  async #stored(kind: KeyKind): Promise<Ordered | undefined> {
    const row = await store.readCertificate(this.#options.database, this.#subject, kind)
    if (row === undefined) return undefined
    const key = this.#opened(row.sealedKey, certificateContext)
    return key === undefined ? undefined : { certificate: row.certificate, key }
  }

  /** A certificate that an older version ordered, which kept it in the file alone. */
  async #adopted(kind: KeyKind): Promise<Ordered | undefined> {
    const { database, secrets } = this.#options
    const text = read(this.#keyFile(kind)) ?? ''
    const at = text.indexOf('-----BEGIN CERTIFICATE-----')
    const [key, certificate] = [text.slice(0, at), text.slice(at)]
    if (at <= 0 || !this.#isForNames(certificate) || this.#isDue(certificate)) return undefined
    const row = { certificate, sealedKey: secrets.seal(key, certificateContext) }
    await store.adoptCertificate(database, this.#subject, kind, row)
    return this.#stored(kind)
  }

  async #accountKey(): Promise<string> {
    const { settings, database, secrets, dir } = this.#options
    const sealed = await store.readAccountKey(database, settings.url)
    const known = sealed && this.#opened(sealed, accountContext)
    if (known) return known
    const key = read(join(dir, 'account-key.pem')) ?? (await newAccountKey())
    await store.storeAccountKey(database, settings.url, secrets.seal(key, accountContext))
    return key
  }

  #opened(sealed: string, context: string): string | undefined {
    try {
      return this.#options.secrets.open(sealed, context)
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      this.#options.logger.warn({ err: error }, 'a key of ACME cannot be opened; a new one is made')
      return undefined
    }
  }

  /** The key stands first: one file is replaced in one step. */
  async #copy(kind: KeyKind, { certificate, key }: Ordered): Promise<void> {
    const text = `${key.trim()}\n${certificate}`
    if (read(this.#keyFile(kind)) === text) return
    replaceFile(this.#keyFile(kind), text, 0o600)
    await this.#written()
  }

  #isDue(certificate: string): boolean {
    const parsed = parse(certificate)
    if (parsed === undefined) return true
    const [from, until] = [parsed.validFromDate.getTime(), parsed.validToDate.getTime()]
    return until - this.#options.clock.nowMs() < (until - from) / 3
  }

  #isForNames(certificate: string): boolean {
    const listed = parse(certificate)?.subjectAltName?.toLowerCase().split(', ') ?? []
    return this.#options.settings.names.every((name) => listed.includes(`dns:${name}`))
  }

  #keyFile(kind: KeyKind): string {
    return join(this.#options.dir, `${kind}.pem`)
  }
}

function retryWaitMs(failures: number): number {
  return Math.min(acmeLimits.acmeRetryMs * 2 ** failures, acmeLimits.acmeRetryMsMax)
}

function parse(certificate: string): X509Certificate | undefined {
  try {
    return new X509Certificate(certificate)
  } catch {
    // Damaged: a new one takes its place.
    return undefined
  }
}

/** @returns undefined if there is no such file. */
function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

async function inTime<Result>(work: Promise<Result>): Promise<Result> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    late.reject(new Error('the ACME server did not finish the order in time'))
  }, acmeLimits.acmeOrderMsMax)
  return Promise.race([work, late.promise]).finally(() => clearTimeout(timer))
}
