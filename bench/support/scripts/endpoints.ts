import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serve } from '../../../server/src/main.ts'
import type { Served } from '../../../server/src/platform/platform.ts'
import { answerParent } from '../frame/child.ts'
import type { Address } from '../frame/engines.ts'
import { type Instance, openInstance } from '../platform/instance.ts'

/** A solution's endpoint as the product serves it, and the same by hand in node:http. */

const source = 'return { doubled = 2 * request.body.level, of = request.parameters.id }'

let instance: Instance | undefined
let served: Served | undefined

async function open(address: Address): Promise<number> {
  instance = await openInstance(address)
  const { accounts, scripting } = instance.platform
  const { id } = await accounts.createBusiness({ name: 'Bench' })
  await scripting.solutions.create(id, { id: 'bench', name: 'Bench' })
  const key = { kind: 'endpoint', name: 'POST /pumps/{id}' } as const
  await scripting.scripts.put(id, 'bench', key, source)
  served = await serve(instance.platform)
  return Number(new URL(served.httpUrl).port)
}

const bare = createServer((message, response) => {
  const chunks: Buffer[] = []
  message.on('data', (chunk: Buffer) => chunks.push(chunk))
  message.on('end', () => {
    const { level } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { level: number }
    const body = JSON.stringify({ doubled: 2 * level, of: message.url?.slice('/pumps/'.length) })
    const length = String(Buffer.byteLength(body))
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': length })
    response.end(body)
  })
})

function openBare(): Promise<number> {
  return new Promise((resolve) => {
    bare.listen(0, '127.0.0.1', () => resolve((bare.address() as AddressInfo).port))
  })
}

answerParent({ open, openBare }, async () => {
  bare.closeAllConnections()
  await served?.close()
  await instance?.removeFolder()
})
