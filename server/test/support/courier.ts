import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { createEventLog } from '../../src/eventlog/index.ts'
import { createLogger, systemClock, systemRandom } from '../../src/kernel/index.ts'
import type {
  Configuration,
  ConfigureInput,
  ScriptValue,
  ServiceCall,
} from '../../src/scripting/index.ts'
import type { Channel, Job, Outcome } from '../../src/services/notification/channels/index.ts'
import { createNotifications, type Notifications } from '../../src/services/notification/index.ts'
import { waitMsMax } from './bounds.ts'
import { testDatabase } from './database.ts'
import { atEnd } from './ends.ts'
import { testSecrets } from './secrets.ts'

/* The service without its doors, with a clock that jumps and providers that a test speaks for. */

// biome-ignore lint/suspicious/noExplicitAny: a test looks at what it expects
export type Answer = any

const ServiceSid = 'IS00000000000000000000000000000001'
const addresses = { apn: 'ab'.repeat(32), sms: '+15551230001' }

/** A provider of the channel that answers as a test says; `jobs` is what it was given. */
export function toldProvider(
  answer: (job: Job) => Outcome | Promise<Outcome>,
  name: keyof typeof addresses = 'apn',
) {
  const jobs: Job[] = []
  const channel: Channel = {
    ...{ name, provider: 'told' },
    configure: (given) => ({ shown: {}, secret: given }),
    map: ({ body = '' }) => ({ headers: {}, body: { aps: { alert: { body } } } }),
    async deliver(job) {
      jobs.push(job)
      return answer(job)
    },
  }
  return { channel, jobs }
}

/** An answer that is given when the test says so; `waiting` counts those who wait for it. */
export function gate() {
  const ends: ((outcome: Outcome) => void)[] = []
  return {
    get waiting() {
      return ends.length
    },
    wait: ({ signal }: Job) =>
      new Promise<Outcome>((resolve, reject) => {
        ends.push(resolve)
        signal.addEventListener('abort', () => reject(signal.reason))
      }),
    open(outcome: Outcome) {
      for (const end of ends.splice(0)) end(outcome)
    },
    /** Answers those that have waited longest. */
    openSome(count: number, outcome: Outcome) {
      for (const end of ends.splice(0, count)) end(outcome)
    },
  }
}

const usual = { AuthToken: 'tell nobody', Providers: { apn: { provider: 'told', key: 'k3y' } } }

export async function courierBench(t: Pick<TestContext, 'after'>, channels: readonly Channel[]) {
  const database = await testDatabase(t)
  const clock = aheadClock()
  const lines: Record<string, unknown>[] = []
  const logger = { ...createLogger('silent'), warn: (line: object) => lines.push({ ...line }) }
  const base = { database, clock, random: systemRandom, logger, secrets: testSecrets() }
  const eventlog = createEventLog({ ...base, logger: createLogger('silent'), effects: () => [] })
  atEnd(t, () => eventlog.close())
  const known = new Map<string, Configuration>()
  const configurations = {
    ofSolution: async (name: string, solutionId: string) => {
      const found = known.get(solutionId)
      return found?.service === name ? [found] : []
    },
    ofService: async () => ({ items: [], total: 0 }),
  }
  function open(): Notifications {
    const urls = { baseUrl: 'https://millrace.test', publicUrl: undefined }
    const ways = { channels, ledger: eventlog, configurations, ...urls }
    const made = createNotifications({ ...base, logger: logger as never, ...ways })
    atEnd(t, () => made.close())
    return made
  }
  const first = open()
  const configure = configureBy(first, known)
  const configured = await configure()

  /** Bindings like one that is there, each with an address of its own, until there are so many. */
  const multiply = (count: number, solution = 'pump') =>
    database.run(
      `insert into notification_binding (solution_id, sid, service_sid, business_id, endpoint,
         identity, channel, address, tags, credential_sid, created_at, updated_at)
       select solution_id, 'BS' || lpad(n::text, 32, '0'), service_sid, business_id, 'e' || n,
         identity, channel, lpad(n::text, 64, '0'), tags, credential_sid, created_at, updated_at
       from (select * from notification_binding where solution_id = $2 limit 1) one,
         generate_series(1, $1::integer) n`,
      [count - 1, solution],
    )
  return {
    ...{ first, open, multiply, configure, ...callsOf(first), ...looksOf(first) },
    ...{ clock, database, eventlog, configured, lines },
  }
}

