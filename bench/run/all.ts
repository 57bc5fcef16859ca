import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { print, table } from '../support/frame/figures.ts'
import { runNow } from '../support/frame/run.ts'
import { head, toCells } from '../support/report/cells.ts'
import {
  type GoalsOfBenches,
  type KeptRow,
  mergeRows,
  toKeptRows,
} from '../support/report/kept-rows.ts'
import { pageWith } from '../support/report/page.ts'
import { isMet, type Report, toRow } from '../support/report/report.ts'
import { benchNames, getScript, readGoals } from './benches.ts'

/**
 * `npm run bench`: runs the benches that are named, or all, one after the other, each in a process
 * of its own; prints one table of all goals, and writes it into the page. A bench that cannot run
 * is a row that says so.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    engine: { type: 'string' },
    /** The number of devices for benches that grow by them. */
    devices: { type: 'string' },
    values: { type: 'string' },
    /** Ends with 1 if a goal is missed. */
    strict: { type: 'boolean' },
    /** Writes what this run measured to a file as well. */
    json: { type: 'string' },
    /** Runs nothing: writes the page anew, with the goals as the scripts have them now. */
    page: { type: 'boolean' },
  },
})

/** Shorter runs show that a bench works, and no more: they are not written to the page. */
const pageLeast = { rounds: 3, seconds: 2 }
const docs = join(import.meta.dirname, '..', '..', 'docs', 'internals')
const files = { page: join(docs, 'performance.md'), figures: join(docs, 'performance.json') }

const goals = await readGoals()
if (values.page) writePage([], goals)
else await run()

async function run(): Promise<void> {
  const names = positionals.length === 0 ? benchNames() : positionals
  const unknown = names.filter((name) => !goals.has(name))
  if (unknown.length > 0) throw new Error(`no bench ${unknown}; there are ${benchNames()}`)
  const rows: KeptRow[] = []
  for (const name of names) {
    print(`\n== ${name}`)
    rows.push(...(await runReports(name)).flatMap(toKeptRows))
  }
  print(`\n${table([head, ...rows.map(toCells)])}`)
  if (values.json !== undefined) writeFileSync(values.json, toJson(rows))
  const isShort = (['rounds', 'seconds'] as const).some(
    (name) => Number(values[name] ?? pageLeast[name]) < pageLeast[name],
  )
  if (isShort) {
    print(
      `not written to the page: that takes ${pageLeast.rounds} rounds of ${pageLeast.seconds} s`,
    )
  } else writePage(rows, goals)
  if (values.strict && rows.some((row) => isMet(row) === false)) process.exitCode = 1
}

/** Runs a bench to its end. Its reports say what could not be measured, and why. */
async function runReports(name: string): Promise<readonly Report[]> {
  const given = (['rounds', 'seconds', 'engine', 'devices', 'values'] as const).flatMap((option) =>
    values[option] === undefined ? [] : [`--${option}`, values[option]],
  )
  const run = { ...runNow(), rounds: 0, seconds: 0 }
  const child = fork(getScript(name), given)
  let reports: readonly Report[] | undefined
  child.on('message', (message: readonly Report[]) => {
    reports = message
  })
  const [code] = await once(child, 'close')
  if (reports !== undefined) return reports
  const missing = `failed: ended with ${code}`
  const rows = Object.entries(goals.get(name) ?? {}).map((goal) => toRow(goal, undefined, missing))
  return [{ bench: name, run, rows }]
}

function writePage(added: readonly KeptRow[], benches: GoalsOfBenches): void {
  const { rows: kept } = JSON.parse(readFileSync(files.figures, 'utf8')) as { rows: KeptRow[] }
  const rows = mergeRows(kept, added, benches)
  writeFileSync(files.figures, toJson(rows))
  writeFileSync(files.page, pageWith(readFileSync(files.page, 'utf8'), rows))
}

function toJson(rows: readonly KeptRow[]): string {
  return `${JSON.stringify({ rows }, null, 2)}\n`
}
