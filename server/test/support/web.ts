import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { atEnd } from './ends.ts'

/** A small HTTP answer. */
export type WebAnswer = {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}

export type WebRequest = Pick<IncomingMessage, 'method' | 'url' | 'headers'> & {
  readonly body: Buffer
}

export type Web = { readonly url: string; readonly requests: WebRequest[] }

type Tls = { readonly key: string; readonly cert: string }

/** A server on a free port of loopback that keeps what it was asked; gone after the test. */
export async function openWeb(
  t: Pick<TestContext, 'after'>,
  answer: (request: WebRequest) => WebAnswer | Promise<WebAnswer>,
  tls?: Tls,
): Promise<Web> {
  const requests: WebRequest[] = []
  const listener: RequestListener = (request, response) => {
    const { method, url, headers } = request
    void (async () => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      const whole = { method, url, headers, body: Buffer.concat(chunks) }
      requests.push(whole)
      const { status, headers: said = {}, body = '' } = await answer(whole)
      response.writeHead(status, said).end(body)
    })().catch(() => response.destroy())
  }
  const server = tls ? createTlsServer(tls, listener) : createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atEnd(t, () => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  const { port } = server.address() as AddressInfo
  return { url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`, requests }
}
