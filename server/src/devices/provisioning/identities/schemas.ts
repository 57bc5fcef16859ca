import {
  component,
  limits,
  Microseconds,
  mayLoadMore,
  Nullable,
  OptionalMicroseconds,
  PageSize,
  RecordOf,
  refuseUnit,
  type StaticResult,
  StrictObject,
  Text,
  type TSchema,
  type TSchemaOptions,
  Type,
} from '../../../foundation/kernel/index.ts'
import { authTypes } from '../credentials/auth-type.ts'
import { provisioningLimits } from '../limits.ts'
import { statuses } from './identity.ts'

/* Schemas of identities: of what is given, which may hold limits, and of what is shown. */

export function createTagsSchema() {
  const tag = StrictObject({
    name: Text({ minLength: 1, maxLength: limits.nameCharsMax }),
    value: Text({ maxLength: limits.settingCharsMax }),
  })
  return Type.Array(tag, { maxItems: limits.tagsMax })
}

/** Finds tags by their name, and by their value where it is given. */
export function createTagFilterSchema(options: TSchemaOptions = {}) {
  return StrictObject(
    {
      name: Text({ minLength: 1, maxLength: limits.nameCharsMax }),
      value: Type.Optional(Text({ maxLength: limits.settingCharsMax })),
    },
    options,
  )
}

/** The tags of an identity to add and to remove. */
export function createTagChangeSchema() {
  return StrictObject({
    add: Type.Optional(createTagsSchema()),
    remove: Type.Optional(Type.Array(createTagFilterSchema(), { maxItems: limits.tagsMax })),
  })
}

