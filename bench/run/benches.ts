import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Bench } from '../support/frame/bench.ts'
import type { GoalsOfBenches } from '../support/report/kept.ts'

const folder = join(import.meta.dirname, '..')

/** The order of the page; a bench that is not here comes after these. */
const first = ['device-write', 'mqtt-write', 'graphql-list', 'endpoint', 'interface-call']

/** The scripts of `bench/`, by the names of their files. */
export function benchNames(): string[] {
  const names = readdirSync(folder).flatMap((file) => /^(.+)\.ts$/.exec(file)?.[1] ?? [])
  const place = (name: string) => (first.includes(name) ? first.indexOf(name) : first.length)
  return names.toSorted((one, other) => place(one) - place(other) || (one < other ? -1 : 1))
}

/** What each script wants to reach, without running one. */
export async function readGoals(): Promise<GoalsOfBenches> {
  const goals = new Map<string, Bench['goals']>()
  for (const name of benchNames()) {
    const { bench } = (await import(join(folder, `${name}.ts`))) as { bench: Bench }
    goals.set(name, bench.goals)
  }
  return goals
}
