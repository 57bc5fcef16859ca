import { setTimeout as pause } from 'node:timers/promises'
import { buildConsole, signIn } from '../../server/test/fixtures/browser/console.ts'
import type { OpenedBoard } from '../support/browser/board.ts'
import {
  type Frames,
  frameWith,
  openBrowser,
  scroll,
  showBoard,
  showEmpty,
} from '../support/browser/frames.ts'
import { keepWriting, probedDevices, type Writes } from '../support/browser/writes.ts'
import { defineBench } from '../support/frame/bench.ts'
import { median, onePlace, print, ratios, spread, table, whole } from '../support/frame/figures.ts'
import { runBench } from '../support/frame/run.ts'

/**
 * The console with as many live rows as one page has: a dashboard with five tables of 200 assets,
 * the most that a panel shows and that a page follows. It scrolls while devices write, beside an
 * empty page that scrolls in the same browser during the same writes.
 */
const probeEveryMs = 500

export const bench = defineBench({
  name: 'console-rows',
  title: ({ rows, writes, rounds, seconds }) =>
    `Console with ${rows} live rows, ${writes} writes a second, ${rounds} rounds of ${seconds} s`,
  options: { rows: 1_000, writes: 300 },
  goals: {
    frames: {
      subject: '1,000 live rows that scroll, frames of the median second',
      unit: 'per second',
      atLeast: 55,
    },
    worst: { subject: '1,000 live rows, frames of the worst second', unit: 'per second' },
    share: { subject: '1,000 live rows that scroll, frames', unit: 'of an empty page' },
    longest: { subject: '1,000 live rows, the longest task', unit: 'ms', atMost: 200 },
    tasks: { subject: '1,000 live rows, tasks of more than 50 ms', unit: 'per second' },
    row: { subject: 'from the start of a write to its row in the console', unit: 'ms' },
  },
  async measure({ given: { rows, writes, rounds, seconds }, start, database, record }) {
    await buildConsole()
    const server = start('browser/board')
    const board = await server.ask<OpenedBoard>('openBoard', { address: await database(), rows })
    const { page, close } = await openBrowser()
    const ours: Round[] = []
    const empty: Frames[] = []
    const load = keepWriting(board, writes)
    try {
      await page.goto(board.httpUrl)
      await signIn(page, board.account)
      for (let round = 0; round < rounds; round += 1) {
        await showBoard(page, board, rows)
        const [frames, delays] = await Promise.all([
          scroll(page, seconds),
          probe(page, load, seconds),
        ])
        ours.push({ ...frames, delays })
        await showEmpty(page)
        empty.push(await scroll(page, seconds))
      }
    } finally {
      await close()
      print(`${whole(await load.stop())} writes a second`)
    }
    const typical = (all: readonly Frames[]) => all.map(({ perSecond }) => median(perSecond))
    const limit = { name: 'empty page', perSecond: typical(empty) }
    record('frames', { figure: typical(ours), limit })
    record('worst', { figure: ours.map(worst) })
    record('share', { figure: ratios(typical(ours), typical(empty)), limit })
    record('longest', { figure: ours.map(longest) })
    record('tasks', { figure: ours.map(({ longTasks }) => longTasks.length / seconds) })
    record('row', { figure: ours.map(({ delays }) => median(delays)) })
    report(ours, empty)
  },
})

/** The values of probes are no other ones, and have no thousands. */
const leastProbed = 300
let probes = 0

type Round = Frames & { readonly delays: readonly number[] }
type Shown = Parameters<typeof frameWith>[0]

/** Milliseconds from a write to the frame that shows its value, one after the other. */
async function probe(page: Shown, load: Writes, seconds: number): Promise<number[]> {
  const delays: number[] = []
  const end = performance.now() + seconds * 1_000
  for (let at = 0; performance.now() < end; at = (at + 1) % probedDevices) {
    probes += 1
    const value = leastProbed + (probes % 600)
    const shown = frameWith(page, `device-${at}`, String(value))
    const start = Date.now()
    await load.write(at, value)
    delays.push((await shown) - start)
    await pause(probeEveryMs)
  }
  return delays
}

const worst = ({ perSecond }: Frames) => Math.min(...perSecond)
const longest = ({ longTasks }: Frames) => Math.max(0, ...longTasks)

function report(ours: readonly Round[], empty: readonly Frames[]): void {
  const row = (name: string, all: readonly Frames[]) => [
    name,
    spread(
      all.map(({ perSecond }) => median(perSecond)),
      onePlace,
    ),
    spread(all.map(worst), whole),
    spread(
      all.map(({ longTasks }) => longTasks.length),
      whole,
    ),
    spread(all.map(longest), whole),
  ]
  const head = ['', 'frames/s', 'worst second', 'long tasks', 'longest ms']
  print(table([head, row('live rows', ours), row('empty page', empty)]))
  const delays = ours.flatMap((one) => one.delays)
  print(`from a write to its row: ${spread(delays, whole)} ms`)
}

if (import.meta.main) await runBench(bench)
