/**
 * A world of its own, run by `unshare` in a namespace that nothing leaves: all addresses, hostile
 * and public, are on its loopback device and listen. It makes each call of `ssrf-forms.ts` through
 * the real HTTP service, and prints who was reached as one line of JSON.
 */
import { execFileSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect, isIPv4, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogger, Fault, limits, systemClock, systemRandom } from '../../src/kernel/index.ts'
import { createOutbound, parseAllow } from '../../src/outbound/index.ts'
import { openSecrets } from '../../src/provisioning/index.ts'
import type { Service } from '../../src/scripting/index.ts'
import { createHttpService } from '../../src/services/http/index.ts'
import { dnsAnswer } from './dns.ts'
import {
  type Form,
  forms,
  insideV4,
  insideV6,
  mute,
  publicV4,
  publicV6,
  takingTurns,
  zone,
} from './ssrf-forms.ts'

/** What one try came to. `inside`: connections to a hostile address, and requests over them. */
export type Try = {
  readonly outcomes: readonly string[]
  readonly inside: number
  readonly outside: number
}

export type World = {
  /** Each hostile address, and how often a plain connection reached it. */
  readonly plain: Readonly<Record<string, number>>
  /** The forms again, by a client without a guard. */
  readonly controls: Readonly<Record<string, Try>>
  readonly guarded: Readonly<Record<string, Try>>
  /** What the operator opened, and what not, by the sentence that says it. */
  readonly opened: Readonly<Record<string, Try>>
}

const dir = mkdtempSync(join(tmpdir(), 'millrace-ssrf-'))

/** Only this namespace sees these files: the mounts are its own. */
function mounted(path: string, content: string): void {
  const file = join(dir, path.replaceAll('/', '_'))
  writeFileSync(file, content)
  execFileSync('mount', ['--bind', file, path])
}

function settle(): void {
  mounted('/etc/resolv.conf', 'nameserver 127.0.0.1\noptions timeout:1 attempts:1\n')
  mounted('/etc/hosts', '127.0.0.1 localhost\n')
  mounted('/etc/nsswitch.conf', 'hosts: files dns\n')
  execFileSync('ip', ['link', 'set', 'lo', 'up'])
  for (const address of [publicV4, ...insideV4]) {
    execFileSync('ip', ['address', 'add', `${address}/32`, 'dev', 'lo'])
  }
  for (const address of [publicV6, ...insideV6]) {
    execFileSync('ip', ['-6', 'address', 'add', `${address}/128`, 'dev', 'lo', 'nodad'])
  }
}

const reached = { inside: 0, outside: 0 }

function count({ localAddress }: Socket): void {
  reached[isPublic(localAddress) ? 'outside' : 'inside'] += 1
}

function isPublic(address: string | undefined): boolean {
  return address === publicV4 || address === `::ffff:${publicV4}` || address === publicV6
}

function answer(request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? '/', 'http://x')
  const to = url.searchParams.get('to')
  if (url.pathname === '/close') response.setHeader('connection', 'close')
  if (to === null) return void response.end('here')
  response.writeHead(Number(url.searchParams.get('status')), { location: to }).end()
}

async function listen(): Promise<void> {
  for (const port of [80, 8080, 443]) {
    const server = createServer(answer)
    server.on('connection', count)
    server.on('request', ({ socket }) => count(socket))
    server.listen(port, '::')
    await once(server, 'listening')
  }
  let turn = 0
  const dns = createSocket('udp4')
  dns.on('message', (question, from) => {
    let isMute = false
    const found = dnsAnswer(question, (name, version) => {
      isMute ||= mute.test(name)
      const addresses = zone[name]?.filter((one) => isIPv4(one) === (version === 4)) ?? []
      if (!takingTurns.has(name) || version === 6) return addresses
      turn += 1
      return addresses.slice(turn % addresses.length).slice(0, 1)
    })
    if (!isMute) dns.send(found, from.port, from.address)
  })
  dns.bind(53, '127.0.0.1')
  await once(dns, 'listening')
}

/** The operator opened nothing. */
const closed = service([], {})
/** The operator opened two doors for all, and two for one business. */
const opened = service(['192.168.1.1:80', 'loop.test:80'], {
  a: ['172.16.0.1:80', 'mixed.test:80'],
})

function service(
  allow: readonly string[],
  own: Readonly<Record<string, readonly string[]>>,
): Service {
  return createHttpService({
    outbound: createOutbound({ allow, logger: createLogger('silent') }),
    allowances: { of: async (businessId) => parseAllow(own[businessId] ?? []) },
    secrets: openSecrets({ dir, random: systemRandom }),
    clock: systemClock(),
  })
}

