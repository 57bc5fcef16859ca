import { connect, type Socket } from 'node:net'
import { answerParent } from '../frame/child.ts'
import { tokenLine, writeRequest } from './device-request.ts'
import { machineMs } from './machine-clock.ts'

/** Devices whose writes are numbered, so that each effect can be matched with its write. */

export type NumberedLoad = {
  readonly port: number
  readonly host: string
  /** A token for each connection. */
  readonly tokens: readonly string[]
  readonly seconds: number
  /** Writes a second at most, spread evenly; without it each follows its answer at once. */
  readonly rate: number | undefined
  /** The number of the first write. */
  readonly from: number
}

export type NumberedResult = {
  readonly writes: number
  readonly perSecond: number
  /** From the first byte of a request to its 204. */
  readonly p50Ms: number
  readonly p99Ms: number
  readonly startedMs: number
  /** When each 204 was here, in milliseconds of the machine's clock, by the write's number. */
  readonly answeredMs: readonly (readonly [number: number, ms: number])[]
}

const noContent = 'HTTP/1.1 204'
const headEnd = '\r\n\r\n'
const msPerSecond = 1_000

/** Connections that wait for their run. */
let opened: readonly Socket[] = []

/**
 * Connects what `run` with the same load writes on: what is measured are writes, and not how a
 * fleet connects, of which a thousand at once are a burst.
 */
async function connectAll(load: NumberedLoad): Promise<void> {
  opened = await open(load)
}

async function run(load: NumberedLoad): Promise<NumberedResult> {
  const { tokens, rate, seconds, from } = load
  const sockets = opened.length > 0 ? opened : await open(load)
  opened = []
  const answeredMs: (readonly [number, number])[] = []
  const waited: number[] = []
  const start = performance.now()
  const startedMs = machineMs()
  const end = start + seconds * msPerSecond
  let next = from
  const everyMs = rate === undefined ? 0 : (tokens.length * msPerSecond) / rate
  const talk = async (socket: Socket, at: number) => {
    const request = (number: number) => makeRequest(load, tokens[at] ?? '', `temperature=${number}`)
    let dueMs = start + (everyMs * at) / tokens.length
    while (dueMs < end && performance.now() < end) {
      if (performance.now() < dueMs) await until(dueMs)
      const number = next++
      const sentMs = machineMs()
      await exchange(socket, request(number))
      const nowMs = machineMs()
      answeredMs.push([number, nowMs])
      waited.push(nowMs - sentMs)
      // A late connection does not catch up: the rate is a most.
      dueMs = Math.max(dueMs + everyMs, performance.now())
    }
    socket.destroy()
  }
  await Promise.all(sockets.map(talk))
  const elapsedMs = performance.now() - start
  const writes = answeredMs.length
  waited.sort((a, b) => a - b)
  return {
    ...{ writes, perSecond: (writes * msPerSecond) / elapsedMs, startedMs, answeredMs },
    p50Ms: waited[Math.floor(writes * 0.5)] ?? Number.NaN,
    p99Ms: waited[Math.floor(writes * 0.99)] ?? Number.NaN,
  }
}

/** Opens the connections, and writes no values, so that the server has accepted them. */
function open(load: NumberedLoad): Promise<Socket[]> {
  return Promise.all(
    load.tokens.map(async (token) => {
      const socket = connect({ port: load.port, host: '127.0.0.1', noDelay: true })
      await exchange(socket, makeRequest(load, token, ''))
      return socket
    }),
  )
}

function makeRequest({ host }: NumberedLoad, token: string, body: string): string {
  return writeRequest(host, [tokenLine(token)], body)
}

function until(dueMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, dueMs - performance.now())))
}

function exchange(socket: Socket, request: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let answer = ''
    const done = (error?: Error) => {
      socket.removeAllListeners()
      if (error === undefined) resolve()
      else reject(error)
    }
    socket.on('data', (chunk: Buffer) => {
      answer += chunk.toString('latin1')
      if (!answer.endsWith(headEnd)) return
      done(answer.startsWith(noContent) ? undefined : new Error(answer.slice(0, 200)))
    })
    socket.once('error', done)
    socket.once('close', () => done(new Error('the server hung up')))
    socket.write(request, 'latin1')
  })
}

answerParent({ connectAll, run }, () => {})
