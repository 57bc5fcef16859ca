import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { answerParent } from '../frame/child.ts'
import { type Address, openConnection } from '../frame/engines.ts'
import { requirePeer } from './find.ts'

/** Node-RED in a process of its own, serving http in → function → http response. */

export type OpenNodeRed = {
  /** An endpoint's JSON; a device's write that nothing keeps; one that is stored before its 204. */
  readonly flow: 'endpoint' | 'write' | 'store'
  /** For `store`. */
  readonly address?: Address
}

type NodeRed = {
  init(server: object, settings: object): void
  start(): Promise<void>
  stop(): Promise<void>
  readonly httpNode: (request: object, response: object) => void
}

const flows = {
  endpoint: {
    url: '/pumps/:id',
    work: 'msg.payload = { doubled: 2 * msg.payload.level, of: msg.req.params.id }\nreturn msg',
  },
  write: {
    url: '/:vendor/stack/alias',
    work: "msg.value = Number(msg.payload.temperature)\nmsg.payload = ''\nreturn msg",
  },
  store: {
    url: '/:vendor/stack/alias',
    work: `
      await global.get('store')(msg.req.headers['x-vendor-cik'], Number(msg.payload.temperature))
      msg.payload = ''
      return msg`,
  },
}

/** As many as the platform's pool has. */
const connectionsMax = 10
const createTable = `
  create table bench_value (id bigint generated always as identity primary key,
    token text not null, at timestamptz not null default now(), value double precision not null)`
const insertValue = {
  name: 'insert',
  text: 'insert into bench_value (token, value) values ($1, $2)',
}

const server = createServer((request, response) => nodeRed?.httpNode(request, response))
const ends: (() => Promise<unknown>)[] = []
let nodeRed: NodeRed | undefined

async function open({ flow, address }: OpenNodeRed): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-node-red-'))
  await writeFile(join(folder, 'flows.json'), JSON.stringify(makeNodes(flow)))
  nodeRed = requirePeer('node-red') as NodeRed
  nodeRed.init(server, {
    ...{ userDir: folder, flowFile: 'flows.json', credentialSecret: false },
    ...{ httpAdminRoot: false, httpNodeRoot: '/', telemetry: { enabled: false } },
    functionGlobalContext: address === undefined ? {} : { store: await openStore(address) },
    logging: { console: { level: 'off' } },
  })
  await nodeRed.start()
  ends.push(() => rm(folder, { recursive: true, force: true }))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

function makeNodes(flow: OpenNodeRed['flow']): object[] {
  const { url, work } = flows[flow]
  const isWrite = flow !== 'endpoint'
  return [
    { id: 'flow', type: 'tab', label: 'bench' },
    { id: 'in', type: 'http in', z: 'flow', url, method: 'post', wires: [['work']] },
    { id: 'work', type: 'function', z: 'flow', func: work, outputs: 1, wires: [['out']] },
    { id: 'out', type: 'http response', z: 'flow', statusCode: isWrite ? '204' : '', wires: [] },
  ]
}

/** Inserts a value in a transaction of its own, as the nodes for PostgreSQL do. */
async function openStore(address: Address) {
  const connection = await openConnection(address)
  const pool = new pg.Pool({ ...connection.config, max: connectionsMax })
  await pool.query(createTable)
  ends.push(
    () => pool.end(),
    () => connection.close(),
  )
  return (token: string, value: number) => pool.query({ ...insertValue, values: [token, value] })
}

answerParent({ open }, async () => {
  server.closeAllConnections()
  await nodeRed?.stop()
  for (const end of ends) await end()
})
