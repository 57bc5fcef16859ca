import { defineBench } from './support/frame/bench.ts'
import { compareReached, type Sides } from './support/frame/cells.ts'
import { type Child, readCpuUs } from './support/frame/child.ts'
import {
  onePlace,
  print,
  ratios,
  spread,
  table,
  twoPlaces,
  whole,
} from './support/frame/figures.ts'
import { runBench } from './support/frame/run.ts'
import { alternate, type Side } from './support/frame/side.ts'
import { tokenLine, writeRequest } from './support/load/device-request.ts'
import type { SecureClient, SecureLoad, SecureResult } from './support/load/secure-generator.ts'
import type { OpenedTlsServer } from './support/platform/tls-server.ts'

/** Durable device writes over kept connections: TLS with a token, mutual TLS, and plain HTTP. */
const names = {
  plain: 'plain HTTP, token',
  tls: 'TLS, token',
  mutual: 'TLS, client certificate',
}

export const bench = defineBench({
  name: 'mtls',
  title: ({ connections, rounds, seconds }) =>
    `Writes over TLS, ${connections} connections, ${rounds} rounds of ${seconds} s a side`,
  options: { connections: 128 },
  goals: {
    tls: { subject: 'device write over TLS, token', unit: 'of plain HTTP' },
    mutual: { subject: 'device write over TLS, client certificate', unit: 'of plain HTTP' },
  },
  async measure({ given, start, database, record }) {
    const generator = start('load/secure-generator')
    const server = start('platform/tls-server', given.profileDir)
    const asked = { address: await database(), devices: given.connections }
    const opened = await server.ask<OpenedTlsServer>('open', asked)
    const handshakes = new Map<string, number[]>()
    const side = (name: string, port: number, clients: readonly SecureClient[]) => {
      handshakes.set(name, [])
      const recordRate = (perSecond: number) => handshakes.get(name)?.push(perSecond)
      return secureSide({ name, server, generator, load: { port, clients }, record: recordRate })
    }
    const sides = [
      side(names.plain, opened.plainPort, makeClients(opened, 'plain')),
      side(names.tls, opened.tlsPort, makeClients(opened, 'tls')),
      side(names.mutual, opened.tlsPort, makeClients(opened, 'mutual')),
    ]
    // The first writes with certificates provision their devices.
    for (const one of sides) await one.measure(1)
    for (const recorded of handshakes.values()) recorded.length = 0
    const measured = await alternate(sides, given.rounds, given.seconds)
    report(measured, handshakes)
    record('tls', compareReached(measured, names.tls, { limit: names.plain }))
    record('mutual', compareReached(measured, names.mutual, { limit: names.plain }))
  },
})

function makeClients(opened: OpenedTlsServer, kind: 'plain' | 'tls' | 'mutual'): SecureClient[] {
  const { host, ca, tokens, certificates } = opened
  const trust = { servername: host, ca }
  const values = 'temperature=21.5'
  return tokens.map((token, at): SecureClient => {
    if (kind === 'mutual') {
      return { request: writeRequest(host, [], values), tls: { ...trust, ...certificates[at] } }
    }
    const request = writeRequest(host, [tokenLine(token)], values)
    return kind === 'plain' ? { request } : { request, tls: trust }
  })
}

function secureSide(options: {
  readonly name: string
  readonly server: Child
  readonly generator: Child
  readonly load: Omit<SecureLoad, 'seconds'>
  readonly record: (handshakesPerSecond: number) => void
}): Side {
  const { name, server, generator, load, record } = options
  return {
    name,
    async measure(lasting) {
      const asked: SecureLoad = { ...load, seconds: lasting }
      const before = await readCpuUs(server)
      const result = await generator.ask<SecureResult>('run', asked)
      const usedUs = (await readCpuUs(server)) - before
      await server.ask('settle')
      if (result.failures > 0) throw new Error(`${name}: ${result.failures} answers were no 204`)
      record(result.handshakesPerSecond)
      const { perSecond, answers } = result
      return { perSecond, cpuUs: usedUs / answers, p50Ms: Number.NaN, p99Ms: Number.NaN }
    },
  }
}

function report(measured: Sides, handshakes: ReadonlyMap<string, readonly number[]>): void {
  const rates = (name: string) => (measured.get(name) ?? []).map((one) => one.perSecond)
  const rows = [...measured].map(([name, all]) => [
    name,
    spread(rates(name), whole),
    spread(
      all.map((one) => one.cpuUs),
      onePlace,
    ),
    spread(ratios(rates(name), rates(names.plain)), twoPlaces),
    spread(handshakes.get(name) ?? [], whole),
  ])
  const head = ['', 'writes a second', 'Node CPU us', 'of plain', 'new connections a second']
  print(table([head, ...rows]))
  print('CPU holds the new connections too; each makes one write before the clock runs.')
}

if (import.meta.main) await runBench(bench)
