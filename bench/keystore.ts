import { readArguments } from './support/frame/arguments.ts'
import type { Child } from './support/frame/child.ts'
import { print, table } from './support/frame/figures.ts'
import { measuredCells, measuredHead, runBench, sharesOf } from './support/frame/run.ts'
import { alternate, askedSide, type Measured, type Side } from './support/frame/side.ts'
import type { KeystoreCalls, Upserts } from './support/platform/keystore-calls.ts'

/**
 * Operations of the keystore from scripts, durable when a script goes on, beside the engine's own
 * upserts of such rows: as many in each transaction as scripts have under way, by one writer and by
 * as many as there are solutions.
 */
const solutions = 4
const {
  rounds,
  seconds,
  connections: inFlight,
  engine: only,
  profileDir,
} = readArguments({ connections: 100 })

const names = {
  set: 'Keystore.set, 1 solution',
  many: `Keystore.set, ${solutions} solutions`,
  loop: 'Keystore.set, 50 of a handler',
  command: 'Keystore.command incr',
  get: 'Keystore.get',
  one: 'upserts, 1 writer',
  four: `upserts, ${solutions} writers`,
}

const title = `Keystore, ${inFlight} handlers in flight, ${rounds} rounds of ${seconds} s a side`
await runBench(title, only, async (engine, start) => {
  const child = start('platform/keystore-calls', profileDir)
  await child.ask('open', { address: await engine.database(), solutions })
  const scripts = { inFlight, each: 1, solutions: 1, operation: 'set' } as const
  const sides = [
    side(names.set, child, 'run', scripts),
    side(names.many, child, 'run', { ...scripts, solutions }),
    side(names.loop, child, 'run', { ...scripts, each: 50 }),
    side(names.command, child, 'run', { ...scripts, operation: 'command' }),
    side(names.get, child, 'run', { ...scripts, operation: 'get' }),
    side(names.one, child, 'upserts', { rows: inFlight, writers: 1 }),
    side(names.four, child, 'upserts', { rows: inFlight / solutions, writers: solutions }),
  ]
  // What is slow at first is not what is measured.
  for (const one of sides) await one.measure(1)
  report(await alternate(sides, rounds, seconds))
})

type Asked = { readonly run: KeystoreCalls; readonly upserts: Upserts }

/** What scripts wait is that of a whole handler, what writers wait that of a transaction. */
function side<Question extends keyof Asked>(
  name: string,
  child: Child,
  question: Question,
  asked: Omit<Asked[Question], 'seconds'>,
): Side {
  return askedSide(name, child, question, asked)
}

function report(measured: ReadonlyMap<string, readonly Measured[]>): void {
  const rows = [...measured].map(([name, all]) => [
    name,
    ...measuredCells(all),
    sharesOf(all, measured.get(names.one)),
    sharesOf(all, measured.get(names.four)),
  ])
  print(table([['', ...measuredHead, 'of 1 writer', `of ${solutions}`], ...rows]))
}
