import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerParent } from '../frame/child.ts'
import { type Address, openConnection } from '../frame/engines.ts'
import { requirePeer } from './find.ts'

/**
 * PostGraphile on the platform's own tables, as it is with its Amber preset: no explaining, no
 * watching, no console, and a pool of as many connections as the platform has.
 */

export type OpenPostGraphile = { readonly address: Address; readonly connections: number }

type Instance = {
  createServ(made: unknown): { addTo(server: object): Promise<void> }
  release(): Promise<void>
}
type Pool = { end(): Promise<void> }

const server = createServer()
const ends: (() => Promise<unknown>)[] = []

async function open({ address, connections }: OpenPostGraphile): Promise<number> {
  const connection = await openConnection(address)
  // Read when its modules are loaded: without it they check more than they must.
  process.env.GRAPHILE_ENV = 'production'
  const { Pool } = requirePeer('pg') as { Pool: new (options: object) => Pool }
  const pool = new Pool({ ...connection.config, max: connections })
  const { postgraphile } = requirePeer('postgraphile') as {
    postgraphile: (preset: object) => Instance
  }
  const { PostGraphileAmberPreset } = requirePeer('postgraphile/presets/amber')
  const { makePgService } = requirePeer('postgraphile/adaptors/pg')
  const { grafserv } = requirePeer('postgraphile/grafserv/node')
  const instance = postgraphile({
    extends: [PostGraphileAmberPreset],
    pgServices: [makePgService({ pool, schemas: ['public'] })],
    grafserv: { graphiql: false, watch: false, graphqlPath: '/graphql' },
    grafast: { explain: false },
  })
  await instance.createServ(grafserv).addTo(server)
  ends.push(
    () => instance.release(),
    () => pool.end(),
    () => connection.close(),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

answerParent({ open }, async () => {
  server.closeAllConnections()
  for (const end of ends) await end()
})
