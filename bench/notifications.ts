import { defineBench } from './support/frame/bench.ts'
import {
  compareReached,
  measuredCells,
  measuredHead,
  type Sides,
  toRates,
} from './support/frame/cells.ts'
import { print, ratios, spread, table, twoPlaces } from './support/frame/figures.ts'
import { runBench } from './support/frame/run.ts'
import { alternate, askedSide } from './support/frame/side.ts'
import type { BareSends } from './support/peers/push-bare.ts'
import type { Providers } from './support/peers/push-providers.ts'

/**
 * A notification to 10,000 bindings, from the script's call to the last outcome that is written
 * down, over Apple's HTTP/2 and Google's HTTP; beside it a bare client that says as much to the
 * same providers and keeps nothing.
 */
const bindings = 10_000
const names = {
  apn: 'APNs, the platform',
  bareApn: 'APNs, bare HTTP/2',
  fcm: 'FCM, the platform',
  bareFcm: 'FCM, bare HTTP',
}

export const bench = defineBench({
  name: 'notifications',
  title: ({ connections, rounds }) =>
    `Notifications to ${bindings} bindings, bare: ${connections} in flight, ${rounds} rounds`,
  options: { connections: 250 },
  goals: {
    apn: { subject: 'notifications over APNs', unit: 'of a bare client', atLeast: 0.7 },
    fcm: { subject: 'notifications over FCM', unit: 'of a bare client', atLeast: 0.7 },
  },
  async measure({ given, start, database, record }) {
    const fakes = start('peers/push-providers')
    const providers = await fakes.ask<Providers>('open')
    const bare = start('peers/push-bare')
    await bare.ask('open', providers)
    const sender = start('platform/notifications', given.profileDir)
    await sender.ask('open', { address: await database(), providers, bindings })
    const asked: BareSends = { count: bindings, inFlight: given.connections }
    const sides = [
      askedSide(names.apn, sender, 'run', { channel: 'apn' }),
      askedSide(names.bareApn, bare, 'apn', asked),
      askedSide(names.fcm, sender, 'run', { channel: 'fcm' }),
      askedSide(names.bareFcm, bare, 'fcm', asked),
    ]
    // The first calls are slow, and are not measured.
    for (const one of sides) await one.measure(1)
    const measured = await alternate(sides, given.rounds, 1)
    report(measured)
    record('apn', compareReached(measured, names.apn, { limit: names.bareApn }))
    record('fcm', compareReached(measured, names.fcm, { limit: names.bareFcm }))
  },
})

function report(measured: Sides): void {
  const peers: Readonly<Record<string, string>> = {
    [names.apn]: names.bareApn,
    [names.fcm]: names.bareFcm,
  }
  const rows = [...measured].map(([name, all]) => {
    const peer = toRates(measured.get(peers[name] ?? name))
    return [name, ...measuredCells(all).slice(0, 2), spread(ratios(toRates(all), peer), twoPlaces)]
  })
  print(table([['', ...measuredHead.slice(0, 2), 'of bare'], ...rows]))
}

if (import.meta.main) await runBench(bench)
