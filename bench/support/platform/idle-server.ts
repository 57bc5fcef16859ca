import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { serve } from '../../../server/src/main.ts'
import type { Served } from '../../../server/src/platform/platform.ts'
import { collectGarbage } from '../../../server/test/fixtures/operation/garbage.ts'
import { answerParent } from '../frame/child.ts'
import type { Address } from '../frame/engines.ts'
import { type Instance, makeFleet, openInstance } from './instance.ts'

/** Servers whose connections are idle, and the clients that hold them, each in its own process. */

export type OpenIdle = { readonly address: Address; readonly devices: number }
export type OpenedIdle = {
  readonly port: number
  readonly mqttPort: number
  readonly tokens: readonly string[]
}
export type Hold = {
  readonly port: number
  readonly connections: number
  /** The requests of the connections, in turn; each character a byte. */
  readonly requests: readonly string[]
  /** True if an answer comes before the connection is idle; else it stays open. */
  readonly answered: boolean
}

const openedAtOnce = 100

let instance: Instance | undefined
let served: Served | undefined
let server: Server | undefined
let requests = 0
const held: Socket[] = []

async function openPlatform({ address, devices }: OpenIdle): Promise<OpenedIdle> {
  instance = await openInstance(address)
  const { tokens } = await makeFleet(instance.platform, devices)
  served = await serve(instance.platform)
  const mqttPort = Number(new URL(served.mqttUrl ?? '').port)
  return { port: Number(new URL(served.httpUrl).port), mqttPort, tokens }
}

/** Answers at once; a request of `/wait` never. */
async function openBare(): Promise<OpenedIdle> {
  server = createServer({ keepAliveTimeout: 600_000 }, (message, response) => {
    requests += 1
    message.resume()
    if (message.url !== '/wait') response.end(String(requests))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port, mqttPort: 0, tokens: [] }
}

/** Bytes of the process after a collection, so that what is left is what is held. */
function memory(): number {
  collectGarbage()
  collectGarbage()
  return process.memoryUsage.rss()
}

async function hold({ port, connections, requests, answered }: Hold): Promise<number> {
  for (let at = 0; at < connections; at += openedAtOnce) {
    const count = Math.min(openedAtOnce, connections - at)
    const requestAt = (one: number) => requests[(at + one) % requests.length] ?? ''
    await Promise.all(
      Array.from({ length: count }, (_, one) => open(port, requestAt(one), answered)),
    )
  }
  return held.length
}

async function open(port: number, request: string, answered: boolean): Promise<void> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  held.push(socket)
  await once(socket, 'connect')
  socket.write(request, 'latin1')
  if (answered) await once(socket, 'data')
}

answerParent({ openPlatform, openBare, memory, hold }, async () => {
  for (const socket of held) socket.destroy()
  server?.closeAllConnections()
  server?.close()
  await served?.close()
  await instance?.removeFolder()
})
