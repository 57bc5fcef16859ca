import { readArguments } from './support/frame/arguments.ts'
import { onePlace, print, table, whole } from './support/frame/figures.ts'
import { runBench } from './support/frame/run.ts'
import type { Providers } from './support/peers/push-providers.ts'
import type { Memory, Queued } from './support/platform/notifications.ts'

/**
 * The memory of the platform while a notification is queued for a thousand times as many bindings,
 * and sent meanwhile. The goal is that it stays what it is.
 */
const audiences = [1_000, 10_000, 1_000_000]
const secondsMax = 300
const { engine: only } = readArguments({ connections: 1 })

await runBench('Memory while notifications are queued', only, async (engine, start) => {
  const fakes = start('peers/push-providers')
  const providers = await fakes.ask<Providers>('open')
  const sender = start('platform/notifications')
  await sender.ask('open', { address: await engine.database(), providers, bindings: 0 })
  const rows: string[][] = []
  for (const count of audiences) {
    const asked: Queued = { count, seconds: secondsMax }
    const { queued, sent, heapMb, rssMb } = await sender.ask<Memory>('queue', asked)
    rows.push([whole(count), whole(queued), whole(sent), onePlace(heapMb), onePlace(rssMb)])
  }
  print(
    table([['bindings more', 'queued', 'sent', 'live heap MiB, most', 'RSS MiB, most'], ...rows]),
  )
})
