import { defineBench } from './support/frame/bench.ts'
import {
  compareReached,
  formatShares,
  measuredCells,
  measuredHead,
  type Sides,
} from './support/frame/cells.ts'
import type { Child } from './support/frame/child.ts'
import { print, table } from './support/frame/figures.ts'
import { runBench } from './support/frame/run.ts'
import { alternate, askedSide, type Side } from './support/frame/side.ts'
import type { KeystoreCalls, Upserts } from './support/scripts/keystore-calls.ts'

/**
 * Operations of the keystore from scripts, durable when a script goes on, beside the engine's own
 * upserts of such rows: as many in each transaction as scripts have under way, by one writer and by
 * as many as there are solutions.
 */
const solutions = 4
const names = {
  set: 'Keystore.set, 1 solution',
  many: `Keystore.set, ${solutions} solutions`,
  loop: 'Keystore.set, 50 of a handler',
  command: 'Keystore.command incr',
  get: 'Keystore.get',
  one: 'upserts, 1 writer',
  four: `upserts, ${solutions} writers`,
}

export const bench = defineBench({
  name: 'keystore',
  title: ({ connections, rounds, seconds }) =>
    `Keystore, ${connections} handlers in flight, ${rounds} rounds of ${seconds} s a side`,
  options: { connections: 100 },
  goals: {
    set: { subject: 'Keystore.set of one solution', unit: "of the engine's upserts" },
    get: { subject: 'Keystore.get of one solution', unit: "of the engine's upserts" },
  },
  async measure({ given, start, database, record }) {
    const inFlight = given.connections
    const child = start('scripts/keystore-calls', given.profileDir)
    await child.ask('open', { address: await database(), solutions })
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
    // The first calls are slow, and are not measured.
    for (const one of sides) await one.measure(1)
    const measured = await alternate(sides, given.rounds, given.seconds)
    report(measured)
    record('set', compareReached(measured, names.set, { limit: names.one }))
    record('get', compareReached(measured, names.get, { limit: names.one }))
  },
})

type Asked = { readonly run: KeystoreCalls; readonly upserts: Upserts }

/** Scripts wait for a whole handler, writers for a transaction. */
function side<Question extends keyof Asked>(
  name: string,
  child: Child,
  question: Question,
  asked: Omit<Asked[Question], 'seconds'>,
): Side {
  return askedSide(name, child, question, asked)
}

function report(measured: Sides): void {
  const rows = [...measured].map(([name, all]) => [
    name,
    ...measuredCells(all),
    formatShares(all, measured.get(names.one)),
    formatShares(all, measured.get(names.four)),
  ])
  print(table([['', ...measuredHead, 'of 1 writer', `of ${solutions}`], ...rows]))
}

if (import.meta.main) await runBench(bench)
