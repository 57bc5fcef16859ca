import { buildConsole, signIn } from '../../server/test/fixtures/browser/console.ts'
import type { OpenedFleet } from '../support/browser/fleet.ts'
import { openBrowser } from '../support/browser/frames.ts'
import { type Step, steps } from '../support/browser/steps.ts'
import { defineBench } from '../support/frame/bench.ts'
import { median, print, spread, table, whole } from '../support/frame/figures.ts'
import { runBench } from '../support/frame/run.ts'

/**
 * The time that a person waits in the console of a large fleet, beside the same of a small one in
 * the same browser.
 */
const smallFleet = 1_000

export const bench = defineBench({
  name: 'console-fleet',
  title: ({ devices, rounds }) =>
    `pages of the console, ${whole(devices)} devices, ${rounds} rounds`,
  options: { devices: 1_000_000, rounds: 3 },
  goals: {
    slowest: { subject: 'the slowest page of a large fleet', unit: 'ms', atMost: 2_000 },
    small: { subject: 'the same page of a small fleet', unit: 'ms' },
  },
  async measure({ given: { devices, rounds }, start, database, record }) {
    await buildConsole()
    const sizes = [devices, smallFleet]
    const fleets: OpenedFleet[] = []
    for (const size of sizes) {
      const address = await database()
      fleets.push(
        await start('browser/fleet').ask<OpenedFleet>('openFleet', { address, devices: size }),
      )
    }
    const { page, close } = await openBrowser()
    const figures = steps.map((step) => ({ step, took: fleets.map((): number[] => []) }))
    try {
      for (const { httpUrl, account } of fleets) {
        await page.goto(httpUrl)
        await signIn(page, account)
      }
      for (let round = 0; round < rounds; round += 1) {
        for (const { step, took } of figures) {
          for (const [at, fleet] of fleets.entries()) {
            took[at]?.push(await timed(page, fleet, step))
          }
        }
      }
    } finally {
      await close()
    }
    const rows = figures.map(({ step, took }) => [
      step.name,
      ...took.map((ms) => spread(ms, whole)),
    ])
    print(table([['ms', ...sizes.map((size) => `${whole(size)} devices`)], ...rows]))
    const slowest = figures.toSorted((a, b) => median(b.took[0] ?? []) - median(a.took[0] ?? []))
    const [figure = [], small = []] = slowest[0]?.took ?? []
    record('slowest', { figure })
    record('small', { figure: small })
  },
})

type Shown = Parameters<typeof signIn>[0]

async function timed(
  page: Shown,
  fleet: OpenedFleet,
  { name, before, take }: Step,
): Promise<number> {
  try {
    await before?.(page, fleet)
    const start = performance.now()
    await take(page, fleet)
    return performance.now() - start
  } catch (error) {
    throw new Error(`${name}: ${(error as Error).message}`)
  }
}

if (import.meta.main) await runBench(bench)
