import { setTimeout as pause } from 'node:timers/promises'
import { defineBench } from './support/frame/bench.ts'
import type { Child } from './support/frame/child.ts'
import { onePlace, print, table } from './support/frame/figures.ts'
import { runBench } from './support/frame/run.ts'
import type { CommandedDevice } from './support/platform/commands.ts'

/**
 * The time after a command until a device has it that waits at process A in a long poll: if A takes
 * the command, and if process B does; while nobody else waits at A, and while many do.
 */
const commandsPerRound = 20
const others = 20_000
/** Long polls are registered after their request was sent, and nothing shows when. */
const settleMs = 50

export const bench = defineBench({
  name: 'commands-two-processes',
  title: ({ rounds }) =>
    `Commands to a device that waits at A, ${rounds * commandsPerRound} of each side`,
  options: {},
  goals: {
    atA: { subject: 'command set where the device waits', unit: 'ms' },
    atB: { subject: 'command set at another process', unit: 'ms' },
  },
  async measure({ given, start, database, record }) {
    const rows: string[][] = []
    for (const waiting of [0, others]) {
      const address = await database()
      const [a, b] = [start('platform/commands'), start('platform/commands')]
      await a.ask('open', address)
      await b.ask('open', address)
      const device = await a.ask<CommandedDevice>('makeDevice', waiting)
      const [atA, atB]: [number[], number[]] = [[], []]
      for (let round = 0; round < given.rounds; round += 1) {
        atA.push(...(await latencies(a, device, `a${round}`)))
        atB.push(...(await latencies(b, device, `b${round}`)))
      }
      const name = (process: string) => `set at ${process}, ${waiting} others wait at A`
      rows.push([name('A'), ...cells(atA)], [name('B'), ...cells(atB)])
      if (waiting === 0) record('atA', { figure: atA })
      if (waiting === 0) record('atB', { figure: atB })
    }
    print(table([['', 'p50 ms', 'p90 ms', 'p99 ms', 'most ms'], ...rows]))
  },
})

async function latencies(setter: Child, device: CommandedDevice, name: string): Promise<number[]> {
  const all: number[] = []
  for (let at = 0; at < commandsPerRound; at += 1) {
    const answered = poll(device)
    await pause(settleMs)
    const setAt = await setter.ask<number>('set', { ...device, value: `${name}-${at}` })
    all.push((await answered) - setAt)
  }
  return all
}

/** @returns when the answer was there. */
async function poll({ url, token }: CommandedDevice): Promise<number> {
  const answer = await fetch(`${url}/vendor:v1/stack/alias?command`, {
    headers: { 'X-Vendor-CIK': token, 'Request-Timeout': '60000' },
  })
  await answer.text()
  if (answer.status !== 200) throw new Error(`a poll was answered with ${answer.status}`)
  return performance.timeOrigin + performance.now()
}

function cells(all: readonly number[]): string[] {
  const sorted = all.toSorted((one, other) => one - other)
  const at = (share: number) => sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN
  return [at(0.5), at(0.9), at(0.99), at(1)].map(onePlace)
}

if (import.meta.main) await runBench(bench)
