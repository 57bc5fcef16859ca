import type { Database } from '../../../foundation/database/index.ts'
import { type Clock, Fault, type Logger, PollLoop } from '../../../foundation/kernel/index.ts'
import { pipelineLimits } from '../limits.ts'
import { claimFunctions } from '../store/functions.ts'
import type { ExternalModules } from './external.ts'
import type { FunctionLists } from './function-lists.ts'

/** The interval at which a process looks for lists of functions that are older. */
const moduleRefreshPollMs = 30_000
/** Lists of functions that a process reads again in one go. */
const moduleRefreshesMax = 100

export type RefreshOptions = {
  readonly database: Database
  readonly external: ExternalModules
  readonly functions: FunctionLists
  readonly clock: Clock
  readonly logger: Logger
}

/**
 * Reads the functions of linked modules again, so that links follow changed descriptions although
 * nobody looks. Each list is claimed by one process at a time; a module that does not answer is
 * asked again at its next turn.
 */
export function createRefresh(options: RefreshOptions): PollLoop {
  const { database, clock, logger } = options
  return new PollLoop({
    pollMs: moduleRefreshPollMs,
    failed: (error) => logger.warn({ err: error }, 'reading functions of modules failed'),
    async look() {
      const nowUs = clock.nowUs()
      const beforeUs = nowUs - pipelineLimits.moduleRefreshMs * 1_000
      const most = moduleRefreshesMax
      for (const key of await claimFunctions(database, { beforeUs, nowUs, most })) {
        await refresh(options, key.businessId, key.moduleId, key.groupId)
      }
    },
  })
}

async function refresh(
  { external, functions, logger }: RefreshOptions,
  businessId: string,
  moduleId: string,
  groupId: string,
): Promise<void> {
  const module = (await external.ofIds(businessId, [moduleId])).get(moduleId)
  if (module === undefined) return
  try {
    await functions.list(module, groupId)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    logger.debug({ moduleId, reason: error.detail }, 'a module did not list its functions')
  }
}
