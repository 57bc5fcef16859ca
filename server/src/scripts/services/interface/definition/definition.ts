import {
  AnyValue,
  component,
  limits,
  RecordOf,
  type StaticResult,
  StrictObject,
  type TProperties,
  Type,
} from '../../../../foundation/kernel/index.ts'
import { createQuotaSchema } from '../quotas/quota.ts'
import { isEmail } from '../schema/formats.ts'

/** Operations of one exposed solution. */
const interfaceOperationsMax = 100
/** Parameters of one exposed solution that its subscribers set. */
const interfaceParametersMax = 100
/** Businesses on the whitelist of one exposed solution. */
const interfaceWhitelistMax = 1_000

export const modes = ['async', 'sync'] as const
export type Mode = (typeof modes)[number]

const parameterTypes = ['string', 'boolean', 'number', 'integer', 'array', 'object'] as const
const businessId = /^[a-zA-Z0-9_-]+$/

/** The form of a `default_script_key`: the name of a service in scripts. */
export const scriptKey = /^(?![0-9])[a-zA-Z0-9]{2,63}$/

const named = (pattern: RegExp, description?: string) =>
  Type.String({ pattern: pattern.source, ...(description !== undefined && { description }) })

const optionalText = (maxLength: number, description: string) =>
  Type.Optional(Type.String({ maxLength, description }))

const describedText = (readers: string) => optionalText(limits.descriptionCharsMax, readers)

/** A payload schema; `schemaReader` checks its keywords. */
const payload = (description: string) =>
  Type.Optional(
    RecordOf(AnyValue<unknown>(), { description, rule: 'must be a payload schema, an object' }),
  )

function createParameterFields() {
  return {
    name: named(/^[a-zA-Z][a-zA-Z0-9_]{2,99}$/),
    items: payload('A payload schema of its items.'),
    properties: payload('Payload schemas of its fields.'),
    description: describedText('For subscribers.'),
  }
}

const createType = () => Type.Enum([...parameterTypes], { description: '`string` if left out.' })

/** An operation or an event, with fields of its own. */
function createCallable<Own extends TProperties>(own: Own) {
  return StrictObject({
    name: named(/^[a-zA-Z][a-zA-Z0-9]+$/),
    response: payload('A payload schema of its result.'),
    parameters: payload('A payload schema of its arguments.'),
    description: describedText('For its callers.'),
    ...own,
  })
}

const createOperation = () =>
  createCallable({ script: optionalText(limits.scriptSourceBytesMax, 'The body of its handler.') })

const createEvent = () =>
  createCallable({
    default_script: optionalText(limits.scriptSourceBytesMax, 'The handler of a new subscriber.'),
  })

function createContact() {
  const email = Type.String({ maxLength: limits.emailCharsMax, description: 'An address.' })
  return StrictObject({
    name: optionalText(limits.nameCharsMax, 'A person.'),
    email: Type.Optional(Type.Refine(email, isEmail, () => 'must be an e-mail address')),
  })
}

/** The fields of a definition; in one that is sent, `Parameter` need not have all of its fields. */
function createFields<Parameter extends TProperties>(parameter: Parameter) {
  const tag = Type.String({ minLength: 1, maxLength: limits.interfaceTagCharsMax })
  const business = Type.Refine(
    Type.String({ maxLength: limits.hostLabelCharsMax }),
    (id) => businessId.test(id),
    () => 'must be the id of a business',
  )
  return {
    default_script_key: named(scriptKey, 'Its name in scripts of subscribers.'),
    name: Type.String({ maxLength: limits.nameCharsMax }),
    description: Type.String({ maxLength: limits.descriptionCharsMax }),
    contact: createContact(),
    tags: Type.Array(tag, { maxItems: limits.interfaceTagsMax }),
    whitelist: Type.Array(business, {
      maxItems: interfaceWhitelistMax,
      description: 'The ids of businesses that may use it, beside its own.',
    }),
    parameters: Type.Array(StrictObject(parameter), {
      maxItems: interfaceParametersMax,
      description: 'Settings of a subscription.',
    }),
    operations: Type.Array(createOperation(), { maxItems: interfaceOperationsMax }),
    events: Type.Array(createEvent(), { maxItems: limits.interfaceEventsMax }),
  }
}

/** `P`: the operations of its devices are its own, if no script takes their place. */
const createSolutionType = () =>
  Type.Optional(Type.Enum(['P'], { description: 'P: the operations on its devices are exposed.' }))

const createMode = () => Type.Optional(Type.Enum([...modes]))

/** The spec's interface service configuration, as it is sent. */
export function createDefinitionSchema() {
  const parameter = { ...createParameterFields(), type: Type.Optional(createType()) }
  const fields = createFields(parameter)
  return StrictObject({
    default_script_key: Type.Optional(fields.default_script_key),
    name: Type.Optional(fields.name),
    description: Type.Optional(fields.description),
    contact: Type.Optional(fields.contact),
    tags: Type.Optional(fields.tags),
    whitelist: Type.Optional(fields.whitelist),
    parameters: Type.Optional(fields.parameters),
    operations: Type.Optional(fields.operations),
    events: Type.Optional(fields.events),
    type: createSolutionType(),
    mode: createMode(),
    quota: Type.Optional(createQuotaSchema()),
  })
}

/** The fields of a definition as it is stored and shown: with their defaults. */
function createShownDefinition() {
  const count = Type.Optional(Type.Integer())
  const quota = StrictObject(
    { calls_daily: count, calls_monthly: count },
    { description: 'Of callers without a quota of their own.' },
  )
  return {
    ...createFields({ ...createParameterFields(), type: createType() }),
    type: createSolutionType(),
    mode: createMode(),
    quota: Type.Optional(quota),
  }
}

export type OperationDefinition = StaticResult<ReturnType<typeof createOperation>>
export type EventDefinition = StaticResult<ReturnType<typeof createEvent>>

/** The definition of an exposed solution, with the defaults of all its fields. */
export const createShownSchema = () =>
  component('InterfaceDefinition', createShownDefinition(), {
    description: 'The service that a solution exposes.',
  })
export type Definition = StaticResult<ReturnType<typeof createShownSchema>>

/** An exposed solution in the list of those that a business may use. */
export function createOfferedSchema() {
  const { default_script_key, name, description, contact, tags } = createShownDefinition()
  const parameter = StrictObject({ name: Type.String(), type: Type.String() })
  return component(
    'OfferedService',
    {
      solution_id: Type.String(),
      own: Type.Boolean({ description: 'It is a solution of the own business.' }),
      default_script_key,
      name,
      description,
      contact,
      tags,
      parameters: Type.Array(parameter, { description: 'Settings of a subscription.' }),
    },
    { description: 'A solution that the business may use as a service.' },
  )
}
export type OfferedService = StaticResult<ReturnType<typeof createOfferedSchema>>

/** A breaking change between two definitions, and the subscribers that it affects. */
export const breakingSchema = component(
  'BreakingChange',
  {
    part: Type.Enum(['operation', 'event', 'parameter', 'mode']),
    name: Type.String({ description: 'Of the operation, the event or the parameter.' }),
    change: Type.String({ description: 'A sentence for people.' }),
    subscribers: Type.Array(
      StrictObject({
        instance_id: Type.String({ description: 'The id of the subscription.' }),
        solution_id: Type.String(),
      }),
      { description: 'Those that it breaks.' },
    ),
  },
  { description: 'A difference on which a subscriber may rely.' },
)
export type Impact = StaticResult<typeof breakingSchema>
export type Breaking = Omit<Impact, 'subscribers'>
