import type { Database, Transaction } from '../../foundation/database/index.ts'
import { type Clock, elapsedMs, Fault, LruMap, limits } from '../../foundation/kernel/index.ts'
import { hostLimits } from './limits.ts'
import {
  deleteOldest,
  deleteUntil,
  type HostKind,
  type HostLabel,
  insertLabel,
  keepLabel,
  readKind,
  readTaken,
} from './store.ts'

/** Labels that a start logs because they could not be taken today. */
const hostsReportedMax = 100

/** The first labels of host names: connectors and solutions take theirs from one table. */
export type Hosts = {
  /**
   * Takes a label in the transaction that creates what it is for.
   * @throws Fault already_exists, which does not reveal the owner
   */
  take(transaction: Transaction, host: HostLabel): Promise<void>
  /**
   * Ends the use of a label in the transaction that removes what it was for. Until `keepUntilUs`
   * (microseconds; `limits.hostLabelKeptMs` from now where it is left out) only its business can
   * take it again, because clients still call the host. Its host answers nothing meanwhile.
   */
  release(transaction: Transaction, host: HostLabel, keepUntilUs?: number): Promise<void>
  /** Makes the next `findKind` read the database. To be called after such a transaction. */
  forget(label: string): void
  /** As `forget`, of all labels. */
  forgetAll(): void
  /**
   * Returns the kind of the host: a connector or a solution with this id, or undefined. A change of
   * another process counts after `hostCacheMs`.
   */
  findKind(label: string): Promise<HostKind | undefined>
  /** Logs which connectors and solutions have a label that they could not take today. */
  report(): Promise<void>
  /** Frees labels of which the time is up. */
  sweep(): Promise<void>
}

export type HostsOptions = {
  readonly database: Database
  readonly clock: Pick<Clock, 'nowUs'>
  readonly logger: { warn(fields: object, text: string): void }
  /** More labels that no tenant takes. */
  readonly reserved: readonly string[]
}

type CachedKind = { readonly kind: HostKind | undefined; readonly readMs: number }

const usPerMs = 1_000
const labelShape = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/

/** The refusal of an id that is taken: it names neither the owner nor the kind. */
export function idTaken(): Fault {
  return new Fault('already_exists', 'The id is in use already.')
}

export function createHosts({ database, clock, logger, reserved: more }: HostsOptions): Hosts {
  const reserved = new Set([...reservedLabels, ...more])
  const memory = new LruMap<string, CachedKind>(limits.hostCacheMax)
  let changes = 0

  async function read(label: string): Promise<HostKind | undefined> {
    const before = changes
    const readMs = elapsedMs()
    const taken = await readKind(database, label)
    const kind = taken === 'solution' && reserved.has(label) ? undefined : taken
    // A read that began before a change may not have it.
    if (before === changes) memory.set(label, { kind, readMs })
    return kind
  }

  return {
    async take(transaction, host) {
      if (reserved.has(host.label)) throw idTaken()
      if (!(await insertLabel(transaction, host, clock.nowUs()))) throw idTaken()
    },
    async release(transaction, host, keepUntilUs) {
      const keptUs = keepUntilUs ?? clock.nowUs() + limits.hostLabelKeptMs * usPerMs
      await keepLabel(transaction, host, keptUs)
      await deleteOldest(transaction, host.businessId, hostLimits.hostLabelsKeptMax)
    },
    forget(label) {
      changes += 1
      memory.delete(label)
    },
    forgetAll() {
      changes += 1
      memory.clear()
    },
    async findKind(label) {
      if (label.length > limits.hostLabelCharsMax || !labelShape.test(label)) return undefined
      const known = memory.get(label)
      const fresh = known !== undefined && elapsedMs() - known.readMs < hostLimits.hostCacheMs
      return fresh ? known.kind : read(label)
    },
    async report() {
      const taken = await readTaken(database, [...reserved])
      for (const { label, kind, businessId } of taken.slice(0, hostsReportedMax)) {
        const where = kind === 'connector' ? 'it keeps its host' : 'it does not answer on its host'
        logger.warn({ label, kind, businessId }, `a ${kind} has a reserved label: ${where}`)
      }
    },
    sweep: () => deleteUntil(database, clock.nowUs()),
  }
}

/**
 * Labels that no tenant takes: those that the instance answers on itself or may later, those that
 * readers take for the operator's, and those that programs look up by themselves or to which
 * certificate authorities write.
 */
export const reservedLabels: readonly string[] = [
  'notify',
  'api',
  'admin',
  'console',
  'graphql',
  'm2',
  'www',
  'auth',
  'login',
  'account',
  'accounts',
  'sso',
  'mail',
  'smtp',
  'imap',
  'pop',
  'pop3',
  'webmail',
  'mx',
  'ftp',
  'dns',
  'ns',
  'ns1',
  'ns2',
  'localhost',
  'localdomain',
  'broadcasthost',
  'wpad',
  'isatap',
  'autoconfig',
  'autodiscover',
  'mta-sts',
  'openpgpkey',
  'root',
  'administrator',
  'hostmaster',
  'postmaster',
  'webmaster',
  'security',
  'abuse',
]
