import { createServer, type Server, type ServerResponse } from 'node:http'
import { limits, type ProcessRole } from '../../foundation/kernel/index.ts'
import type { Metrics } from './metrics.ts'

export type MetricsServerOptions = {
  readonly metrics: Metrics
  readonly version: string
  readonly roles: readonly ProcessRole[]
  /** The reason why the database takes no writes; undefined if it does. */
  readonly unwritable: () => Promise<string | undefined>
  /** True once the process ends. */
  readonly isDraining: () => boolean
}

type Answer = readonly [status: number, body: string, type?: string]

/** The server of the listener of metrics; it is to be opened, and closed after the others. */
export function openMetrics(options: MetricsServerOptions): Server {
  const { metrics, version, roles, unwritable, isDraining } = options
  const pending = () => metrics.pending()
  const answers: Readonly<Record<string, () => Promise<Answer>>> = {
    '/metrics': async () => [200, await metrics.text(), metrics.contentType],
    '/healthz': async () => [200, 'ok\n'],
    '/readyz': async () => {
      const why = isDraining() ? 'the process ends' : await reasonAgainst({ pending, unwritable })
      return why === undefined ? [200, 'ready\n'] : [503, `${why}\n`]
    },
    '/version': async () => [200, `${JSON.stringify({ version, roles })}\n`, 'application/json'],
  }
  const server = createServer((message, response) => {
    message.resume()
    const [path = ''] = (message.url ?? '/').split('?', 1)
    const answer = Object.hasOwn(answers, path) ? answers[path] : undefined
    if (answer === undefined) return send(response, [404, 'not found\n'])
    answer().then(
      (found) => send(response, found),
      (error: Error) => send(response, [503, `${error.message}\n`]),
    )
  })
  server.requestTimeout = limits.deviceRequestMsMax
  return server
}

export type ReadinessOptions = Pick<MetricsServerOptions, 'unwritable'> & {
  /** The number of pending entries of each stage. */
  readonly pending: () => Promise<ReadonlyMap<string, number>>
}

/** The reason why no more requests should come here; undefined: they may. */
export async function reasonAgainst(options: ReadinessOptions): Promise<string | undefined> {
  const why = await options.unwritable()
  if (why !== undefined) return why
  for (const [stage, pending] of await options.pending()) {
    if (pending > limits.readyPendingMax) return `${stage} is ${pending} entries behind`
  }
  return undefined
}

function send(response: ServerResponse, [status, body, type = 'text/plain']: Answer): void {
  response.writeHead(status, { 'Content-Type': type, 'Content-Length': Buffer.byteLength(body) })
  response.end(body)
}
