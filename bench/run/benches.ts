import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Bench } from '../support/frame/bench.ts'
import type { GoalsOfBenches } from '../support/report/kept-rows.ts'

const folder = join(import.meta.dirname, '..')

/** The order of the page; a bench that is not here comes after these. */
const first = ['device-write', 'mqtt-write', 'graphql-list', 'endpoint', 'interface-call']

/** Folders of benches; a bench has the name of its folder before that of its file. */
const folders = ['console']

/** The scripts of `bench/`, by the names of their benches. */
function scripts(): ReadonlyMap<string, string> {
  const all = ['', ...folders].flatMap((part) =>
    readdirSync(join(folder, part)).flatMap((file) => {
      const [, name] = /^(.+)\.ts$/.exec(file) ?? []
      if (name === undefined) return []
      return [[part === '' ? name : `${part}-${name}`, join(folder, part, file)] as const]
    }),
  )
  return new Map(all)
}

/** The file of a bench. @throws Error if there is none of that name. */
export function getScript(name: string): string {
  const script = scripts().get(name)
  if (script === undefined) throw new Error(`no bench ${name}`)
  return script
}

export function benchNames(): string[] {
  const names = [...scripts().keys()]
  const place = (name: string) => (first.includes(name) ? first.indexOf(name) : first.length)
  return names.toSorted((one, other) => place(one) - place(other) || (one < other ? -1 : 1))
}

/** Reads the goals of each script, without running one. */
export async function readGoals(): Promise<GoalsOfBenches> {
  const goals = new Map<string, Bench['goals']>()
  for (const name of benchNames()) {
    const { bench } = (await import(getScript(name))) as { bench: Bench }
    goals.set(name, bench.goals)
  }
  return goals
}
