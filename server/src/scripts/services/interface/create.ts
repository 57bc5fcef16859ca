import type { Service } from '../../scripting/index.ts'
import { createExternalCalls } from './calls/external-calls.ts'
import { createClients } from './client/clients.ts'
import { createDefinitions } from './definition/definitions.ts'
import type { Exposed } from './exposed/exposed-definition.ts'
import { exposedService } from './exposed/exposed-service.ts'
import { createExposedServices } from './exposed/exposed-services.ts'
import { createQuotas } from './quotas/quotas.ts'
import { type Interface, type InterfaceOptions, interfaceService } from './service.ts'
import { createSubscriberAdmin } from './subscribers/subscriber-admin.ts'
import { createSubscribers } from './subscribers/subscribers.ts'

export function createInterface({ scripts, database, clock }: InterfaceOptions): Interface {
  const { configurations } = scripts
  const exposedServices = createExposedServices(configurations)
  const quotas = createQuotas({ database, clock })
  const subscribers = createSubscribers({ configurations, quotas })
  /** Each version of an exposed solution has a service as long as the cache of these holds it. */
  const services = new WeakMap<Exposed, Service>()

  function serviceFor(exposed: Exposed): Service {
    const service = services.get(exposed) ?? exposedService({ scripts, quotas }, exposed)
    services.set(exposed, service)
    return service
  }

  return {
    service: interfaceService({ scripts, exposedServices, subscribers, quotas }),
    subscribers: createSubscriberAdmin({ exposedServices, subscribers }),
    externalCalls: createExternalCalls({
      scripts,
      exposedServices,
      subscribers,
      quotas,
    }),
    clients: createClients(exposedServices),
    definitions: createDefinitions(scripts, exposedServices),
    finder: {
      async find(businessId, name) {
        const exposed = await exposedServices.find(businessId, name)
        return exposed && serviceFor(exposed)
      },
      refuseAmbiguous: exposedServices.refuseAmbiguous,
    },
  }
}
