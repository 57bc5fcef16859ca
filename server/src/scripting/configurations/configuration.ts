import { type Fields, invalidField, isJsonObject, Type } from '../../kernel/index.ts'

/**
 * A service that a solution has, with its alias and its settings. For an exposed solution it is the
 * spec's subscription.
 */
export type Configuration = {
  /** uuid */
  readonly id: string
  readonly businessId: string
  readonly solutionId: string
  /** `http`, or the id of an exposed solution or of a connector. */
  readonly service: string
  /** Whether the service is a connector: a solution may have had the same id. */
  readonly connector: boolean
  /** The name in its scripts (`Alias.operation{…}`) and handlers (`<alias>_<event>`). */
  readonly alias: string
  readonly parameters: Readonly<Record<string, unknown>>
  readonly triggers: Readonly<Record<string, unknown>>
  readonly hidden: Readonly<Record<string, unknown>>
  /** Microseconds. */
  readonly createdAt: number
  readonly updatedAt: number
}

const serviceName = /^[a-zA-Z0-9-]{1,63}$/
const serviceRule = 'must be the name of a service, or the id of a solution or connector'

export const serviceSchema = Type.String({ pattern: serviceName.source, rule: serviceRule })

/** @throws Fault invalid_argument unless it has the shape of a service's name or id. */
export function checkService(service: unknown): string {
  if (typeof service === 'string' && serviceName.test(service)) return service
  throw invalidField('service', serviceRule)
}

// JSON.stringify escapes a NUL and half of a pair in this spelling, and no other text.
const unstorable = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/

/** Checks that a value is an object that can be stored: not too large, of well-formed texts. */
export function storableField(field: string, value: unknown, bytesMax: number): Fields {
  if (!isJsonObject(value)) throw invalidField(field, 'must be an object')
  const text = JSON.stringify(value)
  if (Buffer.byteLength(text) > bytesMax)
    throw invalidField(field, `has more than ${bytesMax} bytes`)
  if (unstorable.test(text))
    throw invalidField(field, 'holds a NUL, or Unicode that is not well-formed')
  return value
}