/** A time that is refused if by its size it is in another unit than microseconds. */
export function TimeInput(description: string, rule: string) {
  return Type.Refine(
    Type.Integer({ description, rule, minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
    (time) => time === 0 || refuseUnit(time) === undefined,
    (time) => refuseUnit(time) ?? rule,
  )
}

/** The end of an activation window. */
export function createExpireSchema() {
  const rule = 'must be a whole number of microseconds, null or 0'
  const description = 'The end of the activation window, in microseconds; null or 0: none.'
  return Nullable(TimeInput(description, rule), { description })
}

export const authTypeSchema = Type.Enum([...authTypes], {
  rule: `must be one of ${authTypes.join(', ')}; csr is for PUT`,
})

/** The same, or a certificate by a signing request. */
export const givenTypeSchema = Type.Enum([...authTypes, 'csr'])

/** The fields of an identity that is whitelisted, or changed where it exists. */
export function createNewIdentitySchema() {
  return component('IdentityInput', identityFields(givenTypeSchema))
}

/** The fields of an identity that may be changed. */
export function createIdentityChangeSchema() {
  return component('IdentityChange', identityFields(authTypeSchema))
}

/**
 * Without `auth.expire` a new identity, and one whose window has closed, may be activated for
 * `activationWindowHours`; that of others stays as it was, and a lock opens none.
 */
export type WhitelistInput = StaticResult<ReturnType<typeof createIdentityChangeSchema>>

/** The same, or with a signing request. */
export type NewIdentity = StaticResult<ReturnType<typeof createNewIdentitySchema>>

/** True if no certificate is to be made for it. */
export function isComplete(input: NewIdentity): input is WhitelistInput {
  return input.auth?.type !== 'csr'
}

/** `authType`: how the device may authenticate. */
function identityFields<AuthType extends TSchema>(authType: AuthType) {
  const auth = StrictObject({
    expire: Type.Optional(createExpireSchema()),
    type: Type.Optional(authType),
    key: Type.Optional(
      Type.String({
        description: 'A certificate or a signing request, as PEM.',
        rule: 'must be PEM text',
      }),
    ),
  })
  return {
    auth: Type.Optional(auth),
    locked: Type.Optional(Type.Boolean({ description: 'True to lock the device.' })),
    reprovision: Type.Optional(
      Type.Boolean({ description: 'True to let the device be activated again.' }),
    ),
    tags: Type.Optional(createTagsSchema()),
  }
}

const filterText = (description: string) =>
  Type.Optional(Text({ description, maxLength: limits.settingCharsMax }))

/** The filters of a list. */
export function createFilterSchema(options: TSchemaOptions = {}) {
  const fields = {
    status: Type.Optional(Type.Enum([...statuses])),
    identity: filterText('A pattern: literals, `.`, `.*`, `.+`, `^` and `$`.'),
    ipaddress: Type.Optional(
      Type.String({
        description: 'The address of the last connection, or a CIDR range.',
        rule: 'must be an address or a CIDR range',
      }),
    ),
    online: Type.Optional(Type.Boolean({ description: 'Only devices that are online, or not.' })),
    tag: Type.Optional(Text({ minLength: 1, maxLength: limits.nameCharsMax })),
    tagValue: Type.Optional(Text({ maxLength: limits.settingCharsMax })),
  }
  return StrictObject(fields, options)
}
export type FilterInput = StaticResult<ReturnType<typeof createFilterSchema>>

/** The parameters of a list. */
export function createListSchema() {
  return StrictObject({
    limit: PageSize(),
    before: filterText(
      'The end of the page before: `<lastseen>:<identity>` of its last record, or `<lastseen>`.',
    ),
    ...createFilterSchema().properties,
    count: Type.Optional(Type.Boolean({ description: 'True: `matching` is counted.' })),
  })
}
export type ListInput = StaticResult<ReturnType<typeof createListSchema>>

/** The parameters of a list of windows. */
export function createWindowListSchema() {
  return StrictObject({
    limit: PageSize(),
    before: Type.Optional(
      TimeInput(
        'Only windows that close before this time, in microseconds.',
        'must be a whole number of microseconds',
      ),
    ),
    after: filterText('The end of the page before: `<expire>:<identity>` of its last window.'),
  })
}
export type NextInput = StaticResult<ReturnType<typeof createWindowListSchema>>

/** Selects identities: exactly one of the three is given. */
export function createIdentityFilterSchema() {
  return StrictObject({
    identity: Type.Optional(Text({ minLength: 1, maxLength: limits.identityCharsMax })),
    tag: Type.Optional(createTagFilterSchema({ description: 'Identities that have the tag.' })),
    all: Type.Optional(Type.Boolean({ description: 'True for all identities.' })),
  })
}
export type IdentityFilterInput = StaticResult<ReturnType<typeof createIdentityFilterSchema>>

/** The windows to extend, and their new end: `expire` or `hours`. */
export function createWindowExtensionSchema() {
  return StrictObject({
    expire: Type.Optional(createExpireSchema()),
    hours: Type.Optional(
      Type.Integer({
        description: 'Hours from now.',
        minimum: 1,
        maximum: provisioningLimits.windowHoursMax,
      }),
    ),
    ...createIdentityFilterSchema().properties,
  })
}
export type ExtendInput = StaticResult<ReturnType<typeof createWindowExtensionSchema>>

export const tagSchema = StrictObject(
  { name: Type.String(), value: Type.String() },
  { component: 'Tag' },
)

/** The two values of a resource on a device, as texts, and the time of the newer one. */
const resourceValueSchema = StrictObject({
  reported: Nullable(Type.String(), { description: 'The last value of the device.' }),
  set: Type.String({ description: 'The value that it is to have.' }),
  timestamp: Type.Integer({ description: 'Microseconds since 1970.' }),
})
export type ResourceValue = StaticResult<typeof resourceValueSchema>

/** The values of a device as it is shown. */
export const stateSchema = RecordOf(resourceValueSchema, {
  component: 'DeviceState',
  description: 'The values by alias.',
})
export type State = StaticResult<typeof stateSchema>

/** An identity as it is shown. */
export const identitySchema = StrictObject(
  {
    identity: Type.String(),
    auth: StrictObject({
      type: authTypeSchema,
      expire: Type.Optional(Type.Integer({ description: 'The end of the window, microseconds.' })),
      key: Type.Optional(Type.String({ description: 'The certificate; absent in lists.' })),
    }),
    state: stateSchema,
    stateCut: Type.Optional(
      Type.Literal(true, {
        description: 'Present if `state` has not all values.',
        wire: 'stateCut',
      }),
    ),
    locked: Type.Boolean(),
    reprovision: Type.Boolean({ description: 'True if the device may be activated again.' }),
    devmode: Type.Boolean(),
    lastip: Nullable(Type.String(), { description: 'The address of the last connection.' }),
    lastseen: Nullable(Type.Integer(), { description: 'Microseconds since 1970.' }),
    status: Type.Enum([...statuses]),
    online: Type.Boolean(),
    tags: Type.Array(tagSchema),
  },
  { component: 'Identity' },
)
export type IdentityRecord = StaticResult<typeof identitySchema>

/** A page of identities. */
export const identityPageSchema = StrictObject({
  mayLoadMore,
  total: Type.Integer(),
  matching: Type.Optional(
    Type.Integer({ description: 'With `count`: those that the filters select.' }),
  ),
  devices: Type.Array(identitySchema),
})
export type IdentityPage = StaticResult<typeof identityPageSchema>

/** The values to set of a device. */
export const wantedValuesSchema = RecordOf(
  Type.Union([Type.String(), Type.Number(), Type.Boolean()], {
    rule: 'must be a string, a number or a boolean',
  }),
  { description: 'The values by alias.' },
)

/** A page of windows. */
export const windowPageSchema = StrictObject({
  mayLoadMore,
  windows: Type.Array(
    component('Window', {
      identity: Type.String(),
      expire: Microseconds('The time at which it closes, in microseconds.'),
      locked: Type.Boolean(),
      tags: Type.Array(tagSchema),
    }),
  ),
})
export type WindowPage = StaticResult<typeof windowPageSchema>

export const extendedSchema = StrictObject({
  extended: Type.Integer(),
  expire: OptionalMicroseconds('In microseconds; null: no deadline.'),
})
export type Extended = StaticResult<typeof extendedSchema>
