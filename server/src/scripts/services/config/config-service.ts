import {
  Fault,
  type Fields,
  type Implementation,
  implement,
  isJsonObject,
} from '../../../foundation/kernel/index.ts'
import type {
  Configuration,
  Scripting,
  ScriptValue,
  Service,
  ServiceCall,
} from '../../scripting/index.ts'
import { configOperations } from './operations.ts'

export type ConfigOptions = {
  readonly solutions: Pick<Scripting['solutions'], 'get'>
  readonly configurations: Pick<Scripting['configurations'], 'list' | 'update'>
  /** A solution's host is `<id>.<domain>`. */
  readonly domain: string
}

/** The service `config`: what a solution is, and what its services are set to. */
export function createConfigService(options: ConfigOptions): Service {
  return {
    name: 'config',
    always: true,
    events: [
      { name: 'init', title: 'event' },
      { name: 'service', title: 'service' },
    ],
    operation: implement(configOperations, makeImplementation(options)),
  }
}

function makeImplementation({
  solutions,
  configurations,
  domain,
}: ConfigOptions): Implementation<ServiceCall, typeof configOperations.schemas> {
  async function find({ businessId, solutionId }: ServiceCall, name: string) {
    const found = pick(await configurations.list(businessId, solutionId), name)
    if (found !== undefined) return found
    throw new Fault('not_found', `the solution has no configuration of ${name}`)
  }

  return {
    async getParameters(call, { service }) {
      const all = await configurations.list(call.businessId, call.solutionId)
      const { parameters = {} } = pick(all, service) ?? {}
      const isWeb = service.toLowerCase() === 'webservice'
      const shown = isWeb ? { ...parameters, domain: `${call.solutionId}.${domain}` } : parameters
      // Scripts of the field read `.parameters`.
      return { ...shown, parameters: shown } as ScriptValue
    },
    async setParameters(call, { service, parameters }) {
      const { id, triggers, service: name, parameters: before } = await find(call, service)
      const kept = Object.keys(triggers).length > 0 && { triggers }
      const given = pickOwn(parameters)
      // Scripts of the field name a part of a definition: the rest of it must not be lost.
      const whole = name === 'interface' ? { ...before, ...given } : given
      const body = { parameters: whole, ...kept }
      await configurations.update(call.businessId, call.solutionId, id, { body, byScript: true })
      return { status: 204 }
    },
    async listServices({ businessId, solutionId }) {
      return (await configurations.list(businessId, solutionId)).map(toLine)
    },
    async solution({ businessId, solutionId }) {
      const found = await solutions.get(businessId, solutionId)
      const { id, name, description, version, createdAt, updatedAt } = found
      return {
        id,
        business_id: businessId,
        name,
        domain: `${id}.${domain}`,
        description,
        version,
        created_at: createdAt,
        updated_at: updatedAt,
      }
    },
  }
}

/** The parameters without what `getParameters` adds, so that they can be written back. */
function pickOwn(given: Fields): Fields {
  const { parameters, ...rest } = given
  if (!isJsonObject(parameters)) return given
  const { domain: _, ...own } = rest
  const inner = Array.isArray(parameters.parameters) && { parameters: parameters.parameters }
  return { ...(parameters.domain === undefined ? rest : own), ...inner }
}

/** Finds a service by its script key, else by its name. */
function pick(all: readonly Configuration[], name: string): Configuration | undefined {
  const lower = name.toLowerCase()
  return (
    all.find(({ alias }) => alias.toLowerCase() === lower) ??
    all.find(({ service }) => service === name)
  )
}

function toLine({ id, service, alias, createdAt, updatedAt }: Configuration) {
  return { id, service, script_key: alias, created_at: createdAt, updated_at: updatedAt }
}
