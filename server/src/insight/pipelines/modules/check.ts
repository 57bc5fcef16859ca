import { Fault } from '../../../foundation/kernel/index.ts'
import type { Use } from '../../marketplace/index.ts'
import type { ExternalModules } from './external.ts'
import type { FunctionLists } from './function-lists.ts'
import { askInfo, type IntroduceOptions } from './introduce.ts'
import type { ModuleCheck } from './schema.ts'

export type ModuleCheckOptions = IntroduceOptions & {
  readonly external: ExternalModules
  readonly functions: FunctionLists
}

/** Asks a module what it is and for its functions, with the credentials of its use. */
export async function checkModule(options: ModuleCheckOptions, use: Use): Promise<ModuleCheck> {
  const { problems } = use.listing
  const missing = options.marketplace.uses
    .parameters(use)
    .filter(({ required, isSet }) => required && !isSet)
    .map(({ name }) => `The parameter "${name}" is required and has no value.`)
  try {
    const { info, complaints } = await askInfo(options, use)
    const found = [...missing, ...complaints]
    if (info.group_id_required)
      return { problems, complaints: found, failure: null, functions: null }
    const module = await options.external.get(use.businessId, use.id)
    options.functions.forget(use.id)
    const list = await options.functions.list(module, '')
    const functions = list.failure === null ? list.insights.length : null
    return {
      problems,
      complaints: [...found, ...list.complaints],
      failure: list.failure,
      functions,
    }
  } catch (error) {
    if (!(error instanceof Fault) || !failures.has(error.code)) throw error
    return { problems, complaints: missing, failure: error.detail, functions: null }
  }
}

/** Errors that say something about the module. */
const failures: ReadonlySet<string> = new Set(['module_failed', 'address_refused'])
