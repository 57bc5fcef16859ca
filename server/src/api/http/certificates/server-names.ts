import { constants } from 'node:crypto'
import { createSecureContext, type SecureContext, type Server, type TlsOptions } from 'node:tls'
import type { Hosts } from '../../../devices/hosts/index.ts'
import type { ServerAuthority } from '../../../devices/provisioning/index.ts'
import { type Clock, type Logger, limits, PollLoop } from '../../../foundation/kernel/index.ts'
import type { ListenSettings } from '../addresses.ts'
import { notifyLabel } from '../host-names.ts'
import { listenerLimits } from '../limits.ts'
import type { Pair } from './pair.ts'
import type { CertificateStore } from './store.ts'

export type ServerNamesOptions = {
  readonly config: Pick<ListenSettings, 'domain' | 'deviceTls' | 'hosts' | 'tls'>
  readonly authority: ServerAuthority
  readonly store: CertificateStore
  readonly hosts: Pick<Hosts, 'findKind'>
  readonly clock: Clock
  readonly logger: Logger
}

/** The kind of key that a client of a server gets if a host has several. */
export type Preferred = 'ec' | 'rsa'

type Followed = {
  readonly server: Server
  readonly options: TlsOptions
  readonly preferred: Preferred
}

const dayMs = 86_400_000

/**
 * The certificates of TLS servers. A name gets those of the operator's that are for it. Without
 * one, each name of the instance and of its connectors and solutions gets a certificate of the
 * instance's own authority; no other name makes one.
 */
export class ServerNames {
  readonly #options: ServerNamesOptions
  readonly #contexts = { ec: new Map<string, SecureContext>(), rsa: new Map() }
  readonly #followed: Followed[] = []
  readonly #loop: PollLoop
  #day = 0

  constructor(options: ServerNamesOptions) {
    this.#options = options
    this.#day = this.#today()
    this.#loop = new PollLoop({
      look: () => this.look(),
      failed: (error) => options.logger.error({ err: error }, 'reading certificates failed'),
      pollMs: listenerLimits.certificateLookMs,
    })
  }

  /**
   * The options of TLS servers, whose clients prefer a kind of key. There are servers for both:
   * of the context for a name Node uses one certificate alone.
   */
  async serverOptions(preferred: Preferred): Promise<TlsOptions> {
    const { config } = this.#options
    return {
      ...(await this.#fallback(preferred)),
      minVersion: 'TLSv1.2',
      ciphers: chooseCiphers(config.tls.rsaKeyExchange),
      // The client's certificate is validated by its connector, not here. No context names an
      // authority, because some clients then send no certificate of another.
      requestCert: true,
      rejectUnauthorized: false,
      SNICallback: (name, done) => {
        const host = name.toLowerCase()
        this.#contextFor(host, preferred)
          .then((context) => done(null, context))
          .catch((error) => {
            this.#options.logger.error({ err: error, host }, 'making a server certificate failed')
            done(error)
          })
      },
    }
  }

  /** Gives a server the certificates that change later; `options` are those that it has. */
  follow(server: Server, options: TlsOptions, preferred: Preferred): void {
    this.#followed.push({ server, options, preferred })
  }

  /** True if clients may need either kind of key. */
  get hasBothKinds(): boolean {
    return this.#options.store.hasBothKinds
  }

  startLooking(): void {
    this.#loop.startLater()
  }

  stop(): Promise<void> {
    return this.#loop.stop()
  }

  /** Reads changed files, and lets the servers use them for new connections. */
  async look(): Promise<void> {
    const today = this.#today()
    // The authority's certificates end, too, and one that was valid may have expired.
    const changed = this.#options.store.look() || today !== this.#day
    if (!changed) return
    this.#day = today
    for (const contexts of Object.values(this.#contexts)) contexts.clear()
    for (const { server, options, preferred } of this.#followed) {
      server.setSecureContext({ ...options, ...(await this.#fallback(preferred)) })
    }
  }

  /** True if the operator has a certificate for the host. */
  isCovered(host: string): boolean {
    return this.#options.store.find(host).length > 0
  }

  #today(): number {
    return Math.floor(this.#options.clock.nowMs() / dayMs)
  }

  async #fallback(preferred: Preferred): Promise<Pick<TlsOptions, 'cert' | 'key'>> {
    const { config, authority, store } = this.#options
    const pair = choose(store.fallback(config.domain), preferred)
    const { cert, key } = pair ?? (await authority.certificateFor(config.deviceTls.host))
    return { cert, key }
  }

  async #contextFor(host: string, preferred: Preferred): Promise<SecureContext | undefined> {
    const contexts = this.#contexts[preferred]
    const kept = contexts.get(host)
    if (kept !== undefined) return kept
    const pair = choose(this.#options.store.find(host), preferred)
    if (pair === undefined && !(await this.#isOwnName(host))) return undefined
    const { cert, key } = pair ?? (await this.#options.authority.certificateFor(host))
    const context = createSecureContext({ cert, key })
    if (contexts.size >= limits.hostCertificatesMax) contexts.clear()
    contexts.set(host, context)
    return context
  }

  async #isOwnName(name: string): Promise<boolean> {
    const { config, hosts } = this.#options
    const own = [config.domain, `${notifyLabel}.${config.domain}`, ...config.hosts]
    if (own.includes(name)) return true
    const [label = '', ...rest] = name.split('.')
    if (rest.join('.') !== config.domain) return false
    return (await hosts.findKind(label)) !== undefined
  }
}

function choose(pairs: readonly Pair[], preferred: Preferred): Pair | undefined {
  return pairs.find(({ kind }) => kind === preferred) ?? pairs[0]
}

/** Node's ciphers but those without forward secrecy, of which one may be allowed. */
function chooseCiphers(rsaKeyExchange: boolean): string {
  const forward = `${constants.defaultCoreCipherList}:-kRSA`
  return rsaKeyExchange ? `${forward}:AES128-GCM-SHA256` : forward
}
