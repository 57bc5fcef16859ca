import type { Transaction } from '../database/index.ts'
import type { ServiceRegistry } from './scripting.ts'
import type { Service, ServiceFinder } from './service.ts'

/** What services there are: by name, or found. */
export type Services = ServiceRegistry & {
  /** Undefined where the business can have no such service. Letter case does not count. */
  find(businessId: string, name: string): Promise<Service | undefined>
  /** Whether a service is registered by the name. */
  has(name: string): boolean
  /** Removes what services keep of a solution. */
  removeIn(transaction: Transaction, solutionId: string): Promise<void>
  /** Those that every solution has. */
  always(): readonly Service[]
}

export function createServices(): Services {
  const registered = new Map<string, Service>()
  const finders: ServiceFinder[] = []
  return {
    register(service) {
      if (registered.has(service.name)) throw new Error(`two services are named ${service.name}`)
      registered.set(service.name, service)
    },
    registerFinder(finder) {
      finders.push(finder)
    },
    async find(businessId, name) {
      const known = registered.get(name.toLowerCase())
      if (known !== undefined) return known
      for (const finder of finders) {
        const found = await finder.find(businessId, name)
        if (found !== undefined) return found
      }
      return undefined
    },
    has: (name) => registered.has(name.toLowerCase()),
    async removeIn(transaction, solutionId) {
      for (const service of registered.values()) await service.removeIn?.(transaction, solutionId)
    },
    always: () => [...registered.values()].filter((service) => service.always),
  }
}
