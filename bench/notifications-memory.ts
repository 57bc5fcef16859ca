import { defineBench } from './support/frame/bench.ts'
import { onePlace, print, table, whole } from './support/frame/figures.ts'
import { runBench } from './support/frame/run.ts'
import type { Providers } from './support/peers/push-providers.ts'
import type { Memory, Queued } from './support/platform/notifications.ts'

/**
 * The memory of the platform while a notification is queued for a thousand times as many bindings,
 * and sent meanwhile.
 */
const audiences = [1_000, 10_000, 1_000_000]

export const bench = defineBench({
  name: 'notifications-memory',
  title: ({ seconds }) => `Memory while notifications are queued, ${seconds} s of each at most`,
  options: { seconds: 300 },
  goals: {
    growth: {
      subject: 'live heap while 1,000,000 bindings are notified',
      unit: 'of that for 1,000',
      atMost: 1.25,
    },
    heap: { subject: 'live heap while 1,000,000 bindings are notified', unit: 'MiB' },
  },
  async measure({ given, start, database, record }) {
    const fakes = start('peers/push-providers')
    const providers = await fakes.ask<Providers>('open')
    const sender = start('platform/notifications')
    await sender.ask('open', { address: await database(), providers, bindings: 0 })
    const rows: string[][] = []
    const heaps: number[] = []
    for (const count of audiences) {
      const asked: Queued = { count, seconds: given.seconds }
      const { queued, sent, heapMb, rssMb } = await sender.ask<Memory>('queue', asked)
      rows.push([whole(count), whole(queued), whole(sent), onePlace(heapMb), onePlace(rssMb)])
      heaps.push(heapMb)
    }
    const head = ['bindings more', 'queued', 'sent', 'live heap MiB, most', 'RSS MiB, most']
    print(table([head, ...rows]))
    const [first = Number.NaN, last = Number.NaN] = [heaps[0], heaps.at(-1)]
    record('growth', { figure: [last / first] })
    record('heap', { figure: [last] })
  },
})

if (import.meta.main) await runBench(bench)
