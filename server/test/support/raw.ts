import { connect, type Socket } from 'node:net'
import { waitMsMax } from './bounds.ts'

/** An answer exactly as it came over the wire. */
export type RawAnswer = {
  /** Everything, head and body. */
  readonly text: string
  readonly status: number
  /** The head's lines without the status line. */
  readonly headers: readonly string[]
  readonly body: string
}

/** A socket that speaks HTTP letter by letter, as firmware does. */
export type RawClient = {
  /** Sends the bytes and waits for one answer. */
  ask(bytes: string | Buffer): Promise<RawAnswer>
  close(): void
}

export function rawClient(url: string): RawClient {
  const { hostname, port } = new URL(url)
  const socket: Socket = connect(Number(port), hostname)
  let received = ''
  let waiting: ((error?: Error) => void) | undefined
  socket.setEncoding('latin1')
  socket.on('data', (chunk: string) => {
    received += chunk
    waiting?.()
  })
  socket.on('error', (error) => waiting?.(error))
  socket.on('close', () => waiting?.(new Error(`closed after: ${received}`)))

  function take(): RawAnswer | undefined {
    const end = received.indexOf('\r\n\r\n')
    if (end < 0) return undefined
    const [statusLine = '', ...headers] = received.slice(0, end).split('\r\n')
    const status = Number(statusLine.split(' ')[1])
    const length = status === 304 ? 0 : lengthOf(headers)
    const total = end + 4 + length
    if (received.length < total) return undefined
    const text = received.slice(0, total)
    received = received.slice(total)
    return { text, status, headers, body: text.slice(end + 4) }
  }

  return {
    ask(bytes) {
      socket.write(bytes)
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => waiting?.(new Error(`no answer: ${received}`)), waitMsMax)
        waiting = (error) => {
          const answer = take()
          if (answer === undefined && error === undefined) return
          clearTimeout(timer)
          waiting = undefined
          if (answer !== undefined) resolve(answer)
          else reject(error)
        }
        waiting()
      })
    },
    close: () => socket.destroy(),
  }
}

function lengthOf(headers: readonly string[]): number {
  const line = headers.find((header) => header.startsWith('Content-Length: '))
  return Number(line?.slice('Content-Length: '.length) ?? 0)
}
