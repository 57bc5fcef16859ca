import { limits } from '../../kernel/index.ts'
import { BoundedClient } from './bounded-client.ts'
import { type Connection, connectionLost } from './pool.ts'
import { SilenceWatch } from './silence.ts'

/** Makes the connections to one database, and cuts those that are not answered any more. */
export class Connections {
  readonly connection: Connection
  readonly #silence: SilenceWatch

  constructor(connection: Connection, lookMs?: number) {
    this.connection = connection
    this.#silence = new SilenceWatch(connection, lookMs)
  }

  /** A client that is not connected yet. */
  readonly newClient = (): BoundedClient => {
    const client = new BoundedClient(this.connection)
    this.watch(client)
    return client
  }

  watch(client: BoundedClient): void {
    this.#silence.add(client)
  }

  /**
   * Connects for the first time.
   * @throws Error with a sentence for the operator where no server answers.
   */
  async first(): Promise<BoundedClient> {
    const client = this.newClient()
    try {
      await client.connect()
      return client
    } catch (error) {
      if (!connectionLost(error)) throw error
      throw new Error(`The database at ${this.#place()} ${describeFailure(error as Error)}.`, {
        cause: error,
      })
    }
  }

  close(): void {
    this.#silence.close()
  }

  /** Without the password of the URL. */
  #place(): string {
    const { host, port } = new BoundedClient(this.connection)
    return host.startsWith('/') ? host : `${host}:${port} (DATABASE_URL)`
  }
}

function describeFailure({ message }: Error): string {
  if (!message.includes('timeout')) return `cannot be reached: ${message}`
  return `does not answer: it was waited for ${limits.databaseConnectMsMax / 1_000} s`
}
