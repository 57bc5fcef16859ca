import { readArguments } from './support/frame/arguments.ts'
import { print, ratios, spread, table, twoPlaces } from './support/frame/figures.ts'
import { measuredCells, measuredHead, ratesOf, runBench } from './support/frame/run.ts'
import { alternate, askedSide, type Measured } from './support/frame/side.ts'
import type { BareSends } from './support/peers/push-bare.ts'
import type { Providers } from './support/peers/push-providers.ts'

/**
 * A notification to 10,000 bindings, from the script's call to the last outcome that is written
 * down, over Apple's HTTP/2 and Google's HTTP; beside it a bare client that says as much to the
 * same providers and keeps nothing. The goal is 0.7 of the bare client.
 */
const goal = 0.7
const bindings = 10_000
const {
  rounds,
  connections: inFlight,
  engine: only,
  profileDir,
} = readArguments({ connections: 250 })

const names = {
  apn: 'APNs, the platform',
  bareApn: 'APNs, bare HTTP/2',
  fcm: 'FCM, the platform',
  bareFcm: 'FCM, bare HTTP',
}

const title = `Notifications to ${bindings} bindings, bare: ${inFlight} in flight, ${rounds} rounds`
await runBench(title, only, async (engine, start) => {
  const fakes = start('peers/push-providers')
  const providers = await fakes.ask<Providers>('open')
  const bare = start('peers/push-bare')
  await bare.ask('open', providers)
  const sender = start('platform/notifications', profileDir)
  await sender.ask('open', { address: await engine.database(), providers, bindings })
  const asked: BareSends = { count: bindings, inFlight }
  const sides = [
    askedSide(names.apn, sender, 'run', { channel: 'apn' }),
    askedSide(names.bareApn, bare, 'apn', asked),
    askedSide(names.fcm, sender, 'run', { channel: 'fcm' }),
    askedSide(names.bareFcm, bare, 'fcm', asked),
  ]
  // What is slow at first is not what is measured.
  for (const one of sides) await one.measure(1)
  report(await alternate(sides, rounds, 1))
})

function report(measured: ReadonlyMap<string, readonly Measured[]>): void {
  const peers: Readonly<Record<string, string>> = {
    [names.apn]: names.bareApn,
    [names.fcm]: names.bareFcm,
  }
  const rows = [...measured].map(([name, all]) => {
    const peer = ratesOf(measured.get(peers[name] ?? name))
    return [name, ...measuredCells(all).slice(0, 2), spread(ratios(ratesOf(all), peer), twoPlaces)]
  })
  print(table([['', ...measuredHead.slice(0, 2), 'of bare'], ...rows]))
  print(`goal: ${goal} of bare`)
}
