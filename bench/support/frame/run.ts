import { loadavg } from 'node:os'
import { type EngineKind, type Reached, type Report, type Run, toRow } from '../report/report.ts'
import { readArguments } from './arguments.ts'
import type { Bench, Given, Start } from './bench.ts'
import { type Child, startChild } from './child.ts'
import { type BenchEngine, eachEngine } from './engines.ts'
import { machine, print } from './figures.ts'

/**
 * Prints what is measured and on what, and measures on each engine; leaves nothing behind. A parent
 * process gets the reports.
 */
export async function runBench<Goal extends string, Option extends string>(
  bench: Bench<Goal, Option>,
): Promise<void> {
  const given = readArguments(bench.options)
  print(bench.title(given))
  print(machine())
  const reports: Report[] = []
  const measure = async (engine?: BenchEngine) => {
    reports.push(await reportOn(bench, given, engine))
  }
  if (bench.alone === true) await measure()
  else {
    await eachEngine(given.engine, measure, (kind, sentence) => {
      print(`${kind}: did not run, ${sentence}`)
      reports.push(makeReport(bench, given, kind, () => sentence))
    })
  }
  process.send?.(reports)
}

async function reportOn<Goal extends string, Option extends string>(
  bench: Bench<Goal, Option>,
  given: Given<Option>,
  engine: BenchEngine | undefined,
): Promise<Report> {
  if (engine !== undefined) print(`\n${engine.title}`)
  const { start, stop } = startChildren()
  const before = makeReport(bench, given, engine?.kind, () => 'not measured')
  const recorded = new Map<string, Reached | string>()
  let otherwise = 'not measured'
  try {
    await bench.measure({
      ...{ given, start, record: (goal, reached) => recorded.set(goal, reached) },
      database: () => (engine === undefined ? Promise.reject(noEngine()) : engine.database()),
    })
  } catch (error) {
    const { stack, message } = error as Error
    print(String(stack))
    otherwise = `failed: ${message.split('\n')[0]}`
    process.exitCode = 1
  }
  await stop()
  const after = makeReport(bench, given, engine?.kind, (goal) => recorded.get(goal) ?? otherwise)
  const load = { start: before.run.load?.start ?? 0, end: after.run.load?.end ?? 0 }
  const engineTitle = engine === undefined ? {} : { engineTitle: engine.title }
  return { ...after, run: { ...before.run, ...engineTitle, load } }
}

/** Processes that end together, the last one first. */
export function startChildren(): { readonly start: Start; stop(): Promise<void> } {
  const children: Child[] = []
  return {
    start(name, profileDir) {
      const child = startChild(name, profileDir)
      children.push(child)
      return child
    },
    async stop() {
      for (const child of children.reverse()) await child.stop()
    },
  }
}

const noEngine = () => new Error('a bench that runs alone has no database')

function makeReport<Goal extends string, Option extends string>(
  { name, goals }: Bench<Goal, Option>,
  { rounds, seconds }: Given<Option>,
  engine: EngineKind | undefined,
  reached: (goal: string) => Reached | string,
): Report {
  return {
    bench: name,
    ...(engine === undefined ? {} : { engine }),
    run: { ...runNow(), rounds, seconds },
    rows: Object.entries(goals).map((goal) => toRow(goal, engine, reached(goal[0]))),
  }
}

/** The load average is that of a minute. */
export function runNow(): Pick<Run, 'at' | 'machine' | 'load'> {
  const [load = 0] = loadavg()
  return { at: new Date().toISOString(), machine: machine(), load: { start: load, end: load } }
}
