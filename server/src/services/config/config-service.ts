import { Fault } from '../../kernel/index.ts'
import type {
  Configuration,
  Operation,
  Scripting,
  ScriptValue,
  Service,
  ServiceCall,
} from '../../scripting/index.ts'
import { invalid, nameIn, tableIn, take } from './arguments.ts'

export type ConfigNeeds = {
  readonly solutions: Pick<Scripting['solutions'], 'get'>
  readonly configurations: Pick<Scripting['configurations'], 'list' | 'update'>
}

/** The service `config`: what a solution is, and what its services are set to. */
export function createConfigService(needs: ConfigNeeds): Service {
  const operations = operationsOf(needs)
  return {
    name: 'config',
    always: true,
    events: [],
    operation: (name) => (Object.hasOwn(operations, name) ? operations[name] : undefined),
  }
}

function operationsOf({
  solutions,
  configurations,
}: ConfigNeeds): Readonly<Record<string, Operation>> {
  async function find({ businessId, solutionId }: ServiceCall, given: ScriptValue) {
    const name = nameIn('service', given)
    if (name === undefined) throw invalid('service must be given')
    const found = pick(await configurations.list(businessId, solutionId), name)
    if (found !== undefined) return found
    throw new Fault('not_found', `the solution has no configuration of ${name}`)
  }

  return {
    async getParameters(call, args) {
      const { parameters } = await find(call, take(args, ['service']).service)
      return parameters as ScriptValue
    },
    async setParameters(call, args) {
      const { service, parameters } = take(args, ['service', 'parameters'])
      const table = tableIn('parameters', parameters)
      const { id, triggers } = await find(call, service)
      const kept = Object.keys(triggers).length > 0 && { triggers }
      const body = { parameters: table, ...kept }
      await configurations.update(call.businessId, call.solutionId, id, { body })
      return { status: 204 }
    },
    async listServices({ businessId, solutionId }, args) {
      take(args, [])
      return (await configurations.list(businessId, solutionId)).map(lineOf)
    },
    async solution({ businessId, solutionId }, args) {
      take(args, [])
      const found = await solutions.get(businessId, solutionId)
      const { id, name, description, version, createdAt, updatedAt } = found
      return {
        ...{ id, business_id: businessId, name, description, version },
        ...{ created_at: createdAt, updated_at: updatedAt },
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

function lineOf({ id, service, alias, createdAt, updatedAt }: Configuration): ScriptValue {
  return { id, service, script_key: alias, created_at: createdAt, updated_at: updatedAt }
}
