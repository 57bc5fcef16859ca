import type { Insight } from '@millrace/insight-sdk/protocol'
import { Fault } from '../../../foundation/kernel/index.ts'
import { builtinFunctions, builtinId } from '../builtin/registry.ts'
import type { ModuleClient } from './client.ts'
import type { ExternalModules } from './external.ts'
import type { FunctionList, FunctionLists } from './function-lists.ts'

export type DescribedOptions = {
  readonly client: Pick<ModuleClient, 'insight'>
  readonly functions: FunctionLists
  readonly external: Pick<ExternalModules, 'get'>
}

/** The functions of modules, as they describe them. */
export type DescribedFunctions = {
  /** @throws Fault not_found, module_failed, address_refused */
  functions(businessId: string, id: string, groupId?: string): Promise<readonly Insight[]>
  /**
   * The functions that can be linked: a module that lists by group may have functions without one.
   * @throws Fault not_found, module_failed, address_refused
   */
  linkable(businessId: string, id: string, groupId?: string): Promise<readonly Insight[]>
  /** The same with its age. @throws Fault not_found, module_failed, address_refused */
  functionList(businessId: string, id: string, groupId?: string): Promise<FunctionList>
  /**
   * A function as the module describes it now, by itself if it can.
   * @throws Fault not_found, module_failed, address_refused
   */
  function(businessId: string, id: string, functionId: string, groupId?: string): Promise<Insight>
}

function builtinList(groupId: string): FunctionList {
  return { insights: builtinFunctions(groupId), complaints: [], readAt: 0, failure: null }
}

export function describeFunctions({
  client,
  functions,
  external,
}: DescribedOptions): DescribedFunctions {
  async function functionList(businessId: string, id: string, groupId = ''): Promise<FunctionList> {
    if (id === builtinId) return builtinList(groupId)
    const module = await external.get(businessId, id)
    if (groupId !== '' || !module.info.group_id_required) return functions.list(module, groupId)
    throw new Fault('invalid_argument', 'The module lists functions by group: groupId is missing.')
  }

  async function linkable(businessId: string, id: string, groupId = '') {
    if (id === builtinId || groupId !== '') {
      return (await functionList(businessId, id, groupId)).insights
    }
    return (await functions.list(await external.get(businessId, id), '')).insights
  }

  return {
    functionList,
    linkable,
    functions: async (...asked) => (await functionList(...asked)).insights,
    async function(businessId, id, functionId, groupId) {
      const endpoint =
        id === builtinId ? undefined : (await external.get(businessId, id)).endpoints().insight
      const alone = endpoint && (await client.insight(businessId, endpoint, functionId))
      if (alone !== undefined) return alone
      const insights = await linkable(businessId, id, groupId)
      const found = insights.find((one) => one.id === functionId)
      if (found !== undefined) return found
      throw new Fault('not_found', `The module has no function "${functionId}".`)
    },
  }
}
