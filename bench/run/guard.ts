import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { embeddedEngine } from '../support/frame/engines.ts'
import { print, spread, table, whole } from '../support/frame/figures.ts'
import { startChildren } from '../support/frame/run.ts'
import { measureWindow, openGuarded } from '../support/guard/sides.ts'
import {
  type Costs,
  compare,
  computeRise,
  type Landed,
  medianCost,
  riseMax,
  type Window,
} from '../support/guard/verdict.ts'

/**
 * `npm run bench:guard`: compares the CPU that a few requests cost with what they cost when that
 * was last written down, and ends with 1 if one costs a quarter more.
 * The unit is a turn of a calibration loop in the same process, measured before and after each
 * window of requests, so that the machine's speed does not count.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '9' },
    /** Writes the costs of this run into the file; compares nothing. */
    land: { type: 'boolean' },
  },
})

const file = join(import.meta.dirname, 'guard.json')
const landed = JSON.parse(readFileSync(file, 'utf8')) as Landed
const processor = cpus()[0]?.model ?? 'unknown'
const known = landed[processor]

if (known === undefined && !values.land) {
  print(`No costs are written down for ${processor}: nothing to compare with.`)
  print('npm run bench:guard -- --land adds those of this machine.')
} else await guard(known ?? {})

async function guard(known: Costs): Promise<void> {
  const engine = await embeddedEngine()
  const { start, stop } = startChildren()
  try {
    const guarded = await openGuarded({ start, database: engine.database })
    const measure = async (names: readonly string[]): Promise<Costs> => {
      print(`measuring ${names.join(', ')}`)
      const windows = new Map(names.map((name) => [name, [] as Window[]]))
      for (let round = 0; round < Number(values.rounds); round += 1) {
        for (const [name, all] of windows) {
          const side = guarded.get(name)
          if (side !== undefined) all.push(await measureWindow(side))
        }
      }
      const turns = [...windows.values()].flat().map(({ beforeUs }) => beforeUs)
      print(`a turn of the calibration took ${spread(turns, whole)} us of CPU`)
      return Object.fromEntries([...windows].map(([name, all]) => [name, medianCost(all)]))
    }
    const names = [...guarded.keys()]
    if (values.land) land(await measure(names))
    else report(known, await compare(names, known, measure))
  } finally {
    await stop()
    await engine.close()
  }
}

function land(costs: Costs): void {
  const rounded = Object.entries(costs).map(([name, cost]) => [name, Number(cost.toPrecision(4))])
  const all = { ...landed, [processor]: Object.fromEntries(rounded) }
  writeFileSync(file, `${JSON.stringify(all, null, 2)}\n`)
  print(`${JSON.stringify(all[processor])} is written to bench/run/guard.json`)
}

function report(known: Costs, { costs, failed }: Awaited<ReturnType<typeof compare>>): void {
  const percent = (share: number) => `${share < 0 ? '' : '+'}${Math.round(share * 100)} %`
  const rows = Object.entries(costs).map(([name, cost]) => {
    const before = known[name]
    const rise = before === undefined ? 'new' : percent(computeRise(cost, before))
    return [name, cost.toPrecision(4), before?.toPrecision(4) ?? '', rise]
  })
  print(table([['CPU of a', 'turns of the calibration', 'landed', 'change'], ...rows]))
  if (failed.length === 0) return
  print(`${failed.join(', ')}: more than ${percent(riseMax)}, three times. If that is worth its`)
  print('cost, npm run bench:guard -- --land writes it down; say why in the commit.')
  process.exitCode = 1
}
