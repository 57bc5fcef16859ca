import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openDatabase } from '../../../server/src/foundation/database/index.ts'
import { createLogger } from '../../../server/src/foundation/kernel/index.ts'
import { serve } from '../../../server/src/main.ts'
import type { Served } from '../../../server/src/platform/platform.ts'
import { answerParent } from '../frame/child.ts'
import type { Address } from '../frame/engines.ts'
import { lists, makeCatalogue, readList } from './catalogue.ts'
import { fillBusiness } from './fill.ts'
import { type Instance, openInstance } from './instance.ts'

/** A side of a list: the platform's GraphQL, or SQL and JSON by hand. */

export type OpenCatalogue = { readonly address: Address; readonly assets: number }
export type OpenedCatalogue = {
  readonly port: number
  readonly businessId: string
  readonly token: string
}

/** Assets made as a client makes them; more are filled in. */
const byApiMax = 10_000

type Ends = { close(): Promise<unknown> }

let instance: Instance | undefined
let ends: Ends | undefined

async function openPlatform({ address, assets }: OpenCatalogue): Promise<OpenedCatalogue> {
  instance = await openInstance(address)
  const catalogue = await makeCatalogue(instance.platform, Math.min(assets, byApiMax))
  const { database } = instance.platform
  if (assets > byApiMax) await fillBusiness(database, catalogue.businessId, assets - byApiMax)
  await database.run('analyze')
  const served: Served = await serve(instance.platform)
  ends = served
  return { port: Number(new URL(served.httpUrl).port), ...catalogue }
}

/** Over a pool like the platform's. The path is the number of the list. */
async function openByHand({ address, businessId }: { address: Address; businessId: string }) {
  const database = await openDatabase({ ...address, owner: false, logger: createLogger('warn') })
  const server = createServer((message, response) => {
    message.resume()
    message.on('end', async () => {
      const list = lists[Number(message.url?.slice(1))] ?? lists[0]
      const text = JSON.stringify(await readList(database, businessId, list))
      response.writeHead(200, {
        'content-type': 'application/json; charset=utf-8',
        'content-length': Buffer.byteLength(text),
      })
      response.end(text)
    })
  })
  ends = {
    async close() {
      server.closeAllConnections()
      await database.close()
    },
  }
  return listenOn(server)
}

function listenOn(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
}

answerParent({ openPlatform, openByHand }, async () => {
  await ends?.close()
  await instance?.removeFolder()
})
