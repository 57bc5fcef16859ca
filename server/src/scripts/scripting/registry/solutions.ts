import { idTaken } from '../../../devices/hosts/index.ts'
import { Fault, limits, newId } from '../../../foundation/kernel/index.ts'
import type { NewSolutionLine } from '../../../log/activity/index.ts'
import {
  type ChangeNotification,
  prepareNotification,
  withNotifications,
} from '../configurations/change-notification.ts'
import type { Configuration } from '../configurations/configuration.ts'
import type { NewSolution, Solution, SolutionChange } from '../schema.ts'
import { deleteOfService, raiseVersions, readConfigurations } from '../store/configurations.ts'
import {
  countSolutions,
  deleteSolution,
  insertSolution,
  lockSolution,
  readBusiness,
  readBusinesses,
  readSolution,
  readSolutions,
  type SolutionQuery,
  updateSolution,
} from '../store/solutions.ts'
import { changeSolution, unknownSolution } from './change.ts'
import type { RegistryOptions } from './options.ts'
import { changedSettings, isSolutionId, noSettings } from './solution.ts'

/** The solutions of businesses. To a business those of another do not exist. */
export type Solutions = {
  /** @throws Fault invalid_argument (also at `limits.solutionsMax`), already_exists */
  create(businessId: string, input: NewSolution): Promise<Solution>
  /** In the order in which they were made. */
  list(businessId: string, filter?: SolutionQuery): Promise<Solution[]>
  /** The business of a solution; undefined if there is no such solution. */
  findBusiness(id: string): Promise<string | undefined>
  /** The businesses of all solutions, by their ids. */
  businesses(): Promise<ReadonlyMap<string, string>>
  /** @throws Fault not_found */
  get(businessId: string, id: string): Promise<Solution>
  /** Changes what is named and leaves the rest. @throws Fault not_found, invalid_argument */
  patch(businessId: string, id: string, part: SolutionChange): Promise<Solution>
  /**
   * Removes it with its scripts and services. Others lose it as a service, so that no later
   * solution takes over its id unnoticed, and its host stays reserved to the business for a time.
   * @throws Fault not_found
   */
  remove(businessId: string, id: string): Promise<void>
}

export function createSolutions(options: RegistryOptions): Solutions {
  const { database, hosts, services, programs, clock, random } = options

  async function get(businessId: string, id: string): Promise<Solution> {
    const solution = isSolutionId(id) ? await readSolution(database, businessId, id) : undefined
    if (solution === undefined) throw unknownSolution()
    return solution
  }

  return {
    async create(businessId, input) {
      const { id = newId(random), ...given } = input
      const solution = { id, ...changedSettings(given, noSettings), createdAt: clock.nowUs() }
      if (services.has(id)) throw idTaken()
      await database.transaction(async (transaction) => {
        const { solutionsMax } = limits
        if ((await countSolutions(transaction, businessId)) >= solutionsMax) {
          throw new Fault('invalid_argument', `A business has at most ${solutionsMax} solutions.`)
        }
        await hosts.take(transaction, { label: id, kind: 'solution', businessId })
        if (!(await insertSolution(transaction, businessId, solution))) throw idTaken()
      })
      hosts.forget(id)
      programs.forget(businessId, id)
      return get(businessId, id)
    },
    list: (businessId, filter) => readSolutions(database, businessId, filter),
    findBusiness: (id) => readBusiness(database, id),
    businesses: () => readBusinesses(database),
    get,
    async patch(businessId, id, part) {
      await get(businessId, id)
      await changeSolution(options, businessId, id, async (transaction, solution) => {
        const settings = changedSettings(part, solution)
        await updateSolution(transaction, businessId, { id, ...settings })
        return true
      })
      return get(businessId, id)
    },
    async remove(businessId, id) {
      await get(businessId, id)
      let others: readonly Configuration[] | undefined
      for (let tries = 1; others === undefined; tries += 1) {
        if (tries > limits.transactionTriesMax) throw new Fault('overloaded')
        others = await removeAndNotify(options, businessId, id)
      }
      hosts.forget(id)
      programs.forget(businessId, id)
      options.host.forget(id)
      for (const other of others) {
        programs.forget(other.businessId, other.solutionId)
        options.activity.solutions.write(lostService(id, other))
      }
    },
  }
}

/**
 * Removes it, and notifies the services that it had.
 * @returns the configurations that others lost; undefined if it was given a service meanwhile.
 */
async function removeAndNotify(
  options: RegistryOptions,
  businessId: string,
  id: string,
): Promise<Configuration[] | undefined> {
  const { database, hosts, services, deliveries, events, clock } = options
  const notifications = new Map<string, ChangeNotification>()
  for (const one of await readConfigurations(database, businessId, id)) {
    notifications.set(one.id, await prepareNotification(options, 'removed', one))
  }
  return withNotifications([...notifications.values()], () =>
    database.transaction(async (transaction) => {
      const held = await lockSolution(transaction, businessId, id)
      if (held === undefined) throw unknownSolution()
      const own = await readConfigurations(transaction, businessId, id)
      if (own.some((one) => !notifications.has(one.id))) return undefined
      const others = await deleteOfService(transaction, id)
      await raiseVersions(transaction, others, clock.nowUs())
      await deliveries.removeIn(transaction, businessId, id)
      await events.removeIn(transaction, id)
      await services.removeIn(transaction, id)
      await deleteSolution(transaction, businessId, id)
      await hosts.release(transaction, { label: id, kind: 'solution', businessId })
      for (const one of own) await notifications.get(one.id)?.storeIn(transaction, one)
      return others
    }),
  )
}

/** The line in the log of a solution that used one which was removed. */
function lostService(
  id: string,
  { businessId, solutionId, alias }: Configuration,
): NewSolutionLine {
  const text = `The solution ${id}, which is the service ${alias} here, was deleted: calls fail.`
  const call = { service: alias, handler: '', trackingId: '' }
  return { businessId, solutionId, ...call, kind: 'note', level: 'warn', text }
}
