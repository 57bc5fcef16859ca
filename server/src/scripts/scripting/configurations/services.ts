import type { Transaction } from '../../../foundation/database/index.ts'
import { Fault } from '../../../foundation/kernel/index.ts'
import type { SolutionUse } from '../schema.ts'
import type { Configuration } from './configuration.ts'
import type { OwnServices, Service, ServiceFinder } from './service.ts'

export type ServiceRegistry = {
  register(service: Service): void
  registerFinder(finder: ServiceFinder): void
  /** Services that files of solutions describe. */
  registerOwn(own: OwnServices): void
}

/** The services: by name, or found. */
export type Services = ServiceRegistry & {
  /**
   * A service by its name, to be given to a solution. Undefined where the business can have no such
   * service. Letter case does not count.
   * @throws Fault invalid_argument where the name means several
   */
  find(businessId: string, name: string): Promise<Service | undefined>
  /**
   * As `find`, before a solution is given the service.
   * @throws Fault invalid_argument also where the name could mean the service of another business
   */
  findNew(businessId: string, name: string): Promise<Service | undefined>
  /** The service that a solution was given; undefined where it is gone. */
  of(configuration: GivenService): Promise<Service | undefined>
  /** Returns whether a service is registered by the name. */
  has(name: string): boolean
  /** Another process has changed solutions. */
  forget(): void
  /** Removes what services keep of a solution. */
  removeIn(transaction: Transaction, solutionId: string): Promise<void>
  /** Returns the use that a solution makes of the limits of services. */
  usage(solutionId: string): Promise<readonly SolutionUse[]>
  /** The maker of the services that files of this script key describe. */
  own(alias: string): OwnServices | undefined
  /** The services that every solution has. */
  always(): readonly Service[]
}

type GivenService = Pick<Configuration, 'businessId' | 'service' | 'connector'>

export function createServices(): Services {
  const registered = new Map<string, Service>()
  const finders: ServiceFinder[] = []
  const makers = new Map<string, OwnServices>()

  async function find(businessId: string, name: string): Promise<Service | undefined> {
    const known = registered.get(name.toLowerCase())
    if (known !== undefined) return known
    let connector: Service | undefined
    for (const finder of finders) {
      if (connector !== undefined && finder.otherwise) continue
      const found = await finder.find(businessId, name)
      if (found === undefined) continue
      if (connector === undefined && found.connector !== true) return found
      if (found.connector !== true && found.name === name) throw twoMeanings(name)
      connector ??= found
    }
    return connector
  }

  return {
    register(service) {
      if (registered.has(service.name)) throw new Error(`two services are named ${service.name}`)
      registered.set(service.name, service)
    },
    registerFinder(finder) {
      finders.push(finder)
    },
    registerOwn(own) {
      makers.set(own.alias, own)
    },
    own: (alias) => makers.get(alias.toLowerCase()),
    find,
    async findNew(businessId, name) {
      const service = await find(businessId, name)
      if (service === undefined || registered.has(name.toLowerCase())) return service
      if (service.connector !== true) {
        for (const finder of finders) await finder.refuseAmbiguous?.(businessId, name)
      }
      return service
    },
    async of({ businessId, service, connector }) {
      const known = registered.get(service.toLowerCase())
      if (known !== undefined) return known
      for (const finder of finders) {
        const found = await finder.find(businessId, service)
        if (found !== undefined && (found.connector === true) === connector) return found
      }
      return undefined
    },
    has: (name) => registered.has(name.toLowerCase()),
    forget() {
      for (const service of registered.values()) service.forget?.()
    },
    async removeIn(transaction, solutionId) {
      for (const service of registered.values()) await service.removeIn?.(transaction, solutionId)
    },
    async usage(solutionId) {
      const all = [...registered.values()].map((service) => service.usage?.(solutionId) ?? [])
      return (await Promise.all(all)).flat()
    },
    always: () => [...registered.values()].filter((service) => service.always),
  }
}

/** Both were made before connectors and solutions took their ids from one registry. */
function twoMeanings(name: string): Fault {
  const both = 'the id of a connector of the business and of a solution'
  return new Fault('invalid_argument', `${name} is ${both}; the solution's script key names it.`)
}
