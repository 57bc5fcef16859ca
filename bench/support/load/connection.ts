import { connect, type Socket } from 'node:net'

/** The answers to one connection. */
export type Tally = {
  answers: number
  /** Answers that are not 2xx. */
  failures: number
  /** Milliseconds from a request's last byte out to its answer's last byte in. */
  readonly waitedMs: number[]
}

/** The requests of one connection, whole, and how many of them were sent. */
export type Turns = { readonly requests: readonly Buffer[]; sent: number }

const headEnd = '\r\n\r\n'
const lengthHeader = /content-length: (\d+)/i
const statusAt = 9
const sampleEvery = 16

/**
 * Sends requests one after the other on a keep-alive connection, each when the one before is
 * answered, until `ended` says so. It reads the status and the length of an answer and no more.
 * @param turns goes on where it was left.
 */
export function converse(port: number, turns: Turns, ended: () => boolean): Promise<Tally> {
  const tally: Tally = { answers: 0, failures: 0, waitedMs: [] }
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    let turn = 0
    let sentAt = 0
    const next = () => {
      if (turn % sampleEvery === 0) sentAt = performance.now()
      const request = turns.requests[turns.sent % turns.requests.length]
      turns.sent += 1
      turn += 1
      if (request !== undefined) socket.write(request)
    }
    onAnswer(socket, (ok) => {
      if ((turn - 1) % sampleEvery === 0) tally.waitedMs.push(performance.now() - sentAt)
      tally.answers += 1
      if (!ok) tally.failures += 1
      if (ended()) {
        socket.destroy()
        resolve(tally)
      } else next()
    })
    socket.once('connect', next)
    socket.once('error', reject)
    socket.once('end', () => reject(new Error('the server hung up')))
  })
}

/** Calls `answered` at each answer's last byte. */
function onAnswer(socket: Socket, answered: (ok: boolean) => void): void {
  let kept: Buffer | undefined
  let missing = 0
  let ok = false
  socket.on('data', (chunk: Buffer) => {
    if (missing > 0) {
      missing -= chunk.length
      if (missing <= 0) answered(ok)
      return
    }
    const bytes = kept === undefined ? chunk : Buffer.concat([kept, chunk])
    const end = bytes.indexOf(headEnd)
    if (end < 0) {
      kept = bytes
      return
    }
    kept = undefined
    ok = bytes[statusAt] === 0x32
    const length = lengthHeader.exec(bytes.toString('latin1', 0, end))?.[1]
    missing = end + headEnd.length + Number(length ?? 0) - bytes.length
    if (missing <= 0) answered(ok)
  })
}
