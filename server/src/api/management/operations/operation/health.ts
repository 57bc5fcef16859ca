import { connectorExpirySchema } from '../../../../devices/provisioning/index.ts'
import {
  component,
  limits,
  Nullable,
  type ProcessRole,
  processRoles,
  StrictObject,
  Type,
} from '../../../../foundation/kernel/index.ts'
import { moduleHealthSchema } from '../../../../insight/pipelines/index.ts'
import { shows } from '../../contract/common.ts'
import { operations } from '../../operation.ts'

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

const healthSchema = component(
  'BusinessHealth',
  {
    instance,
    waiting,
    modules: Type.Array(moduleHealthSchema, { description: 'Without the built-in one.' }),
    certificates: Type.Array(connectorExpirySchema, {
      description:
        'Of connectors, the next to end first, at most `pageDefault`. Those of devices and of ' +
        'the listeners of the instance are not among them.',
    }),
  },
  { description: 'Whether the instance works for a business, and what waits or ends soon.' },
)

const on = operations('instance', 'Setup', '/api:1/health')

export const getBusinessHealth = on.get(
  '',
  'Show whether the instance works, and what waits or ends soon of the business.',
  () => ({
    description: 'countStageFailures counts what failed.',
    ...shows('The health.', healthSchema),
  }),
  async ({ instance, roles, provisioning, pipelines, jobs, scripting }, { businessId }) => {
    const most = limits.failuresCountedMax
    const solutions = (await scripting.solutions.list(businessId)).map(({ id }) => id)
    const [reason, runs, deliveries, modules, expiries] = await Promise.all([
      instance.unready(),
      jobs.countWaiting('functions.runs', [businessId], most),
      jobs.countWaiting('deliveries', solutions, most),
      pipelines.modules.health(businessId),
      provisioning.expiries(businessId),
    ])
    return {
      instance: { version: instance.version, roles, ready: reason === undefined, reason },
      waiting: { stages: { 'functions.runs': runs, deliveries }, most },
      modules,
      certificates: expiries.slice(0, limits.pageDefault),
    }
  },
)
