import { setTimeout as pause } from 'node:timers/promises'
import { type Child, startChild } from '../frame/child.ts'
import type { Address } from '../frame/engines.ts'
import { connectPacket } from '../load/mqtt-packets.ts'
import type { Hold, OpenedIdle, OpenIdle } from './idle-server.ts'

/** The memory that an idle connection costs its process. */

const kib = 1_024
/** Long polls are registered after their request was sent, and nothing shows when. */
const settleMs = 1_000
/** Modules that the first connections load stay for all. */
const connectionsBefore = 50
/** Devices that poll may be the same; a device's MQTT connections replace one another. */
const devicesOfHttp = 10

export const idleKinds = {
  alive: { name: 'keep-alive', answered: true },
  poll: { name: 'long poll', answered: false },
  mqtt: { name: 'MQTT', answered: true },
}
export type IdleKind = keyof typeof idleKinds
export type IdleServer = 'millrace' | 'bare'

type Parts = { readonly database: () => Promise<Address>; readonly connections: number }

/** @returns KiB of resident memory a connection, in a fresh process; bare has no MQTT. */
export async function kibOfIdle(
  { database, connections }: Parts,
  server: IdleServer,
  kind: IdleKind,
): Promise<number> {
  const child = startChild('platform/idle-server')
  const clients = startChild('platform/idle-server')
  try {
    const devices = kind === 'mqtt' ? connectionsBefore + connections : devicesOfHttp
    const opened =
      server === 'bare'
        ? await child.ask<OpenedIdle>('openBare')
        : await child.ask<OpenedIdle>('openPlatform', {
            ...{ address: await database(), devices },
          } satisfies OpenIdle)
    const port = kind === 'mqtt' ? opened.mqttPort : opened.port
    const requests = makeIdleRequests(server, kind, opened.tokens)
    const { answered } = idleKinds[kind]
    const first = { port, answered, connections: connectionsBefore, requests }
    await hold(clients, { ...first, requests: requests.slice(0, connectionsBefore) })
    const before = await child.ask<number>('memory')
    const others = kind === 'mqtt' ? requests.slice(connectionsBefore) : requests
    await hold(clients, { ...first, connections, requests: others })
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

function makeIdleRequests(server: IdleServer, kind: IdleKind, tokens: readonly string[]): string[] {
  if (kind === 'mqtt') {
    return tokens.map((token, at) => connectPacket(`idle-${at}`, token).toString('latin1'))
  }
  const path = server === 'bare' ? '/wait' : '/vendor:v1/stack/alias?temperature'
  const cik = `X-vendor-CIK: ${tokens[0] ?? ''}`
  const waiting = [`GET ${path} HTTP/1.1`, cik, 'Request-Timeout: 300000']
  const lines = kind === 'poll' ? waiting : ['GET /timestamp HTTP/1.1']
  return [[...lines, 'Host: device.localhost', '', ''].join('\r\n')]
}
