import { once } from 'node:events'
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import { createServer as createTlsServer, type ServerOptions as TlsServerOptions } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { atEnd } from './ends.ts'

type Context = Pick<TestContext, 'after'>

/** A place in the world that a script's request can reach, on a loopback port. */
export type Place = {
  readonly host: string
  readonly url: string
  readonly server: Server
  readonly heard: Heard[]
  /** The last that was heard. */
  last(): Heard
  connections(): number
}

export type Heard = {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly rawHeaders: readonly string[]
  readonly body: Buffer
}

export type Answering = (response: ServerResponse, heard: Heard) => void

const empty: Answering = (response) => response.end()

export function place(t: Context, answering: Answering = empty): Promise<Place> {
  return opened(t, answering, 'http', (listener) => createServer(listener))
}

export function tlsPlace(
  t: Context,
  options: TlsServerOptions,
  answering: Answering = empty,
): Promise<Place> {
  return opened(t, answering, 'https', (listener) => createTlsServer(options, listener))
}

async function opened(
  t: Context,
  answering: Answering,
  scheme: string,
  make: (listener: RequestListener) => Server,
): Promise<Place> {
  const heard: Heard[] = []
  let connections = 0
  const server = make((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('error', () => undefined)
    request.on('end', () => {
      const { method = '', url = '', headers, rawHeaders } = request
      const one = { method, url, headers, rawHeaders, body: Buffer.concat(chunks) }
      heard.push(one)
      answering(response, one)
    })
  })
  server.on('connection', () => {
    connections += 1
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(t, () => {
    server.closeAllConnections()
    server.close()
  })
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    ...{ host, url: `${scheme}://${host}/`, server, heard },
    last() {
      const one = heard.at(-1)
      if (one === undefined) throw new Error('nothing was heard')
      return one
    },
    connections: () => connections,
  }
}
