import type { Database } from '../../../foundation/database/index.ts'
import { Fault } from '../../../foundation/kernel/index.ts'
import type { Marketplace, Use } from '../../marketplace/index.ts'
import { type ModuleAnswer, readModuleAnswers } from '../store.ts'
import type { CalledModule, ExternalModule } from '../types.ts'

/** The modules that businesses use: their uses in the marketplace, with what they answered. */
export type ExternalModules = {
  /** In the order in which they were added. */
  list(businessId: string): Promise<ExternalModule[]>
  /** @throws Fault not_found */
  get(businessId: string, id: string): Promise<ExternalModule>
  /** The modules of these ids that are there, by id. */
  ofIds(businessId: string, ids: readonly string[]): Promise<ReadonlyMap<string, ExternalModule>>
  /** The facts that calls need of those that are there, by id. */
  called(businessId: string, ids: readonly string[]): Promise<ReadonlyMap<string, CalledModule>>
}

export type ExternalModulesOptions = {
  readonly database: Database
  readonly marketplace: Pick<Marketplace, 'uses'>
}

export function createExternalModules({
  database,
  marketplace: { uses },
}: ExternalModulesOptions): ExternalModules {
  async function withAnswers(businessId: string, found: readonly Use[]) {
    if (found.length === 0) return []
    const ids = found.map(({ id }) => id)
    const answers = await readModuleAnswers(database, businessId, ids)
    return found.flatMap((use) => {
      const answer = answers.get(use.id)
      return answer === undefined ? [] : [externalModule(uses, use, answer)]
    })
  }

  async function ofIds(businessId: string, ids: readonly string[]) {
    const modules = await withAnswers(businessId, await uses.ofIds(businessId, ids))
    return new Map(modules.map((module) => [module.id, module]))
  }

  return {
    ofIds,
    async called(businessId, ids) {
      const found = await uses.ofIds(businessId, ids)
      return new Map(found.map((use) => [use.id, calledModule(uses, use)]))
    },
    async get(businessId, id) {
      const module = (await ofIds(businessId, [id])).get(id)
      if (module === undefined) throw new Fault('not_found', 'There is no such module.')
      return module
    },
    list: async (businessId) => withAnswers(businessId, await uses.list(businessId)),
  }
}

export function externalModule(
  uses: Pick<Marketplace['uses'], 'endpoints'>,
  use: Use,
  { info, complaints }: ModuleAnswer,
): ExternalModule {
  const { listing, simulationSafe, createdAt } = use
  const own = { url: listing.base, simulationSafe, createdAt, info, complaints }
  return Object.assign(calledModule(uses, use), own)
}

/** Its addresses are made once: with them its parameters are decrypted. */
function calledModule(uses: Pick<Marketplace['uses'], 'endpoints'>, use: Use): CalledModule {
  const { id, businessId, name } = use
  let known: ReturnType<CalledModule['endpoints']> | undefined
  function endpoints() {
    known ??= uses.endpoints(use)
    return known
  }
  return { id, businessId, name, endpoints }
}
