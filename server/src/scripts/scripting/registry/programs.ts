import type { Database } from '../../../foundation/database/index.ts'
import { type Clock, LruMap, limits } from '../../../foundation/kernel/index.ts'
import type { Configuration } from '../configurations/configuration.ts'
import type { ServiceSecrets } from '../configurations/service.ts'
import type { Services } from '../configurations/services.ts'
import { scriptingLimits } from '../limits.ts'
import { readConfigurations } from '../store/configurations.ts'
import { readScripts } from '../store/scripts.ts'
import { readSolution, readVersion } from '../store/solutions.ts'
import { buildProgram, type LoadedSolution, type UsedService, usedService } from './build.ts'
import { readEnvironment } from './variables.ts'

/** The solutions that run, built once for each version. */
export type Programs = {
  /**
   * Undefined where the business has no such solution. A change of this process counts at once,
   * one of another at its hint, and within `programCheckMs`.
   */
  get(businessId: string, solutionId: string): Promise<LoadedSolution | undefined>
  /** To be called after each change's COMMIT. */
  forget(businessId: string, solutionId: string): void
  /** Makes the next `get` of each solution read its version. */
  recheck(): void
}

export type ProgramsOptions = {
  readonly database: Database
  readonly services: Services
  readonly secrets: ServiceSecrets
  readonly clock: Clock
}

type CachedProgram = {
  readonly loaded: LoadedSolution
  readonly bytes: number
  checkedMs: number
}

export function createPrograms(options: ProgramsOptions): Programs {
  const { database, clock } = options
  const cache = new LruMap<string, CachedProgram>(limits.programsKeptBytesMax, {
    sizeOf: ({ bytes }) => bytes,
  })
  const loading = new Map<string, Promise<LoadedSolution | undefined>>()

  async function check(businessId: string, solutionId: string): Promise<CachedProgram | undefined> {
    const checkedMs = clock.elapsedMs()
    const before = cache.peek(programKey(businessId, solutionId))
    if (before !== undefined) {
      const version = await readVersion(database, businessId, solutionId)
      if (version === before.loaded.program.version) return { ...before, checkedMs }
    }
    const loaded = await load(options, businessId, solutionId)
    return loaded && { loaded, bytes: countBytes(loaded), checkedMs }
  }

  function renew(
    key: string,
    checked: Promise<CachedProgram | undefined>,
  ): Promise<LoadedSolution | undefined> {
    const renewing = checked
      .then((entry) => {
        // If it was removed meanwhile, it may have been read before the change.
        if (loading.get(key) !== renewing) return entry?.loaded
        if (entry === undefined) cache.delete(key)
        else cache.set(key, entry)
        return entry?.loaded
      })
      .finally(() => {
        if (loading.get(key) === renewing) loading.delete(key)
      })
    loading.set(key, renewing)
    return renewing
  }

  return {
    async get(businessId, solutionId) {
      const key = programKey(businessId, solutionId)
      const entry = cache.get(key)
      if (
        entry !== undefined &&
        clock.elapsedMs() - entry.checkedMs < scriptingLimits.programCheckMs
      ) {
        return entry.loaded
      }
      return loading.get(key) ?? renew(key, check(businessId, solutionId))
    },
    forget(businessId, solutionId) {
      cache.delete(programKey(businessId, solutionId))
      loading.delete(programKey(businessId, solutionId))
    },
    recheck() {
      for (const entry of cache.values()) entry.checkedMs = -Infinity
      loading.clear()
    },
  }
}

/** Neither id holds a space. */
function programKey(businessId: string, solutionId: string): string {
  return `${businessId} ${solutionId}`
}

async function load(
  { database, services, secrets }: ProgramsOptions,
  businessId: string,
  solutionId: string,
): Promise<LoadedSolution | undefined> {
  // The version first: a later change raises it, so it is read again.
  const solution = await readSolution(database, businessId, solutionId)
  if (solution === undefined) return undefined
  const [scripts, configurations, env] = await Promise.all([
    readScripts(database, businessId, solutionId),
    readConfigurations(database, businessId, solutionId),
    readEnvironment(secrets, database, businessId, solutionId),
  ])
  const used = await usedServices(services, configurations)
  return buildProgram({ solution, scripts, configurations, services: used, env })
}

/** Returns the services that a solution can call: its own, and those that every one has. */
export async function usedServices(
  services: Services,
  configurations: readonly Configuration[],
): Promise<UsedService[]> {
  const given = await Promise.all(
    configurations.map(async (configuration) => {
      const service = await services.of(configuration)
      const { alias } = configuration
      return service === undefined ? { alias, events: [] } : usedService(service, configuration)
    }),
  )
  const taken = new Set(given.map(({ alias }) => alias.toLowerCase()))
  const always = services.always().filter(({ name }) => !taken.has(name))
  return [...given, ...always.map((service) => usedService(service))]
}

function countBytes({ program, configurations }: LoadedSolution): number {
  const sources = program.chunks.reduce((sum, { source }) => sum + source.length * 2, 0)
  return sources + JSON.stringify(configurations).length * 2
}
