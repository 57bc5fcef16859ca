import { setTimeout as pause } from 'node:timers/promises'
import { defineBench } from './support/frame/bench.ts'
import { type Child, startChild } from './support/frame/child.ts'
import type { Address } from './support/frame/engines.ts'
import { onePlace, print, ratios, spread, table, twoPlaces } from './support/frame/figures.ts'
import { runBench } from './support/frame/run.ts'
import type { Hold, OpenedIdle } from './support/platform/idle.ts'

/**
 * The cost of an idle connection: kept alive after an answer, or in a long poll, beside
 * the same at bare node:http. Each figure is of a fresh process.
 */
const kib = 1_024
/** Long polls are registered after their request was sent, and nothing shows when. */
const settleMs = 1_000
const kinds = {
  alive: { name: 'keep-alive', answered: true },
  poll: { name: 'long poll', answered: false },
}
type Kind = keyof typeof kinds

export const bench = defineBench({
  name: 'idle-connections',
  title: ({ connections, rounds }) => `Idle connections, ${connections} at once, ${rounds} rounds`,
  options: { connections: 2_000 },
  goals: {
    alive: { subject: 'idle connection, kept alive', unit: 'KiB' },
    poll: { subject: 'idle connection, long poll', unit: 'KiB' },
  },
  async measure({ given, database, record }) {
    const measured = new Map<string, number[]>()
    for (let round = 0; round < given.rounds; round += 1) {
      for (const kind of ['alive', 'poll'] as const) {
        for (const server of ['millrace', 'bare'] as const) {
          const name = nameOf(kind, server)
          const all = measured.get(name) ?? []
          measured.set(name, all)
          const { connections } = given
          all.push(await measure({ database, connections }, server, kind))
        }
      }
    }
    const rows = [...measured].map(([name, all]) => {
      const bare = measured.get(name.replace('millrace', 'bare')) ?? []
      return [name, spread(all, onePlace), spread(ratios(all, bare), twoPlaces)]
    })
    print(table([['', 'KiB of RSS a connection', 'of bare'], ...rows]))
    for (const kind of ['alive', 'poll'] as const) {
      record(kind, { figure: measured.get(nameOf(kind, 'millrace')) ?? [] })
    }
  },
})

const nameOf = (kind: Kind, server: 'millrace' | 'bare') => `${kinds[kind].name}, ${server}`

async function measure(
  parts: { readonly database: () => Promise<Address>; readonly connections: number },
  server: 'millrace' | 'bare',
  kind: Kind,
): Promise<number> {
  const child = startChild('platform/idle')
  const clients = startChild('platform/idle')
  try {
    const opened =
      server === 'bare'
        ? await child.ask<OpenedIdle>('openBare')
        : await child.ask<OpenedIdle>('openPlatform', await parts.database())
    const request = requestOf(server, kind, opened.token)
    const { port } = opened
    const { answered } = kinds[kind]
    // What the first connections load stays for all.
    await hold(clients, { port, request, answered, connections: 50 })
    const before = await child.ask<number>('memory')
    const { connections } = parts
    await hold(clients, { port, request, answered, connections })
    const after = await child.ask<number>('memory')
    return (after - before) / connections / kib
  } finally {
    await clients.stop()
    await child.stop()
  }
}

async function hold(clients: Child, asked: Hold): Promise<void> {
  await clients.ask('hold', asked)
  await pause(settleMs)
}

function requestOf(server: 'millrace' | 'bare', kind: Kind, token: string): string {
  const path = server === 'bare' ? '/wait' : '/vendor:v1/stack/alias?temperature'
  const waiting = [`GET ${path} HTTP/1.1`, `X-vendor-CIK: ${token}`, 'Request-Timeout: 300000']
  const asking = ['GET /timestamp HTTP/1.1']
  const lines = kind === 'poll' ? waiting : asking
  return [...lines, 'Host: device.localhost', '', ''].join('\r\n')
}

if (import.meta.main) await runBench(bench)