/** Gives a solution what its configuration says. */
function configureBy({ services: [service] }: Notifications, known: Map<string, Configuration>) {
  return async (body: Record<string, unknown> = usual, solutionId = 'pump') => {
    const whose = { businessId: 'b', solutionId }
    const before = known.get(solutionId)
    const input = { ...whose, before, body } as ConfigureInput
    const made = (await service?.configure?.(input)) ?? assert.fail()
    const times = { createdAt: 1, updatedAt: 1 + (before?.updatedAt ?? 0) }
    const configured = { triggers: {}, hidden: {}, ...made }
    const stored = { ...configured, ...whose, ...times, id: `c-${solutionId}` }
    known.set(solutionId, { ...stored, service: 'notification', connector: false })
    return configured
  }
}

/** Its operations as scripts call them. */
export function callsOf({ services: [service] }: Notifications) {
  type Args = Record<string, ScriptValue>
  async function call(operation: string, args: Args, solutionId = 'pump'): Promise<Answer> {
    const given: ServiceCall = {
      ...{ businessId: 'b', solutionId, alias: 'notification', configuration: undefined },
      ...{ trackingId: 't', depth: 0, remainingMs: 10_000 },
      signal: new AbortController().signal,
    }
    return service?.operation(operation)?.(given, { ServiceSid, ...args })
  }
  return {
    call,
    bind(
      Endpoint: string,
      Address?: string,
      BindingType: keyof typeof addresses = 'apn',
      solution?: string,
    ) {
      const whom = { Endpoint, Address: Address ?? addresses[BindingType], Identity: 'ann' }
      return call('createBinding', { ...whom, BindingType }, solution)
    },
    send: (args: Args = {}, solution?: string) =>
      call('send', { Tag: 'all', Body: 'b', ...args }, solution),
  }
}

function looksOf(first: Notifications) {
  type IsIt = (shown: Answer) => boolean
  async function until(sid: string, isIt: IsIt, solution = 'pump'): Promise<Answer> {
    const deadlineMs = Date.now() + waitMsMax
    for (;;) {
      const shown = await first.show('b', solution, sid, { limit: 100 })
      if (isIt(shown)) return shown
      assert.ok(Date.now() < deadlineMs, JSON.stringify(shown))
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }
  const ended: IsIt = ({ expanded, states }) => expanded && states.queued + states.sending === 0
  return {
    until,
    settled: (sid: string, solution?: string) => until(sid, ended, solution),
    async state(channel: string, solution = 'pump'): Promise<Answer> {
      const { channels } = await first.channels('b', solution)
      return channels.find((one) => one.channel === channel)
    },
  }
}

function aheadClock() {
  const clock = systemClock()
  let aheadMs = 0
  let steppedMs = 0
  return {
    nowMs: () => clock.nowMs() + aheadMs + steppedMs,
    nowUs: () => clock.nowUs() + (aheadMs + steppedMs) * 1_000,
    elapsedMs: () => clock.elapsedMs() + aheadMs,
    advance(ms: number) {
      aheadMs += ms
    },
    /** Sets the wall clock forward or back, while no time passes. */
    step(ms: number) {
      steppedMs += ms
    },
  }
}

/** The timeline of the first delivery: events with what is said of them. */
export const eventsOf = (shown: Answer) =>
  shown.deliveries[0].timeline.map(({ event, text }: Answer) => [event, ...(text ? [text] : [])])
