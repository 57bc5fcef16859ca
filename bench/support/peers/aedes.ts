import { type AddressInfo, createServer, type Socket } from 'node:net'
import { answerParent } from '../frame/child.ts'
import { requirePeer } from './find.ts'

/** aedes as it is: it takes messages of anybody, acknowledges them and keeps nothing. */

type Broker = { readonly handle: (socket: Socket) => void; close(done: () => void): void }

let broker: Broker | undefined
const server = createServer((socket) => broker?.handle(socket))

async function open(): Promise<number> {
  const { Aedes } = requirePeer('aedes') as { Aedes: { createBroker(): Promise<Broker> } }
  broker = await Aedes.createBroker()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

answerParent({ open }, () => new Promise<void>((resolve) => broker?.close(resolve)))
