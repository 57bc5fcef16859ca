import { setTimeout as pause } from 'node:timers/promises'
import type { Answer, SimulatedDevice } from './device.ts'
import { createTally, type Tally } from './tally.ts'

/** The start of the devices: spread over an interval, one by one until half time, or at once. */
export const waves = ['steady', 'ramp', 'burst'] as const
export type Wave = (typeof waves)[number]

export type Plan = {
  readonly wave: Wave
  readonly everyMs: number
  readonly durationMs: number
  /** The writes of a device, after which it ends. */
  readonly writesMax: number
}

export type Outcome = { readonly activations: Tally; readonly writes: Tally }

export type RunOptions = {
  /** Ends the simulation before its time. */
  readonly signal: AbortSignal
  /** Called with a line a second. */
  readonly report: (line: string) => void
}

const reportEveryMs = 1_000

/** Answers after which trying again may help. */
const passing = new Set([429, 503])

/**
 * Runs devices until the time is up: each activates itself, then writes at its interval, the next
 * only when the one before was answered.
 */
export async function simulate(
  devices: readonly SimulatedDevice[],
  plan: Plan,
  { signal: stop, report: print }: RunOptions,
): Promise<Outcome> {
  const total: Outcome = { activations: createTally(), writes: createTally() }
  const start = performance.now()
  const signal = AbortSignal.any([stop, AbortSignal.timeout(plan.durationMs)])
  const report = startReport(devices, start, print)
  const lives = devices.map((device, at) =>
    live(device, {
      beginsAt: start + beginMs(plan, at, devices.length),
      everyMs: plan.everyMs,
      writesMax: plan.writesMax,
      signal,
      activated: (outcome, ms) => total.activations.count(outcome, ms),
      wrote(outcome, ms) {
        total.writes.count(outcome, ms)
        report.wrote(outcome, ms)
      },
    }),
  )
  await Promise.all(lives)
  report.end()
  return total
}

/** Milliseconds after the start. */
function beginMs({ wave, everyMs, durationMs }: Plan, at: number, devices: number): number {
  if (wave === 'burst') return 0
  const spread = wave === 'steady' ? everyMs : durationMs / 2
  return (at * spread) / devices
}

type Life = {
  readonly beginsAt: number
  readonly everyMs: number
  readonly writesMax: number
  readonly signal: AbortSignal
  readonly activated: Tally['count']
  readonly wrote: Tally['count']
}

/**
 * A device ends when it has written often enough, or is rejected for good; after a temporary
 * rejection it retries later.
 */
async function live(device: SimulatedDevice, life: Life): Promise<void> {
  let beat = life.beginsAt
  let written = 0
  while (written < life.writesMax) {
    if (!(await sleepUntil(beat, life.signal))) return
    if (device.active) {
      await measured(() => device.write(), life.wrote)
      written += 1
    } else {
      const answer = await measured(() => device.activate(), life.activated)
      if (answer !== undefined && !device.active && !passing.has(answer.status)) return
    }
    // Beats that went by while an answer was waited for are left out.
    const late = Math.max(0, performance.now() - beat)
    beat += Math.ceil(late / life.everyMs || 1) * life.everyMs
  }
}

/** @returns undefined without an answer. */
async function measured(
  call: () => Promise<Answer>,
  count: Tally['count'],
): Promise<Answer | undefined> {
  const start = performance.now()
  try {
    const answer = await call()
    const { status, body } = answer
    count(status < 400 ? `${status}` : `${status} ${body}`, performance.now() - start)
    return answer
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    count(code ?? message, performance.now() - start)
    return undefined
  }
}

/** @returns false where the simulation ended before. */
async function sleepUntil(at: number, signal: AbortSignal): Promise<boolean> {
  const ms = at - performance.now()
  if (ms > 0) await pause(ms, undefined, { signal }).catch(() => {})
  return !signal.aborted
}

function startReport(
  devices: readonly SimulatedDevice[],
  start: number,
  print: (line: string) => void,
) {
  let second = createTally()
  const timer = setInterval(() => {
    const past = Math.round((performance.now() - start) / reportEveryMs)
    const active = devices.filter((device) => device.active).length
    const answers = second.total === 0 ? 'no writes' : `${second.outcomes()}  ${second.latencies()}`
    print(`${String(past).padStart(4)} s  ${active} devices  ${answers}`)
    second = createTally()
  }, reportEveryMs)
  return {
    wrote: (outcome: string, ms: number) => second.count(outcome, ms),
    end: () => clearInterval(timer),
  }
}
