import type { Needs } from './needs.ts'
import type { ConfigurationChange } from './service.ts'

/** Tells services what was committed; what one makes of it undoes nothing. */
export async function tellServices(
  { services, logger }: Pick<Needs, 'services' | 'logger'>,
  changes: readonly ConfigurationChange[],
): Promise<void> {
  for (const change of changes) {
    const { businessId, solutionId, service: name } = change.configuration
    try {
      const service = await services.find(businessId, name)
      await service?.configured?.(change)
    } catch (error) {
      const what = { err: error, solutionId, service: name }
      logger.warn(what, 'a service could not be told of its configuration')
    }
  }
}
