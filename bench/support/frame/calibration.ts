import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/**
 * Work of which each request does a part, and which no change of ours touches: JSON, maps, texts, a
 * hash, garbage, and turns of the event loop with a socket in each. A machine changes the CPU time
 * of requests as it changes that of this work.
 */

const entries = Array.from({ length: 200 }, (_, at) => ({
  identity: `device-${at}`,
  at: 1_795_000_000_000_000 + at,
  body: { ip: '127.0.0.1', protocol: 'http', payload: [{ values: { temperature: `${at / 10}` } }] },
}))
const socketTurns = 40

/** @returns microseconds of CPU a turn. */
export async function calibrate({ turns }: { readonly turns: number }): Promise<number> {
  // Not that of the process: what other threads do meanwhile is no part of it.
  const before = process.threadCpuUsage()
  for (let turn = 0; turn < turns; turn += 1) work(turn)
  await exchange(turns * socketTurns)
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / turns
}

function work(turn: number): void {
  const byIdentity = new Map<string, number>()
  const lines: string[] = []
  for (const entry of entries) {
    const text = JSON.stringify({ ...entry, turn })
    const read = JSON.parse(text) as typeof entry
    byIdentity.set(read.identity, (byIdentity.get(read.identity) ?? 0) + text.length)
    lines.push(
      `${read.identity}=${encodeURIComponent(read.body.payload[0]?.values.temperature ?? '')}`,
    )
  }
  const bytes = Buffer.from(lines.toSorted().join('&'))
  createHash('sha256').update(bytes).digest()
}

let pair: Promise<Socket> | undefined

/** So many bytes there and back, one at a time. */
async function exchange(times: number): Promise<void> {
  pair ??= openPair()
  const socket = await pair
  const done = Promise.withResolvers<void>()
  let left = times
  const listen = () => {
    left -= 1
    if (left > 0) socket.write('.')
    else done.resolve()
  }
  socket.on('data', listen)
  socket.write('.')
  await done.promise
  socket.off('data', listen)
}

async function openPair(): Promise<Socket> {
  const server = createServer((socket) => socket.pipe(socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' })
  await once(socket, 'connect')
  server.close()
  server.unref()
  return socket
}
