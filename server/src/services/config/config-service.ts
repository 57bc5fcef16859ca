import { Fault, type Implementation, implement } from '../../kernel/index.ts'
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
}

/** The service `config`: what a solution is, and what its services are set to. */
export function createConfigService(options: ConfigOptions): Service {
  return {
    name: 'config',
    always: true,
    events: [{ name: 'service', title: 'service' }],
    operation: implement(configOperations, implementationOf(options)),
  }
}

function implementationOf({
  solutions,
  configurations,
}: ConfigOptions): Implementation<ServiceCall, typeof configOperations.schemas> {
  async function find({ businessId, solutionId }: ServiceCall, name: string) {
    const found = pick(await configurations.list(businessId, solutionId), name)
    if (found !== undefined) return found
    throw new Fault('not_found', `the solution has no configuration of ${name}`)
  }

  return {
    async getParameters(call, { service }) {
      const { parameters } = await find(call, service)
      return parameters as ScriptValue
    },
    async setParameters(call, { service, parameters }) {
      const { id, triggers } = await find(call, service)
      const kept = Object.keys(triggers).length > 0 && { triggers }
      const body = { parameters, ...kept }
      await configurations.update(call.businessId, call.solutionId, id, { body, byScript: true })
      return { status: 204 }
    },
    async listServices({ businessId, solutionId }) {
      return (await configurations.list(businessId, solutionId)).map(lineOf)
    },
    async solution({ businessId, solutionId }) {
      const found = await solutions.get(businessId, solutionId)
      const { id, name, description, version, createdAt, updatedAt } = found
      return {
        id,
        business_id: businessId,
        name,
        description,
        version,
        created_at: createdAt,
        updated_at: updatedAt,
      }
    },
  }
}

/** Finds a service by its script key, else by its name. */
function pick(all: readonly Configuration[], name: string): Configuration | undefined {
  const lower = name.toLowerCase()
  return (
    all.find(({ alias }) => alias.toLowerCase() === lower) ??
    all.find(({ service }) => service === name)
  )
}

function lineOf({ id, service, alias, createdAt, updatedAt }: Configuration) {
  return { id, service, script_key: alias, created_at: createdAt, updated_at: updatedAt }
}
