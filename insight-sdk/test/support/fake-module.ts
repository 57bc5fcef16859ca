import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/** What a fake answers to `METHOD /path`: a status and a body. */
export type FakeAnswers = { readonly [route: string]: readonly [status: number, body: Json] }

const insight = {
  id: 'f',
  name: 'F',
  description: 'does f',
  inlets: [{ name: 'I', tag: 'i', primitive_type: 'NUMERIC' }],
  outlets: [{ name: 'O' }],
} as const

const paths = {
  '/info': { get: { operationId: 'info' } },
  '/insights': { post: { operationId: 'listInsights' } },
  '/insight/{id}': { get: { operationId: 'insight' } },
  '/anything/you/like': { post: { operationId: 'process' } },
}

export const definition = {
  swagger: '2.0',
  host: 'insight.example',
  basePath: '/',
  tags: [{ name: 'insight', description: 'F' }],
  schemes: ['https'],
  consumes: ['application/json'],
  produces: ['application/json'],
  paths,
}

/** A module written without the SDK that does as little as the protocol allows, and no more. */
const goodAnswers: FakeAnswers = {
  'GET /interface': [200, definition],
  'GET /info': [200, { group_id_required: false }],
  'POST /insights': [200, { total: 1, count: 1, insights: [insight] }],
  'POST /insights offset': [200, { total: 1, count: 0, insights: [] }],
  'GET /insight/f': [200, insight],
  'POST /anything/you/like': [200, [[]]],
}

const notFound = [404, { message: 'no', status: 404, name: 'NotFound' }] as const

/** Serves the good answers with some of them replaced; gives the URL. */
export async function fakeModule(t: TestContext, replaced: FakeAnswers = {}): Promise<string> {
  const answers: FakeAnswers = { ...goodAnswers, ...replaced }
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString()
    const route = `${request.method} ${request.url}`
    const known = body.includes('no-such-function') ? undefined : answers[route]
    const windowed = body.includes('"offset"') ? answers[`${route} offset`] : undefined
    const unknown = answers[`${route} unknown`] ?? answers.unknown ?? notFound
    const [status, answer] = windowed ?? known ?? unknown
    const isText = typeof answer === 'string'
    response.writeHead(status, { 'content-type': isText ? 'text/html' : 'application/json' })
    response.end(isText ? answer : JSON.stringify(answer))
  })
  const { promise, resolve } = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', resolve)
  await promise
  t.after(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

export { insight as goodInsight }
