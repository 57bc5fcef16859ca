import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { onMeasured } from '../../foundation/kernel/index.ts'
import { metricLimits } from './limits.ts'

/** Gives a metric its name, and the registry that has it. */
export type Named = (
  name: string,
  help: string,
) => { name: string; help: string; registers: Registry[] }

/** Upper bounds in seconds: a device's write takes some milliseconds, a long poll five minutes. */
export const buckets = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60, 300,
]
const sizeBuckets = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000]
const msPerSecond = 1_000

/** Calls of scripts and modules, as they end. */
export function addCalls(named: Named): void {
  const durations = new Histogram({
    ...named('calls_duration_seconds', 'Calls of scripts and insight modules by their outcome.'),
    labelNames: ['of', 'outcome'],
    buckets,
  })
  const modules = new Counter({
    ...named('module_calls_total', 'Calls of insight modules by the id of the module.'),
    labelNames: ['module', 'outcome'],
  })
  const moduleSeconds = new Counter({
    ...named('module_call_seconds_total', 'The time of calls by the id of the module.'),
    labelNames: ['module'],
  })
  const cpu = new Counter(named('script_cpu_seconds_total', 'CPU that scripts used.'))
  const labels = boundedLabels(metricLimits.metricsModulesMax)
  onMeasured('call', (call) => {
    const { of, outcome, ms } = call
    durations.observe({ of, outcome }, ms / msPerSecond)
    if (call.of === 'script') return cpu.inc(call.cpuMs / msPerSecond)
    const module = labels(call.module)
    modules.inc({ module, outcome })
    moduleSeconds.inc({ module }, ms / msPerSecond)
  })
}

/** Commits of the event log. */
export function addCommits(named: Named): void {
  const entries = new Counter({
    ...named('log_entries_total', 'Entries that this process appended to the log, by kind.'),
    labelNames: ['kind'],
  })
  const sizes = new Histogram({
    ...named('log_commit_entries', 'Entries of a commit of the event log.'),
    buckets: sizeBuckets,
  })
  const durations = new Histogram({
    ...named('log_commit_duration_seconds', 'The time of a commit of the event log.'),
    buckets,
  })
  onMeasured('commit', ({ kinds, ms }) => {
    for (const kind of kinds) entries.inc({ kind })
    sizes.observe(kinds.length)
    durations.observe(ms / msPerSecond)
  })
}

/** Notifications, as their providers answer. */
export function addAttempts(named: Named): void {
  const durations = new Histogram({
    ...named('notification_attempts_duration_seconds', 'Notifications by provider and outcome.'),
    labelNames: ['provider', 'outcome'],
    buckets,
  })
  onMeasured('attempt', ({ provider, outcome, ms }) => {
    durations.observe({ provider, outcome }, ms / msPerSecond)
  })
}

/** The connections of a pool now. */
export type ConnectionsByPool = Readonly<
  Record<string, Readonly<Record<'inUse' | 'idle' | 'waiting' | 'limit', number>>>
>

export function addConnections(named: Named, connections: () => ConnectionsByPool): void {
  new Gauge({
    ...named(
      'database_connections',
      'Connections by pool: in use, idle, what waits for one, and the limit.',
    ),
    labelNames: ['pool', 'state'],
    collect() {
      for (const [pool, { inUse, idle, waiting, limit }] of Object.entries(connections())) {
        const states = { in_use: inUse, idle, waiting, limit }
        for (const [state, value] of Object.entries(states)) this.set({ pool, state }, value)
      }
    },
  })
}

/** Returns the label of each of the first `most` names that it gets, and `other` for the rest. */
function boundedLabels(most: number): (name: string) => string {
  const known = new Set<string>()
  return (name) => {
    if (known.size < most) known.add(name)
    return known.has(name) ? name : 'other'
  }
}
