import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { type Clock, type Logger, onMeasured } from '../../foundation/kernel/index.ts'
import type { StageSums } from '../../log/eventlog/index.ts'
import type { JobCount } from '../../log/jobs/index.ts'
import {
  addAttempts,
  addCalls,
  addCommits,
  addConnections,
  buckets,
  type ConnectionsByPool,
} from './instruments.ts'
import { metricLimits } from './limits.ts'

/** Certificates of which metrics have the end. */
const metricsFilesMax = 100

/** The sources that a scrape asks. */
export type MetricsSources = {
  /** The sums of the ledger's stages. */
  stages(): Promise<readonly StageSums[]>
  jobs(): Promise<readonly JobCount[]>
  certificates(): Promise<readonly { readonly file: string; readonly until: number }[]>
  mqttClients(): number
  /** The connections to the database, by pool. */
  connections(): ConnectionsByPool
}

export type MetricsOptions = {
  readonly sources: MetricsSources
  readonly version: string
  readonly clock: Clock
  readonly logger: Logger
}

const msPerSecond = 1_000

/**
 * The metrics of a process. The database is asked at most once in `metricsAskMs`, however
 * many programs scrape, and the last answers are kept if it does not answer.
 */
export class Metrics {
  readonly #options: MetricsOptions
  readonly #registry = new Registry()
  readonly #stages: Gauge<'stage' | 'count'>
  readonly #jobs: Gauge<'queue' | 'state'>
  readonly #jobAges: Gauge<'queue' | 'state'>
  readonly #failures: Counter
  #askedMs = Number.NEGATIVE_INFINITY
  #pending: ReadonlyMap<string, number> = new Map()

  constructor(options: MetricsOptions) {
    this.#options = options
    const registers = [this.#registry]
    collectDefaultMetrics({ register: this.#registry })
    const named = (name: string, help: string) => ({ name: `millrace_${name}`, help, registers })
    const durations = new Histogram({
      ...named('http_request_duration_seconds', 'Requests by route and class of status.'),
      labelNames: ['route', 'status'],
      buckets,
    })
    onMeasured('request', ({ route, status, ms }) => {
      durations.observe({ route, status: `${Math.floor(status / 100)}xx` }, ms / msPerSecond)
    })
    this.#stages = new Gauge({
      ...named('ledger_entries', 'What a stage took, did, failed and has pending, of all time.'),
      labelNames: ['stage', 'count'],
    })
    this.#jobs = new Gauge({
      ...named('jobs', 'Jobs by queue and state.'),
      labelNames: ['queue', 'state'],
    })
    this.#jobAges = new Gauge({
      ...named('jobs_oldest_age_seconds', 'The age of the oldest job by queue and state.'),
      labelNames: ['queue', 'state'],
    })
    this.#failures = new Counter(named('metrics_failures_total', 'Scrapes without the database.'))
    this.#addSources(named)
    addCalls(named)
    addCommits(named)
    addAttempts(named)
    addConnections(named, options.sources.connections)
  }

  get contentType(): string {
    return this.#registry.contentType
  }

  async text(): Promise<string> {
    await this.#ask()
    return this.#registry.metrics()
  }

  /** The numbers of pending entries by the names of stages. */
  async pending(): Promise<ReadonlyMap<string, number>> {
    await this.#ask()
    return this.#pending
  }

  async #ask(): Promise<void> {
    const { sources, clock, logger } = this.#options
    const nowMs = clock.elapsedMs()
    if (nowMs - this.#askedMs < metricLimits.metricsAskMs) return
    this.#askedMs = nowMs
    try {
      this.#keep(await sources.stages(), await sources.jobs())
    } catch (error) {
      this.#failures.inc()
      logger.warn({ err: error }, 'metrics of the database could not be read')
    }
  }

  #keep(stages: readonly StageSums[], jobs: readonly JobCount[]): void {
    for (const { stage, taken, done, failed, pending } of stages) {
      const counts = { taken, done, failed, pending }
      for (const [count, value] of Object.entries(counts)) this.#stages.set({ stage, count }, value)
    }
    this.#pending = new Map(stages.map(({ stage, pending }) => [stage, pending]))
    for (const gauge of [this.#jobs, this.#jobAges]) gauge.reset()
    const nowMs = this.#options.clock.nowMs()
    for (const { queue, state, count, oldestMs } of jobs) {
      this.#jobs.set({ queue, state }, count)
      this.#jobAges.set({ queue, state }, Math.max(0, nowMs - oldestMs) / msPerSecond)
    }
  }

  #addSources(named: (name: string, help: string) => { name: string; help: string }): void {
    const { sources, version } = this.#options
    const registers = [this.#registry]
    const info = { ...named('info', 'The version of this process.'), labelNames: ['version'] }
    new Gauge({ ...info, registers }).set({ version }, 1)
    new Gauge({
      ...named('mqtt_clients', 'MQTT connections that are open.'),
      registers,
      collect() {
        this.set(sources.mqttClients())
      },
    })
    new Gauge({
      ...named('certificate_not_after_seconds', 'The end of a server certificate, Unix time.'),
      labelNames: ['file'],
      registers,
      async collect() {
        const all = await sources.certificates()
        this.reset()
        for (const { file, until } of all.slice(0, metricsFilesMax)) {
          this.set({ file }, until / msPerSecond)
        }
      },
    })
  }
}
