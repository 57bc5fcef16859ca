import type { Database } from '../../database/index.ts'
import type { Clock } from '../../kernel/index.ts'
import type { ScriptingApi, Service, ServiceFinder } from '../../scripting/index.ts'
import { createClients, type InterfaceClients } from './clients.ts'
import type { Exposed } from './exposed.ts'
import { exposedService } from './exposed-service.ts'
import { createExposures } from './exposures.ts'
import { createManagedSubscribers, type ManagedSubscribers } from './managed.ts'
import { createOutsideCalls, type OutsideCalls } from './outside.ts'
import { createPublishing, type Publishing } from './publishing.ts'
import { createQuotas } from './quotas.ts'
import { interfaceService } from './service.ts'
import { createSubscribers } from './subscribers.ts'

export type InterfaceOptions = {
  readonly scripts: ScriptingApi
  readonly database: Database
  readonly clock: Clock
}

/** The interface service, and what finds exposed solutions; main.ts registers both. */
export type Interface = {
  readonly service: Service
  readonly finder: ServiceFinder
  readonly subscribers: ManagedSubscribers
  readonly outside: OutsideCalls
  readonly clients: InterfaceClients
  readonly publishing: Publishing
}

export function createInterface({ scripts, database, clock }: InterfaceOptions): Interface {
  const { configurations } = scripts
  const exposures = createExposures(configurations)
  const quotas = createQuotas({ database, clock })
  const subscribers = createSubscribers({ configurations, quotas })
  /** One service for each exposed solution, as long as it is as it is. */
  const services = new WeakMap<Exposed, Service>()

  function serviceOf(exposed: Exposed): Service {
    const service = services.get(exposed) ?? exposedService({ scripts, quotas }, exposed)
    services.set(exposed, service)
    return service
  }

  return {
    service: interfaceService({ scripts, exposures, subscribers, quotas }),
    subscribers: createManagedSubscribers({ exposures, subscribers }),
    outside: createOutsideCalls({ scripts, exposures, subscribers, quotas }),
    clients: createClients(exposures),
    publishing: createPublishing(scripts),
    finder: {
      async find(businessId, name) {
        const exposed = await exposures.find(businessId, name)
        return exposed && serviceOf(exposed)
      },
      refuseAmbiguous: exposures.refuseAmbiguous,
    },
  }
}
