import { type Clock, type Logger, limits } from '../../../foundation/kernel/index.ts'
import { pairsIn, readStamp } from './folder.ts'
import { matchHost, type Pair, type PairFiles, readPair } from './pair.ts'

/** Server certificates that are read from one folder. */
const certificateFilesMax = 1_000

/** A server certificate, for those who watch its end. */
export type ServedCertificate = {
  readonly file: string
  readonly names: readonly string[]
  readonly kind: string
  /** Milliseconds since 1970. */
  readonly until: number
}

export type CertificateStoreOptions = {
  /** The pairs that also answer clients that ask for no name. */
  readonly pairs: readonly PairFiles[]
  /** Folders of more; one that is missing is empty. */
  readonly folders: readonly string[]
  readonly clock: Clock
  readonly logger: Logger
}

type Source = {
  readonly stamp: string
  /** Undefined: it could never be read. */
  readonly pair: Pair | undefined
}

const dayMs = 86_400_000

/**
 * The operator's server certificates, as they lie in files.
 *
 * A source is a certificate's file with its key's. Its stamp is compared at each look; if it
 * changed, both files are read. Files that can be read replace the pair before; files that cannot
 * leave it in use, and cause one log line for each stamp. Two files are never replaced in one step,
 * so a look between finds a key of another certificate: the next look follows, since the stamp
 * changes again.
 */
export class CertificateStore {
  readonly #options: CertificateStoreOptions
  /** By the certificate's file. */
  #sources: ReadonlyMap<string, Source> = new Map()
  #warnedDay = Number.NaN

  constructor(options: CertificateStoreOptions) {
    this.#options = options
  }

  /**
   * The first look.
   * @throws Error with a sentence if a certificate that a setting names cannot be used.
   */
  open(): void {
    for (const files of this.#options.pairs) readPair(files)
    this.look()
  }

  /** Reads what changed. @returns whether anything did. */
  look(): boolean {
    const before = this.#sources
    const after = new Map<string, Source>()
    for (const files of this.#files()) after.set(files.cert, this.#read(files))
    this.#sources = after
    const all = [...new Set([...before.keys(), ...after.keys()])]
    const changed = all.some((file) => before.get(file)?.pair !== after.get(file)?.pair)
    this.#warnOfEnds()
    return changed
  }

  /** The best of each kind of key for a host; empty if none is for it. */
  find(host: string): Pair[] {
    const fitting = this.#pairs().flatMap((pair) => {
      const match = matchHost(pair.names, host)
      return match === undefined ? [] : [{ pair, exact: match === 'exact' }]
    })
    return this.#bestOfEachKind(fitting)
  }

  /** The pairs of the settings, for clients that ask for no name; else those for the domain. */
  fallback(domain: string): Pair[] {
    const named = this.#options.pairs.flatMap(({ cert }) => this.#sources.get(cert)?.pair ?? [])
    if (named.length === 0) return this.find(domain)
    return this.#bestOfEachKind(named.map((pair) => ({ pair, exact: true })))
  }

  /** True if there are certificates that clients of RSA alone take, and others. */
  get hasBothKinds(): boolean {
    return new Set(this.#pairs().map(({ kind }) => kind === 'rsa')).size > 1
  }

  list(): ServedCertificate[] {
    return this.#pairs().map(({ files, names, kind, until }) => {
      return { file: files.cert, names, kind, until }
    })
  }

  #pairs(): Pair[] {
    return [...this.#sources.values()].flatMap(({ pair }) => pair ?? [])
  }

  #bestOfEachKind(fitting: readonly { readonly pair: Pair; readonly exact: boolean }[]): Pair[] {
    const nowMs = this.#options.clock.nowMs()
    const rank = ({ pair, exact }: (typeof fitting)[number]) => {
      const valid = pair.from <= nowMs && nowMs <= pair.until
      return Number(valid) * 2 + Number(exact)
    }
    const best = new Map<string, Pair>()
    for (const { pair } of fitting.toSorted((a, b) => {
      return rank(b) - rank(a) || b.pair.until - a.pair.until
    })) {
      if (!best.has(pair.kind)) best.set(pair.kind, pair)
    }
    return [...best.values()]
  }

  #files(): PairFiles[] {
    const { pairs, folders } = this.#options
    return [...pairs, ...folders.flatMap((folder) => this.#filesIn(folder))]
  }

  #filesIn(folder: string): PairFiles[] {
    try {
      return pairsIn(folder).slice(0, certificateFilesMax)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
      this.#options.logger.error({ err: error, folder }, 'a folder of certificates is unreadable')
      return [...this.#sources.values()].flatMap(({ pair }) => {
        return pair?.files.cert.startsWith(folder) === true ? [pair.files] : []
      })
    }
  }

  #read(files: PairFiles): Source {
    const { logger } = this.#options
    const stamp = readStamp(files)
    const before = this.#sources.get(files.cert)
    if (before?.stamp === stamp) return before
    try {
      const pair = readPair(files)
      const until = new Date(pair.until).toISOString()
      logger.info({ file: files.cert, names: pair.names, until }, 'a server certificate is in use')
      return { stamp, pair }
    } catch (error) {
      const next = before?.pair === undefined ? 'it is not used' : 'the one before stays in use'
      const said = { file: files.cert, why: (error as Error).message }
      logger.error(said, `a server certificate cannot be used; ${next}`)
      return { stamp, pair: before?.pair }
    }
  }

  /** Once a day. */
  #warnOfEnds(): void {
    const { clock, logger } = this.#options
    const nowMs = clock.nowMs()
    const day = Math.floor(nowMs / dayMs)
    if (day === this.#warnedDay) return
    this.#warnedDay = day
    for (const { file, names, until } of this.list()) {
      const days = Math.floor((until - nowMs) / dayMs)
      if (days >= limits.certificateWarnDays) continue
      const said = { file, names, until: new Date(until).toISOString(), days }
      if (until < nowMs) logger.error(said, 'a server certificate has expired')
      else logger.warn(said, 'a server certificate expires soon')
    }
  }
}