async function guardedCall(http: Service, form: Omit<Form, 'name'>, businessId = 'nobody') {
  const { operation = 'get', url, args = {} } = form
  const call = {
    ...{ businessId, solutionId: `of-${businessId}`, alias: 'http', configuration: undefined },
    ...{ trackingId: 'tracking', depth: 0, remainingMs: 30_000 },
    signal: new AbortController().signal,
  }
  try {
    const result = await http.operation(operation)?.(call, { recv_timeout: 1_000, ...args, url })
    if (result === undefined) return 'nil'
    return String((result as { status_code?: number }).status_code)
  } catch (error) {
    return error instanceof Fault ? error.code : String(error)
  }
}

/** Node's own client, which goes wherever it is sent. */
async function bareCall({ url, operation = 'get', control = url, args = {} }: Form) {
  const method = operation === 'request' ? 'GET' : operation.toUpperCase()
  const signal = AbortSignal.timeout(2_000)
  const body = typeof args.body === 'string' ? { body: args.body } : {}
  return fetch(control ?? '', { method, signal, ...body }).then(
    (answered) => String(answered.status),
    (error: Error) => error.name,
  )
}

async function tried(times: number, work: () => Promise<string>): Promise<Try> {
  const before = { ...reached }
  const outcomes: string[] = []
  for (let at = 0; at < times; at += 1) outcomes.push(await work())
  return {
    outcomes,
    inside: reached.inside - before.inside,
    outside: reached.outside - before.outside,
  }
}

async function plain(): Promise<Record<string, number>> {
  const found: Record<string, number> = {}
  for (const address of ['127.0.0.1', '::1', ...insideV4, ...insideV6]) {
    // A link-local address has meaning on a device only.
    const host = address.startsWith('fe80') ? `${address}%lo` : address
    const once = await tried(1, () => connectPlainly(host))
    found[address] = once.inside
  }
  return found
}

function connectPlainly(host: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(80, host, () => socket.end())
    socket.on('error', () => undefined)
    socket.on('close', (failed) => resolve(failed ? 'failed' : 'reached'))
    socket.resume()
  })
}

async function openedCalls(): Promise<Record<string, Try>> {
  const to = (url: string, business: string) =>
    tried(1, () => guardedCall(opened, { url }, business))
  return {
    'an address that is open for all': await to('http://192.168.1.1/', 'b'),
    'an address that is open for all, at another port': await to('http://192.168.1.1:8080/', 'b'),
    'a name that is open for all': await to('http://loop.test/', 'b'),
    'the address behind that name': await to('http://127.0.0.1/', 'b'),
    'an address that is open for this business': await to('http://172.16.0.1/', 'a'),
    'the same, over a connection that is kept': await to('http://172.16.0.1/', 'a'),
    'the same, for another business': await to('http://172.16.0.1/', 'b'),
    'a name that is open for this business': await to('http://mixed.test/', 'a'),
    'that name, for another business': await to('http://mixed.test/', 'b'),
    'a redirect to what is open': await to(
      'http://public.test/redirect?status=302&to=http://192.168.1.1/',
      'b',
    ),
    'a name, while twenty others wait for a server that says nothing': await besideMuteNames(),
    'a public address': await to('http://public.test/', 'b'),
    'a public address of IPv6': await to('http://public6.test/', 'b'),
  }
}

/** Another business asks for names that nobody answers, as many as it may at once. */
async function besideMuteNames(): Promise<Try> {
  const waiting = Array.from({ length: limits.httpRequestsMax }, (_none, at) =>
    guardedCall(opened, { url: `http://mute${at}.test/`, args: { conn_timeout: 2_000 } }, 'c'),
  )
  const args = { conn_timeout: 1_000 }
  const found = await tried(1, () => guardedCall(opened, { url: 'http://fresh.test/', args }, 'b'))
  await Promise.all(waiting)
  return found
}

settle()
await listen()
const controls: Record<string, Try> = {}
const guarded: Record<string, Try> = {}
for (const form of forms) {
  const times = form.times ?? 1
  guarded[form.name] = await tried(times, () => guardedCall(closed, form))
  if (form.control !== null) controls[form.name] = await tried(times, () => bareCall(form))
}
const world: World = { plain: await plain(), controls, guarded, opened: await openedCalls() }
process.stdout.write(`${JSON.stringify(world)}\n`, () => {
  rmSync(dir, { recursive: true, force: true })
  process.exit(0)
})
