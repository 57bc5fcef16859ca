import type { Jobs } from '../../jobs/index.ts'
import { limits, type ProcessRole, processRoles } from '../../kernel/index.ts'
import type { Pipelines } from '../../pipelines/index.ts'
import type { Provisioning } from '../../provisioning/index.ts'
import type { Scripting } from '../../scripting/index.ts'
import { type BusinessHealthBody, getBusinessHealth } from '../contract/operation/health.ts'
import { ok, type Route, route } from '../route.ts'

export type HealthRoutesOptions = {
  readonly instance: {
    readonly version: string
    /** Why no more requests should come here; undefined: they may. */
    unready(): Promise<string | undefined>
  }
  readonly roles?: readonly ProcessRole[]
  readonly jobs: Pick<Jobs, 'countWaiting'>
  readonly pipelines: Pick<Pipelines, 'modules'>
  readonly scripting: Pick<Scripting, 'solutions'>
  readonly provisioning: Pick<Provisioning, 'expiries'>
}

const usPerMs = 1_000

/** What the administrators of a business ask first when something seems wrong. */
export function healthRoutes(options: HealthRoutesOptions): Route[] {
  const { instance, roles = processRoles, provisioning } = options
  return [
    route(getBusinessHealth, async ({ principal: { businessId } }) => {
      const [reason, waiting, modules, expiries] = await Promise.all([
        instance.unready(),
        waitingOf(options, businessId),
        modulesOf(options, businessId),
        provisioning.expiries(businessId),
      ])
      const ready = reason === undefined
      return ok({
        instance: { version: instance.version, roles: [...roles], ready, reason: reason ?? null },
        waiting,
        modules,
        certificates: expiries.slice(0, limits.pageDefault),
      })
    }),
  ]
}

async function waitingOf(
  { jobs, scripting }: HealthRoutesOptions,
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
  { pipelines: { modules } }: HealthRoutesOptions,
  businessId: string,
): Promise<BusinessHealthBody['modules']> {
  const used = (await modules.list(businessId)).filter(({ url }) => url !== null)
  const reports = used.map(async ({ id, name }) => {
    const { failuresInRow, lastFailure, restsUntilMs } = await modules.report(businessId, id)
    const until = restsUntilMs === null ? null : restsUntilMs * usPerMs
    const calls = { failures_in_row: failuresInRow, last_failure: lastFailure, rests_until: until }
    return { id, name, ...calls }
  })
  return Promise.all(reports)
}
