import type { Configuration } from '../../../scripting/index.ts'
import type { Definition, EventDefinition, OperationDefinition } from '../definition/definition.ts'
import type { SchemaNode } from '../schema/node.ts'
import { schemaReader } from '../schema/parse.ts'

/** An exposed solution with its parsed schemas. */
export type Exposed = {
  readonly businessId: string
  readonly solutionId: string
  /** The time at which its configuration was stored, in microseconds. */
  readonly updatedAt: number
  readonly definition: Definition
  readonly operations: ReadonlyMap<string, Payloads>
  readonly events: ReadonlyMap<string, Payloads>
  /** The schemas of its parameters, by name. */
  readonly parameters: ReadonlyMap<string, SchemaNode>
}

export type Payloads = {
  readonly parameters: SchemaNode | undefined
  readonly response: SchemaNode | undefined
}

/** Parses a configuration that parse-definition.ts has validated. */
export function parseExposed(configuration: Configuration): Exposed {
  const { businessId, solutionId, updatedAt } = configuration
  const definition = getDefinition(configuration)
  // Parts that were passed over when it was stored are passed over again.
  const read = schemaReader(() => {})
  const payloads = ({ name, parameters, response }: OperationDefinition | EventDefinition) => {
    const schemas = {
      parameters: parameters && read(name, parameters),
      response: response && read(name, response),
    }
    return [name, schemas] as const
  }
  return {
    businessId,
    solutionId,
    updatedAt,
    definition,
    operations: new Map(definition.operations.map(payloads)),
    events: new Map(definition.events.map(payloads)),
    parameters: new Map(
      definition.parameters.map(({ name, type, items, properties }) => {
        const schema = { type, ...(items && { items }), ...(properties && { properties }) }
        return [name, read(name, schema)]
      }),
    ),
  }
}

export function getDefinition({ parameters }: Configuration): Definition {
  return parameters as Definition
}

/** True for its own business, and for those on the whitelist. */
export function mayUse(
  businessId: string,
  { whitelist }: Definition,
  askingBusinessId: string,
): boolean {
  return askingBusinessId === businessId || whitelist.includes(askingBusinessId)
}

/** Returns the name of the handler's parameter: the payload's title. */
export function payloadTitle(payload: OperationDefinition['parameters']): string {
  return typeof payload?.title === 'string' ? payload.title : 'event'
}
