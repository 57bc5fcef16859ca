import assert from 'node:assert/strict'
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { TestContext } from 'node:test'
import { assertStatus, type SolutionsBench, solutionsBench } from './solutions.ts'

/** An answer as it came over the wire. */
export type EndpointAnswer = {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: a test looks at what it expects
  readonly json: any
}

export type Ask = {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  readonly body?: string | Buffer
  /** `pump.localhost` where it is left out. */
  readonly host?: string
  readonly tls?: { readonly ca: Buffer }
}

/** A solution `pump` that serves endpoints. */
export type EndpointsBench = SolutionsBench & {
  /** Its only file from now on. */
  serve(lua: string): Promise<void>
  /** A request to a path of the solution's own host. */
  get(path: string, ask?: Ask): Promise<EndpointAnswer>
  /** The same under `/solution/pump`, on the console's origin. */
  shared(path: string, ask?: Ask): Promise<EndpointAnswer>
  /** What its scripts and their calls wrote into its log, oldest first. */
  lines(): Promise<string[]>
}

export async function endpointsBench(
  t: Pick<TestContext, 'after'>,
  options?: Parameters<typeof solutionsBench>[1],
): Promise<EndpointsBench> {
  const bench = await solutionsBench(t, options)
  const { httpUrl, tlsUrl, platform } = bench.millrace
  return {
    ...bench,
    async serve(text) {
      assertStatus(await bench.pump('POST', '/push', { files: [{ path: 'web.lua', text }] }), 200)
    },
    get: (path, ask = {}) =>
      askEndpoint(ask.tls ? tlsUrl : httpUrl, path, { host: 'pump.localhost', ...ask }),
    shared: (path, ask = {}) =>
      askEndpoint(httpUrl, `/solution/pump${path}`, { host: 'localhost', ...ask }),
    async lines() {
      await platform.scripting.log.flush()
      const page = await platform.scripting.log.lines(bench.businessId, 'pump', { limit: 1_000 })
      return page.lines.map(({ text }) => text).reverse()
    },
  }
}

export function askEndpoint(url: string, path: string, ask: Ask): Promise<EndpointAnswer> {
  const { hostname, port } = new URL(url)
  const { host = '', method = 'GET', headers = {}, body, tls } = ask
  const all = { Host: `${host}:${port}`, ...headers } as Record<string, string | string[]>
  const options = { hostname, port, path, method, headers: all, agent: false }
  return new Promise((resolve, reject) => {
    const request = tls
      ? httpsRequest({ ...options, ca: tls.ca, servername: host })
      : httpRequest(options)
    request.on('error', reject)
    request.on('response', (response) => {
      const chunks: Buffer[] = []
      response.on('error', reject)
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const bytes = Buffer.concat(chunks)
        const text = bytes.toString('utf8')
        const isJson = /json/.test(response.headers['content-type'] ?? '') && text !== ''
        resolve({
          ...{ status: response.statusCode ?? 0, headers: response.headers, body: bytes, text },
          json: isJson ? JSON.parse(text) : undefined,
        })
      })
    })
    request.end(body)
  })
}

/** A refusal in the shape of all errors, which tells nothing of the script. */
export function assertRefused(answer: EndpointAnswer, status: number, code: string): void {
  assert.deepEqual(
    { status: answer.status, code: answer.json?.code },
    { status, code },
    answer.text,
  )
  assert.deepEqual(Object.keys(answer.json), ['code', 'message', 'status'])
  assert.doesNotMatch(answer.text, /\.lua|stack|node:/)
}
