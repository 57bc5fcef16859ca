import {
  type Clock,
  exactText,
  Fault,
  isJsonObject,
  limits,
  newId,
  parseJson,
  type Random,
} from '../../../foundation/kernel/index.ts'
import type { ScriptingApi, ScriptValue, ServiceSecrets } from '../../scripting/index.ts'
import { openapiLimits } from './limits.ts'
import { createCloudRate } from './send.ts'

export type CallbackOptions = {
  readonly scripts: Pick<ScriptingApi, 'configurations' | 'deliveries' | 'handles'>
  readonly secrets: ServiceSecrets
  readonly random: Random
  readonly clock: Clock
  readonly domain: string
}

/** The request of a described service to the URL of a callback. */
export type CallbackContent = {
  readonly body: ScriptValue
  readonly headers: ScriptValue
  readonly parameters: ScriptValue
}

export type CloudCallbacks = {
  /** The URL at which an event of a configuration is raised: whoever has it can raise it. */
  makeUrl(target: CallbackTarget): { readonly url: string; readonly path: string }
  owns(path: string): boolean
  /** Stores a call of the handler, which then runs for sure. @throws Fault */
  receive(solutionId: string, path: string, content: CallbackContent): Promise<void>
}

export type CallbackTarget = {
  readonly solutionId: string
  /** The id of the configuration: a service that was removed and added has other URLs. */
  readonly id: string
  readonly event: string
}

const prefix = '/.callbacks/'
const service = 'openapi'
const sealContext = (solutionId: string) => `services/openapi/${solutionId}/callback`

/** The last part of a URL is sealed with the key of the instance: nobody else can make one. */
export function createCallbacks(options: CallbackOptions): CloudCallbacks {
  const { scripts, secrets, random, domain } = options
  const rate = createCloudRate(options.clock, 'callbacks')

  function open(solutionId: string, path: string): CallbackTarget | undefined {
    const [sealed = ''] = path.slice(prefix.length).split('?')
    try {
      const text = exactText(Buffer.from(sealed, 'base64url'))
      const said = parseJson(secrets.open(text, sealContext(solutionId)))
      if (!isJsonObject(said)) return undefined
      return { solutionId, id: String(said.id), event: String(said.event) }
    } catch {
      return undefined
    }
  }

  return {
    makeUrl({ solutionId, id, event }) {
      const sealed = secrets.seal(JSON.stringify({ id, event }), sealContext(solutionId))
      const path = `${prefix}${Buffer.from(sealed, 'utf8').toString('base64url')}`
      return { url: `https://${solutionId}.${domain}${path}`, path }
    },
    owns: (path) => path.startsWith(prefix),
    async receive(solutionId, path, content) {
      const target = open(solutionId, path)
      const found =
        target &&
        (await scripts.configurations.ofSolution(service, solutionId)).find(
          ({ id }) => id === target.id,
        )
      if (target === undefined || found === undefined) throw noCallback()
      const { businessId, alias } = found
      const { event } = target
      if (!(await scripts.handles(businessId, solutionId, alias, event))) throw noCallback()
      rate(found.id, openapiLimits.cloudCallbacksPerMinute)
      if (await scripts.deliveries.isBehind(solutionId, limits.triggeredWaitingMax)) {
        throw new Fault('overloaded')
      }
      const trackingId = newId(random)
      const call = { businessId, solutionId, service: alias, event, argument: { ...content } }
      await scripts.deliveries.add([{ ...call, trackingId, depth: 0 }])
    },
  }
}

function noCallback(): Fault {
  return new Fault('not_found', 'There is no such callback.')
}
