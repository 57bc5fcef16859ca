import { contracts, isStream } from '../../../server/src/api/management/index.ts'

/** The operations whose bodies forms of the console send. */
export const formOperations = [
  'addConfiguration',
  'changePassword',
  'changeUser',
  'createApiToken',
  'createConnector',
  'createDashboard',
  'createGroup',
  'createInvitation',
  'createRole',
  'createSolution',
  'createTemplate',
  'createUser',
  'setOidc',
  'setUserPassword',
  'updateConnector',
  'updateSolution',
  'updateSubscriber',
] as const

/** The part of a schema that a form reads. */
type Schema = {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly pattern?: string
  readonly rule?: string
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
}

const scalars = ['string', 'integer', 'number', 'boolean']

/** The rule of a field, as `console/app/ui/forms.ts` has it. */
export type FieldRule = Readonly<Record<string, unknown>>

/** The rules of the bodies of operations: by the field's path, which has a dot for each object. */
export type BodyRules = Readonly<Record<string, Readonly<Record<string, FieldRule>>>>

/** Reads the bodies with the limits that are in force. */
export function readBodies(): BodyRules {
  return Object.fromEntries(formOperations.map((id) => [id, readRules(getBody(id))]))
}

function getBody(id: string): Schema {
  const body = contracts.find((contract) => contract.id === id)?.detailsNow().body
  if (body === undefined || isStream(body)) throw new Error(`${id} has no body for a form`)
  return body as Schema
}

function readRules(schema: Schema): Record<string, FieldRule> {
  return Object.fromEntries(fieldsIn(schema, ''))
}

/** The fields that an input can hold: values, and lists of texts. */
function fieldsIn(
  { properties = {}, required = [] }: Schema,
  place: string,
): [string, FieldRule][] {
  return Object.entries(properties).flatMap(([name, given]) => {
    const path = place === '' ? name : `${place}.${name}`
    const isNullable = given.anyOf?.some(({ type }) => type === 'null') === true
    const { properties: inner, items, ...schema } = withoutNull(given)
    if (inner !== undefined) return fieldsIn({ ...schema, properties: inner }, path)
    const isList = schema.type === 'array' && items?.type === 'string'
    // The module checks a field without a type itself.
    const isUnchecked = schema.type === undefined && schema.anyOf === undefined
    const isValue = scalars.includes(schema.type ?? '') || isUnchecked
    if (!isList && !isValue) return []
    return [[path, readRule(schema, required.includes(name), isNullable)]]
  })
}

function withoutNull({ anyOf, ...own }: Schema): Schema {
  const [only, ...others] = anyOf?.filter(({ type }) => type !== 'null') ?? []
  return only === undefined || others.length > 0 ? own : { ...withoutNull(only), ...own }
}

function readRule(schema: Schema, isNeeded: boolean, isNullable: boolean): FieldRule {
  const { type, enum: choices, minLength, maxLength, minimum, maximum } = schema
  const { pattern, rule } = schema
  const sentence = choices === undefined ? rule : undefined
  const found = { choices, minLength, maxLength, minimum, maximum, pattern, rule: sentence }
  const stated = Object.entries(found).filter(([, value]) => value !== undefined)
  return {
    ...(type !== undefined && { type }),
    ...Object.fromEntries(stated),
    ...(isNeeded && { isNeeded }),
    ...(isNullable && { isNullable }),
  }
}
