import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { answerParent } from '../frame/child.ts'

/** Node-RED in a process of its own, serving http in → function → http response. */

type NodeRed = {
  init(server: object, settings: object): void
  start(): Promise<void>
  stop(): Promise<void>
  readonly httpNode: (request: object, response: object) => void
}

const work = 'msg.payload = { doubled: 2 * msg.payload.level, of: msg.req.params.id }\nreturn msg'

const flows = [
  { id: 'flow', type: 'tab', label: 'bench' },
  {
    ...{ id: 'in', type: 'http in', z: 'flow', url: '/pumps/:id', method: 'post' },
    wires: [['work']],
  },
  { id: 'work', type: 'function', z: 'flow', func: work, outputs: 1, wires: [['out']] },
  { id: 'out', type: 'http response', z: 'flow', wires: [] },
]

const server = createServer((request, response) => nodeRed?.httpNode(request, response))
let nodeRed: NodeRed | undefined
let folder: string | undefined

/** @param installed a folder in which `npm i node-red` was run. */
async function open(installed: string): Promise<number> {
  folder = await mkdtemp(join(tmpdir(), 'millrace-node-red-'))
  await writeFile(join(folder, 'flows.json'), JSON.stringify(flows))
  nodeRed = createRequire(join(installed, 'package.json'))('node-red') as NodeRed
  nodeRed.init(server, {
    ...{ userDir: folder, flowFile: 'flows.json', credentialSecret: false },
    ...{ httpAdminRoot: false, httpNodeRoot: '/', telemetry: { enabled: false } },
    logging: { console: { level: 'off' } },
  })
  await nodeRed.start()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

answerParent({ open }, async () => {
  server.closeAllConnections()
  await nodeRed?.stop()
  if (folder !== undefined) await rm(folder, { recursive: true, force: true })
})
