import { Type } from '../../../../foundation/kernel/index.ts'
import type {
  Configuration,
  Operation,
  ScriptingApi,
  Service,
  ServiceSettings,
} from '../../../scripting/index.ts'
import { callOperation } from '../calls/operation.ts'
import { refusals } from '../errors.ts'
import type { Quotas } from '../quotas/quotas.ts'
import { configureSubscription } from '../subscribers/subscribe.ts'
import { toCaller } from '../subscribers/subscription.ts'
import { findChangeCall, storeReturnedParameters } from '../subscribers/subscription-events.ts'
import { type Exposed, payloadTitle } from './exposed-definition.ts'

export type ExposedServiceOptions = {
  readonly scripts: ScriptingApi
  readonly quotas: Quotas
}

/** Makes an exposed solution a service for its subscribers. */
export function exposedService(options: ExposedServiceOptions, exposed: Exposed): Service {
  const { scripts } = options
  const operations = new Map(
    [...exposed.operations.keys()].map((name) => [name, makeOperation(options, exposed, name)]),
  )
  return {
    name: exposed.solutionId,
    always: false,
    events: exposed.definition.events.map(({ name, parameters, default_script }) => ({
      name,
      title: payloadTitle(parameters),
      ...(default_script !== undefined && { defaultScript: default_script }),
    })),
    operation: (name) => operations.get(name),
    async configure(input) {
      if (input.before && !belongsTo(input.before, exposed)) throw refusals.notSubscribed()
      return configureSubscription(scripts, exposed, input)
    },
    ...(exposed.parameters.size > 0 && { settings: makeSettings(exposed) }),
    changeSubscriber: async (kind, configuration) =>
      belongsTo(configuration, exposed) ? findChangeCall(scripts, exposed, kind) : undefined,
    async onConfigurationChange({ configuration }, end) {
      if (!belongsTo(configuration, exposed)) return
      if (end !== undefined) await storeReturnedParameters(scripts, exposed, configuration, end)
    },
  }
}

/** Its parameters, as a subscriber gives them. */
function makeSettings({ definition }: Exposed): ServiceSettings {
  const properties = Object.fromEntries(
    definition.parameters.map(({ name, ...schema }) => [name, schema]),
  )
  return {
    schema: () => Type.Unsafe({ type: 'object', properties }),
    listSecrets: () => [],
    hasTriggers: true,
  }
}

/**
 * A subscription is to an id. If that is no longer exposed, a service whose script key is the same
 * text must not take its place.
 */
function belongsTo(configuration: Configuration, { solutionId }: Exposed): boolean {
  return configuration.service === solutionId
}

/** Returns the operation for a subscriber's script. */
function makeOperation(options: ExposedServiceOptions, exposed: Exposed, name: string): Operation {
  return async (call, args) => {
    const { businessId, configuration, solutionId, trackingId } = call
    if (configuration === undefined || !belongsTo(configuration, exposed)) {
      throw refusals.notSubscribed()
    }
    const result = await callOperation(options, exposed, {
      name,
      args,
      businessId,
      subscription: configuration,
      caller: toCaller(exposed, configuration),
      run: {
        callerId: solutionId,
        trackingId,
        depth: call.depth + 1,
        wallMsMax: call.remainingMs,
      },
    })
    return result.value
  }
}
