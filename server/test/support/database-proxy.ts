import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { openDatabase } from '../../src/database/index.ts'
import { createLogger } from '../../src/kernel/index.ts'
import { testAddress } from './database.ts'
import { atEnd } from './ends.ts'

/** A fresh database behind a proxy that can take it away and give it back. */
export type DatabaseProxy = {
  /** What an instance is configured with, to use the database through the proxy. */
  readonly config: { readonly databaseUrl: string; readonly dataDir: string }
  /** Cuts every connection and takes no new one. */
  down(): void
  /**
   * Keeps the open connections, and passes nothing on, in no direction; nor on new ones, unless
   * these are left out.
   */
  silence(options?: { readonly newToo: boolean }): void
  up(): void
}

type Where = { readonly folder: string; readonly port: string; readonly user: string }

export async function databaseProxy(t: Pick<TestContext, 'after'>): Promise<DatabaseProxy> {
  const dataDir = await mkdtemp(join(tmpdir(), 'millrace-proxied-'))
  const { name, url, ...address } = await testAddress(t)
  const { folder, port, user } = await whereIs({ name, url, ...address })
  const sockets = new Map<Socket, Socket>()
  let now: 'up' | 'down' | 'silent' = 'up'
  const server = createServer((client) => {
    if (now === 'down') return client.resetAndDestroy()
    const target = url === undefined ? connect(join(folder, `.s.PGSQL.${port}`)) : toServer(url)
    for (const [one, other] of [
      [client, target],
      [target, client],
    ] as const) {
      sockets.set(one, other)
      if (now === 'up') one.pipe(other)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atEnd(t, async () => {
    for (const socket of sockets.keys()) socket.destroy()
    server.close()
    await rm(dataDir, { recursive: true, force: true })
  })
  const listening = (server.address() as AddressInfo).port
  return {
    config: { databaseUrl: `postgres://${user}@127.0.0.1:${listening}/${name}`, dataDir },
    down() {
      now = 'down'
      for (const socket of sockets.keys()) socket.destroy()
    },
    silence({ newToo } = { newToo: true }) {
      if (newToo) now = 'silent'
      for (const [one, other] of sockets) one.unpipe(other).pause()
    },
    up() {
      for (const [one, other] of sockets) one.pipe(other)
      now = 'up'
    },
  }
}

function toServer(url: string): Socket {
  const { hostname, port } = new URL(url)
  return connect(Number(port), hostname)
}

async function whereIs(address: { name: string; url: string | undefined; dataDir: string }) {
  const logger = createLogger('silent')
  const database = await openDatabase({ ...address, owner: false, logger })
  const where = await database.one<Where>(
    `select trim(current_setting('unix_socket_directories'), '"') as folder,
            current_setting('port') as port, current_user as user`,
  )
  await database.close()
  if (where === undefined) throw new Error('the server says nothing of itself')
  return where
}
