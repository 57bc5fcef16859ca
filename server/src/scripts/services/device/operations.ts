import {
  authTypeSchema,
  createExpireSchema,
  createListSchema,
  identitySchema,
  stateSchema,
  tagSchema,
} from '../../../devices/provisioning/index.ts'
import {
  AnyValue,
  defineOperations,
  limits,
  StrictObject,
  Type,
} from '../../../foundation/kernel/index.ts'

import { gatewaySchemas } from './gateway-operations.ts'
import { deviceServiceLimits } from './limits.ts'

/* Provisioning checks the tags, which may be names or objects. */

const identity = Type.Refine(
  Type.String({
    description: 'The identity of the device.',
    minLength: 1,
    numberAsText: true,
    rule: 'must be given, a string',
  }),
  (text) => !text.includes('\0') && text.isWellFormed() && text.length <= limits.settingCharsMax,
  () => 'is none that there can be',
)

function text(description: string) {
  return Type.Optional(Type.String({ description, numberAsText: true }))
}

function flag(description: string) {
  return Type.Optional(Type.Boolean({ description }))
}

const auth = StrictObject(
  {
    expire: Type.Optional(createExpireSchema()),
    type: Type.Optional(authTypeSchema),
    key: text(
      'The certificate that alone activates the device, as PEM; or the token or password of a ' +
        'new device, which then needs no activation.',
    ),
  },
  { description: 'How the device authenticates.', default: {}, rule: 'must be a table' },
)

const whitelisted = {
  identity,
  auth,
  locked: flag('True to lock the device.'),
  tags: Type.Optional(
    Type.Array(AnyValue<unknown>(), {
      description: 'Names, or `{name, value}`.',
      rule: 'must be a list',
    }),
  ),
}

const tagFields = {
  identity,
  name: text('The name of a tag.'),
  value: text('The value of the tag `name`.'),
  tag: Type.Optional(AnyValue<unknown>({ description: 'A name, or `{name, value}`.' })),
  tags: whitelisted.tags,
}

const addTagArguments = StrictObject({
  ...tagFields,
  replace: flag('True to put the tags in place of all values of their names.'),
})

const removeTagArguments = StrictObject({
  ...tagFields,
  value: text('The value of the tag `name`, or several, with commas between them.'),
})

/** The result of a write for existing programs. */
const written = StrictObject({ status: Type.Literal(204) })

const changeIdentity = {
  description: 'Changes a device; a field that is left out stays.',
  args: StrictObject({
    ...whitelisted,
    reprovision: flag('True to let the device be activated again.'),
  }),
  result: written,
}

const addTags = {
  description: 'Adds tags to a device: by `name` and `value`, `tag` or `tags`.',
  args: addTagArguments,
  result: written,
}
const getIdentityTag = {
  description: 'Reads the tags of a device, or those of one name.',
  reads: true as const,
  args: StrictObject({ identity, name: text('The name of the tags.') }),
  result: StrictObject({ tags: Type.Array(tagSchema) }),
}

const listTagNames = {
  description: 'Lists the names of tags that devices have.',
  reads: true as const,
  args: StrictObject({}),
  result: StrictObject({ names: Type.Array(Type.String()) }),
}

const removeTags = {
  description: 'Removes tags of a device: by `name`, `tag` or `tags`.',
  args: removeTagArguments,
  result: written,
}

const oneTag = Type.Optional(
  AnyValue<unknown>({
    description: 'A name, `{name, value}`, or a list of them: devices that have each of the tags.',
  }),
)

const whole = (description: string, minimum: number, maximum: number) =>
  Type.Optional(
    Type.Integer({
      description,
      minimum,
      maximum,
      digitsAsNumber: true,
      rule: `must be ${minimum} to ${maximum}`,
    }),
  )

/** The filters that select devices. */
const filters = () => {
  const { status, ipaddress } = createListSchema().properties
  return {
    status,
    ipaddress,
    identity: text('A regular expression that the identity holds a match of.'),
    tag: oneTag,
    tags: oneTag,
  }
}

const pages = () => ({
  limit: whole('The most devices of the answer.', 1, deviceServiceLimits.deviceListMax),
  offset: whole('The number of devices that are skipped.', 0, deviceServiceLimits.deviceOffsetMax),
  order: Type.Optional(
    Type.Array(Type.String(), {
      description: '`identity` or `lastseen`, with `-` before it or `desc` behind it: downwards.',
      itemAsList: true,
      rule: 'must be a list of orders',
    }),
  ),
  before: text('The end of the page before: `<lastseen>:<identity>`, or `<lastseen>`.'),
})

const many = (what: string) =>
  StrictObject({
    identities: Type.Array(AnyValue<unknown>(), {
      description: `Of each device the arguments of \`${what}\`.`,
      maxItems: deviceServiceLimits.deviceBatchMax,
      rule: `must be a list of at most ${deviceServiceLimits.deviceBatchMax}`,
    }),
  })

const manyResult = Type.Array(
  StrictObject({
    identity: Type.String({ description: 'Empty if none was given.' }),
    status: Type.Integer({ description: '204, or the status of `error`.' }),
    error: Type.Optional(Type.String()),
  }),
)

const makeIdentity = {
  description: 'Whitelists a device and gives it a token, which no other operation shows.',
  args: StrictObject(whitelisted),
  result: StrictObject({
    identity: Type.String(),
    auth: StrictObject({ type: Type.Literal('token'), key: Type.String() }),
  }),
}

/** The operations on a connector. Some have a name for one tag, and one for several. */
export const deviceOperations = defineOperations(() => ({
  getIdentity: {
    description: 'Reads a device.',
    reads: true,
    args: StrictObject({ identity }),
    result: identitySchema,
  },
  getIdentityState: {
    description: 'Reads the values of a device.',
    reads: true,
    args: StrictObject({ identity }),
    result: stateSchema,
  },
  listIdentities: {
    description: 'Lists devices, those that were seen last first.',
    reads: true,
    args: StrictObject({ ...filters(), ...pages() }),
    result: StrictObject({
      devices: Type.Array(identitySchema),
      mayLoadMore: Type.Boolean(),
      total: Type.Integer({ description: 'The number of devices of the connector.' }),
    }),
  },
  setIdentityState: {
    description: 'Sets values of a device. Tables are ignored.',
    args: Type.Object(
      { identity },
      { additionalProperties: AnyValue<unknown>(), description: 'The values by alias.' },
    ),
    result: written,
  },
  countIdentities: {
    description: 'Counts devices.',
    reads: true,
    args: StrictObject(filters()),
    result: StrictObject({ count: Type.Integer() }),
  },
  addIdentity: {
    description: 'Whitelists a device.',
    args: StrictObject(whitelisted),
    result: written,
  },
  addIdentities: {
    description: 'Whitelists several devices; each one succeeds or fails by itself.',
    args: many('addIdentity'),
    result: manyResult,
  },
  makeIdentity,
  setIdentity: changeIdentity,
  updateIdentity: changeIdentity,
  updateIdentities: {
    description: 'Changes several devices; each one succeeds or fails by itself.',
    args: many('updateIdentity'),
    result: manyResult,
  },
  removeIdentity: {
    description: 'Removes a device.',
    args: StrictObject({ identity }),
    result: written,
  },
  addIdentityTag: addTags,
  addIdentityTags: addTags,
  removeIdentityTag: removeTags,
  removeIdentityTags: removeTags,
  getIdentityTag,
  listTagName: listTagNames,
  listTagNames,
  ...gatewaySchemas,
}))
