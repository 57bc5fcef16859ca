import { strict as assert } from 'node:assert'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { contracts } from '../../src/api/management/index.ts'
import { type Given, type Ids, makeRequest } from '../spec/api/access/requests.ts'
import { makeUnknown } from '../spec/api/access/unknown-ids.ts'
import { openWorld, type World } from '../spec/api/access/world.ts'
import { broken, type Components, drawValues, junk, oddTexts, type Schema } from './values.ts'

type Parameter = { readonly name: string; readonly in: string; readonly schema: Schema }
type Operation = {
  readonly operationId: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
  readonly responses: Readonly<Record<string, unknown>>
}
type OpenApi = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Components }
}

type Sent = Omit<Given, 'body' | 'type'> & {
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

const document = new URL('../../../docs/reference/openapi.json', import.meta.url)
const { paths, components }: OpenApi = JSON.parse(readFileSync(document, 'utf8'))
const operations = Object.values(paths).flatMap((of) => Object.values(of))

const isLong = process.env.MILLRACE_TEST_LONG === 'yes'
const seed = Number(process.env.MILLRACE_TEST_SEED ?? 34)
/** Requests of each operation and role in a round; a round has a world of its own. */
const runs = isLong ? 5 : 2
const rounds = isLong ? Number(process.env.MILLRACE_TEST_ROUNDS ?? 3) : 1
const answerMs = 30_000

/** Operations that end what the others need: they get ids that nothing has. */
const ending = /^(delete|remove|end|discard|signOut|changePassword|change(User|Role)|lift)/

function drawRequests(
  operation: Operation,
  ids: Ids,
  texts: readonly string[],
): fc.Arbitrary<Sent> {
  const { operationId: id, parameters = [], requestBody } = operation
  const contract = contracts.find((one) => one.id === id) ?? assert.fail(id)
  const given = makeRequest(contract, ending.test(id) ? makeUnknown(ids) : ids)
  const values = drawValues(components.schemas, texts)
  const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? []
  const valid = fc.oneof(
    fc.constant(given.body),
    ...(content === undefined ? [] : [values(content.schema)]),
  )
  const body = fc.oneof(
    { weight: 2, arbitrary: valid },
    { weight: 3, arbitrary: fc.tuple(valid, fc.nat(), junk).map((of) => broken(...of)) },
    { weight: 1, arbitrary: junk },
  )
  const query = parameters.filter((one) => one.in === 'query')
  const named = query.map(({ name, schema }) =>
    fc.tuple(fc.constant(name), fc.oneof(values(schema), junk)),
  )
  const pairs = fc.array(
    fc.oneof(...named, fc.tuple(fc.constantFrom('limit', 'q', '__proto__'), junk)),
    { maxLength: 3 },
  )
  const path = fc.oneof(
    { weight: 4, arbitrary: fc.constant(given.path) },
    {
      weight: 1,
      arbitrary: fc.tuple(fc.nat(), fc.constantFrom(...oddTexts)).map(([at, text]) => {
        const [plain = '', search = ''] = given.path.split('?')
        const parts = plain.split('/')
        const index = 2 + (at % Math.max(1, parts.length - 2))
        // `fetch` resolves dots between slashes: it would ask for a page of the console.
        const isEncoded = at % 2 === 0 || text.includes('..')
        const odd = isEncoded ? encodeURIComponent(text.toWellFormed()) : text.slice(0, 20)
        const changed = parts.with(Math.min(index, parts.length - 1), odd).join('/')
        return search === '' ? changed : `${changed}?${search}`
      }),
    },
  )
  return fc.tuple(path, pairs, body, fc.nat(40)).map(([to, search, value, how]): Sent => {
    const added = new URLSearchParams(
      search.map(([name, one]): [string, string] => [name, toText(one)]),
    )
    const end = search.length === 0 ? '' : `${to.includes('?') ? '&' : '?'}${added}`
    const { method } = given
    const headers = { 'content-type': chooseType(given.type ?? type, how) }
    if (type === undefined && how > 3) return { method, path: to + end, headers: {} }
    if (method === 'GET') return { method, path: to + end, headers }
    const text = given.type === undefined ? JSON.stringify(value) : toText(value)
    const cut = how === 3 ? (text ?? '').slice(0, -1) : text
    return { method, path: to + end, headers, ...(cut !== undefined && { body: cut }) }
  })
}

const toText = (value: unknown) => (typeof value === 'string' ? value : `${JSON.stringify(value)}`)

function chooseType(type = 'application/json', how: number): string {
  return ['text/plain', 'application/json; charset=utf-16', 'x'][how] ?? type
}

async function readStatus(base: string, { path, ...request }: Sent, as?: string): Promise<number> {
  const stop = AbortSignal.timeout(answerMs)
  const headers = { ...request.headers, ...(as !== undefined && { authorization: as }) }
  const ended = new AbortController()
  const signal = AbortSignal.any([stop, ended.signal])
  const response = await fetch(base + path, { ...request, headers, signal, redirect: 'manual' })
  const isLive = response.headers.get('content-type')?.startsWith('text/event-stream')
  if (!isLive) await response.arrayBuffer()
  ended.abort()
  return response.status
}

/** Statuses of the HTTP server, before a request is one of an operation. */
const ofServer = [404, 405, 413, 414, 415, 431]

/** With an empty id at its end a path is that of another operation, but for a DELETE. */
const isOfAnother = ({ method, path }: Sent) => method !== 'DELETE' && /\/(?:\?|$)/.test(path)

/** Every operation has a seed of its own: with one for all, all are asked alike. */
const makeSeed = (round: number, at: number) => seed + round * operations.length + at

async function walk(world: World, round: number, counts: Map<number, number>): Promise<string[]> {
  const { tokens, ids, httpUrl } = world
  const roles = { administrator: tokens.whole, viewer: tokens.viewer, nobody: undefined }
  const faults: string[] = []
  for (const [at, operation] of operations.entries()) {
    const { operationId, responses } = operation
    const requests = drawRequests(operation, ids, Object.values(ids))
    for (const sent of fc.sample(requests, { seed: makeSeed(round, at), numRuns: runs })) {
      for (const [role, token] of Object.entries(roles)) {
        const status = await readStatus(httpUrl, sent, token).catch((error) => String(error))
        counts.set(Number(status), (counts.get(Number(status)) ?? 0) + 1)
        const isKnown = status in responses || ofServer.includes(Number(status))
        if ((isKnown || isOfAnother(sent)) && status !== 500) continue
        faults.push(`${operationId} ${role} ${status}: ${JSON.stringify(sent).slice(0, 600)}`)
      }
    }
  }
  return faults
}

test('random requests are answered as documented, and never by 500', async (t) => {
  const counts = new Map<number, number>()
  const faults: string[] = []
  for (let round = 0; round < rounds; round += 1) {
    const world = await openWorld(t)
    faults.push(...(await walk(world, round, counts)))
    const health = await fetch(`${world.httpUrl}/healthz`)
    assert.equal(health.status, 200, 'the instance answers')
  }
  t.diagnostic(`answers by status: ${JSON.stringify([...counts].sort(([a], [b]) => a - b))}`)
  assert.deepEqual(faults, [])
})
