import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { createEventLog } from '../../src/eventlog/index.ts'
import { createHosts } from '../../src/hosts/index.ts'
import { createLogger, Fault, systemClock, systemRandom } from '../../src/kernel/index.ts'
import { createOutbound, type Lookup } from '../../src/outbound/index.ts'
import { openSecrets, valueEffects } from '../../src/provisioning/index.ts'
import {
  type Configuration,
  createScripting,
  type Scripting,
  type ScriptLine,
  type ScriptValue,
  type Service,
  type ServiceCall,
} from '../../src/scripting/index.ts'
import {
  type Allowances,
  createAllowances,
  createHttpService,
} from '../../src/services/http/index.ts'
import { testDatabase } from './database.ts'
import { atEnd } from './ends.ts'

type Context = Pick<TestContext, 'after'>

export type TestService = {
  readonly allowances: Allowances
  /**
   * What a real script gets that calls the operation. With `over` it is called without a script:
   * no script can say whose it is, or how long it may still run.
   */
  call(operation: string, args: ScriptValue, over?: Partial<ServiceCall>): Promise<ScriptValue>
  /** The lines of the solution's log, written so far. */
  lines(): Promise<readonly ScriptLine[]>
  /** Stores a configuration of the solution, as an operator does. */
  configure(body: Readonly<Record<string, unknown>>): Promise<Configuration>
}

export type TestServiceOptions = {
  readonly allow?: readonly string[]
  readonly lookup?: Lookup
  /** Lines of the log, as they are written. */
  readonly log?: (line: unknown) => void
}

const ids = { businessId: 'business', solutionId: 'solution' }
const silent = createLogger(process.env.MILLRACE_TEST_LOG ?? 'silent')

/** The HTTP client with everything that it stands on, and one solution that calls it. */
export async function testService(
  t: Context,
  { allow = ['127.0.0.1:*'], lookup, log }: TestServiceOptions = {},
): Promise<TestService> {
  const logger = log === undefined ? silent : { warn: log }
  const outbound = createOutbound({ allow, logger, ...(lookup && { lookup }) })
  atEnd(t, () => outbound.close())
  const [clock, random] = [systemClock(), systemRandom]
  const dir = await mkdtemp(join(tmpdir(), 'millrace-http-'))
  atEnd(t, () => rm(dir, { recursive: true, force: true }))
  const database = await testDatabase(t)
  const allowances = createAllowances({ database, clock })
  const secrets = openSecrets({ dir, random })
  const service = createHttpService({ outbound, allowances, secrets, clock })
  const eventlog = createEventLog({ database, clock, logger: silent, effects: valueEffects })
  atEnd(t, () => eventlog.close())
  const hosts = createHosts({ database, clock, logger: silent, reserved: [] })
  const scripting = createScripting({ database, eventlog, hosts, clock, random, logger: silent })
  atEnd(t, () => scripting.close())
  scripting.calls.services.register(service)
  await addSolution(scripting)
  let configuration: Configuration | undefined

  return {
    allowances,
    call: (operation, args, over) =>
      over === undefined
        ? byScript(scripting, operation, args)
        : directly(service, operation, args, { configuration, ...over }),
    async lines() {
      await scripting.log.flush()
      return (await scripting.log.lines(ids.businessId, ids.solutionId)).lines
    },
    async configure(body) {
      const { configurations } = scripting
      const { businessId, solutionId } = ids
      configuration =
        configuration === undefined
          ? await configurations.add(businessId, solutionId, { service: 'http', body })
          : await configurations.update(businessId, solutionId, configuration.id, { body })
      return configuration
    },
  }
}

async function addSolution({ solutions, scripts }: Scripting): Promise<void> {
  await solutions.create(ids.businessId, { id: ids.solutionId, name: 'Solution' })
  const key = { kind: 'handler', name: 'probe_call' } as const
  const source = 'return http[event.operation](event.args)'
  await scripts.put(ids.businessId, ids.solutionId, key, source)
}

async function byScript({ calls }: Scripting, operation: string, args: ScriptValue) {
  const argument = { operation, args }
  const ended = await calls.run({ ...ids, service: 'probe', event: 'call', argument })
  if (ended.kind === 'returned') return ended.value
  throw new Error(ended.error.error)
}

async function directly(
  service: Service,
  operation: string,
  args: ScriptValue,
  over: Pick<ServiceCall, 'configuration'> & Partial<ServiceCall>,
): Promise<ScriptValue> {
  const call: ServiceCall = {
    ...{ ...ids, alias: 'http', trackingId: 'tracking', depth: 0 },
    ...{ remainingMs: 30_000, signal: new AbortController().signal, ...over },
  }
  try {
    return await service.operation(operation)?.(call, args)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    const type = error.status < 500 ? 'QueryError' : 'ServerError'
    return { type, error: error.detail, status: error.status }
  }
}
