import { Fault, limits, newId } from '../kernel/index.ts'
import { changeSolution, unknownSolution } from './change.ts'
import { tellServices } from './configured.ts'
import type { DeliveryKeeper } from './deliveries.ts'
import type { Needs } from './needs.ts'
import {
  isSolutionId,
  type NewSolution,
  noSettings,
  parseSolution,
  parseSolutionId,
  type Solution,
  type SolutionInput,
} from './solution.ts'
import { deleteOfService, raiseVersions, readConfigurations } from './store/configurations.ts'
import {
  deleteSolution,
  holdSolution,
  insertSolution,
  readSolution,
  readSolutions,
  updateSolution,
} from './store/solutions.ts'

/** Solutions as operators keep them. Another business's is as if it were not there. */
export type Solutions = {
  /** @throws Fault invalid_argument (also at `limits.solutionsMax`), already_exists */
  create(businessId: string, input: NewSolution): Promise<Solution>
  /** In the order in which they were made. */
  list(businessId: string): Promise<Solution[]>
  /** @throws Fault not_found */
  get(businessId: string, id: string): Promise<Solution>
  /** Changes what is named and leaves the rest. @throws Fault not_found, invalid_argument */
  patch(businessId: string, id: string, part: SolutionInput): Promise<Solution>
  /**
   * Removes it with its scripts and services. Others lose it as a service, so that nobody takes
   * its place under its id unseen. @throws Fault not_found
   */
  remove(businessId: string, id: string): Promise<void>
}

export type SolutionsNeeds = Needs & { readonly deliveries: Pick<DeliveryKeeper, 'removeIn'> }

export function createSolutions(needs: SolutionsNeeds): Solutions {
  const { database, services, programs, clock, random } = needs

  async function get(businessId: string, id: string): Promise<Solution> {
    const solution = isSolutionId(id) ? await readSolution(database, businessId, id) : undefined
    if (solution === undefined) throw unknownSolution()
    return solution
  }

  return {
    async create(businessId, { id: chosen, ...input }) {
      const id = chosen === undefined ? newId(random) : parseSolutionId(chosen)
      const settings = parseSolution(input, noSettings)
      const { solutionsMax } = limits
      const solution = { id, ...settings, createdAt: clock.nowUs() }
      const taken = services.has(id)
        ? 'taken'
        : await insertSolution(database, businessId, solution, solutionsMax)
      if (taken === 'inserted') return get(businessId, id)
      if (taken === 'taken') throw new Fault('already_exists', 'The id is in use already.')
      throw new Fault('invalid_argument', `A business has at most ${solutionsMax} solutions.`)
    },
    list: (businessId) => readSolutions(database, businessId),
    get,
    async patch(businessId, id, part) {
      await get(businessId, id)
      await changeSolution(needs, businessId, id, async (transaction, solution) => {
        const settings = parseSolution(part, solution)
        await updateSolution(transaction, businessId, { id, ...settings })
        return true
      })
      return get(businessId, id)
    },
    async remove(businessId, id) {
      await get(businessId, id)
      const { own, others } = await database.transaction(async (transaction) => {
        const held = await holdSolution(transaction, businessId, id)
        if (held === undefined) throw unknownSolution()
        const own = await readConfigurations(transaction, businessId, id)
        const others = await deleteOfService(transaction, id)
        await raiseVersions(transaction, others, clock.nowUs())
        await needs.deliveries.removeIn(transaction, businessId, id)
        await services.removeIn(transaction, id)
        await deleteSolution(transaction, businessId, id)
        return { own, others }
      })
      programs.forget(businessId, id)
      needs.host.forget(id)
      for (const other of others) programs.forget(other.businessId, other.solutionId)
      await tellServices(
        needs,
        own.map((configuration) => ({ kind: 'removed', configuration })),
      )
    },
  }
}
