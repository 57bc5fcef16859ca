import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { answerParent } from '../frame/child.ts'
import type { LoadResult } from './generator.ts'
import { connectPacket, publishPacket } from './mqtt-packets.ts'

/** Devices that publish with QoS 1, each the next one when the one before is acknowledged. */

export type MqttLoad = {
  readonly port: number
  readonly seconds: number
  /** A token for each connection. */
  readonly tokens: readonly string[]
  readonly topic: string
  readonly payload: string
}

const packetIdMax = 65_535
const connackBytes = 4
const pubackBytes = 4
const msPerSecond = 1_000
const sampleEvery = 16

/** All connect before the clock runs. */
async function run({ port, seconds, tokens, topic, payload }: MqttLoad): Promise<LoadResult> {
  const sockets = await Promise.all(tokens.map((token, at) => open(port, token, `bench-${at}`)))
  const start = performance.now()
  const end = start + seconds * msPerSecond
  const publish = publishPacket(topic, payload)
  const waited: number[] = []
  const counts = await Promise.all(
    sockets.map((socket) => converse(socket, publish, { end, waited })),
  )
  const elapsedMs = performance.now() - start
  for (const socket of sockets) socket.destroy()
  const answers = counts.reduce((sum, one) => sum + one, 0)
  waited.sort((one, other) => one - other)
  return {
    ...{ answers, failures: 0, perSecond: (answers * msPerSecond) / elapsedMs },
    p50Ms: waited[Math.floor(waited.length * 0.5)] ?? Number.NaN,
    p99Ms: waited[Math.floor(waited.length * 0.99)] ?? Number.NaN,
  }
}

async function open(port: number, token: string, clientId: string): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await once(socket, 'connect')
  socket.write(connectPacket(clientId, token))
  const [answer] = (await once(socket, 'data')) as [Buffer]
  if (answer.length !== connackBytes || answer[3] !== 0) throw new Error('the device was refused')
  return socket
}

/** @returns how many messages were acknowledged. */
function converse(
  socket: Socket,
  publish: (packetId: number) => Buffer,
  { end, waited }: { readonly end: number; readonly waited: number[] },
): Promise<number> {
  return new Promise((resolve, reject) => {
    let answers = 0
    let missing = pubackBytes
    let sentMs = 0
    const send = () => {
      sentMs = performance.now()
      socket.write(publish((answers % packetIdMax) + 1))
    }
    const hungUp = () => reject(new Error('the server hung up'))
    const listen = (chunk: Buffer) => {
      missing -= chunk.length
      if (missing > 0) return
      missing = pubackBytes
      answers += 1
      const nowMs = performance.now()
      if (answers % sampleEvery === 1) waited.push(nowMs - sentMs)
      if (nowMs < end) return send()
      socket.off('data', listen).off('close', hungUp)
      resolve(answers)
    }
    socket.on('data', listen).once('error', reject).once('close', hungUp)
    send()
  })
}

answerParent({ run }, () => {})
