import {
  component,
  limits,
  Microseconds,
  Nullable,
  OptionalMicroseconds,
  type ProcessRole,
  processRoles,
  type Static,
  StrictObject,
  Type,
} from '../../../kernel/index.ts'
import { shows } from '../../contract/common.ts'
import { operations } from '../../operation.ts'
import type { ApiServices } from '../../services.ts'

const instance = StrictObject(
  {
    version: Type.String(),
    roles: Type.Array(Type.Unsafe<ProcessRole>({ enum: processRoles })),
    ready: Type.Boolean({
      description: 'The database takes writes, and no stage is far behind, for any business.',
    }),
    reason: Nullable(Type.String(), { description: 'Why it is not ready; null if it is.' }),
  },
  { description: 'The process that answers.' },
)

const waiting = StrictObject(
  {
    stages: StrictObject({
      'functions.runs': Type.Integer({ description: 'Calls of functions of modules.' }),
      deliveries: Type.Integer({ description: 'Calls of handlers of solutions.' }),
    }),
    most: Type.Integer({
      description: 'A stage with this count may have more (`failuresCountedMax`).',
    }),
  },
  { description: 'What waits of this business. Calls that run are not counted.' },
)

const moduleHealth = component('InsightModuleHealth', {
  id: Type.String(),
  name: Type.String(),
  failures_in_row: Type.Integer({ description: 'Of the calls of the process that answers.' }),
  last_failure: Nullable(Type.String()),
  rests_until: OptionalMicroseconds('Until when it is not called; null if it is.'),
})

const expiry = component('ConnectorExpiry', {
  connector: Type.String({ description: 'Its id.' }),
  name: Type.String({ description: 'Its name.' }),
  kind: Type.Unsafe<ExpiryKind>({
    enum: ['client_ca', 'authority', 'revocation_list'],
    description:
      'The client CA that is trusted, the built-in authority, or the revocation list, of which a ' +
      'newer one is due.',
  }),
  until: Microseconds('When it ends, in microseconds.'),
})

type ExpiryKind = 'client_ca' | 'authority' | 'revocation_list'

const healthSchema = component(
  'BusinessHealth',
  {
    instance,
    waiting,
    modules: Type.Array(moduleHealth, { description: 'Without the built-in one.' }),
    certificates: Type.Array(expiry, {
      description:
        'Of connectors, the next to end first, at most `pageDefault`. Those of devices and of ' +
        'the listeners of the instance are not among them.',
    }),
  },
  { description: 'Whether the instance works for a business, and what waits or ends soon.' },
)

export type BusinessHealthBody = Static<typeof healthSchema>

const on = operations('instance', 'Setup', '/api:1/health')

export const getBusinessHealth = on.get(
  '',
  'Show whether the instance works, and what waits or ends soon of the business.',
  () => ({
    description: 'countStageFailures counts what failed.',
    ...shows('The health.', healthSchema),
  }),
  async (services, { businessId }) => {
    const { instance, provisioning, roles } = services
    const [reason, waiting, modules, expiries] = await Promise.all([
      instance.unready(),
      waitingOf(services, businessId),
      modulesOf(services, businessId),
      provisioning.expiries(businessId),
    ])
    const ready = reason === undefined
    return {
      instance: { version: instance.version, roles, ready, reason: reason ?? null },
      waiting,
      modules,
      certificates: expiries.slice(0, limits.pageDefault),
    }
  },
)

async function waitingOf(
  { jobs, scripting }: ApiServices,
  businessId: string,
): Promise<BusinessHealthBody['waiting']> {
  const most = limits.failuresCountedMax
  const solutions = (await scripting.solutions.list(businessId)).map(({ id }) => id)
  const [runs, deliveries] = await Promise.all([
    jobs.countWaiting('functions.runs', [businessId], most),
    jobs.countWaiting('deliveries', solutions, most),
  ])
  return { stages: { 'functions.runs': runs, deliveries }, most }
}

async function modulesOf(
  { pipelines: { modules } }: ApiServices,
  businessId: string,
): Promise<BusinessHealthBody['modules']> {
  const used = (await modules.list(businessId)).filter(({ url }) => url !== null)
  const reports = used.map(async ({ id, name }) => {
    const { failuresInRow, lastFailure, restsUntil } = await modules.report(businessId, id)
    const failures = { failures_in_row: failuresInRow, last_failure: lastFailure }
    return { id, name, ...failures, rests_until: restsUntil }
  })
  return Promise.all(reports)
}
