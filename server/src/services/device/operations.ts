import { AnyValue, defineOperations, limits, StrictObject, Type } from '../../kernel/index.ts'
import {
  authTypeSchema,
  createExpireSchema,
  createListSchema,
  identitySchema,
  stateSchema,
} from '../../provisioning/index.ts'

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
    key: text('The certificate that alone activates the device, as PEM.'),
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

const tagArguments = StrictObject({
  identity,
  name: text('The name of a tag.'),
  value: text('The value of the tag `name`.'),
  tag: Type.Optional(AnyValue<unknown>({ description: 'A name, or `{name, value}`.' })),
  tags: whitelisted.tags,
})

/** The result of a write for existing programs. */
const written = StrictObject({ status: Type.Literal(204) })

const addTags = {
  description: 'Adds tags to a device: by `name` and `value`, `tag` or `tags`.',
  args: tagArguments,
  result: written,
}
const removeTags = {
  description: 'Removes tags of a device: by `name`, `tag` or `tags`.',
  args: tagArguments,
  result: written,
}

/** The operations on a connector. Some have a name for one tag, and one for several. */
export const deviceOperations = defineOperations(() => ({
  getIdentity: {
    description: 'Reads a device.',
    args: StrictObject({ identity }),
    result: identitySchema,
  },
  getIdentityState: {
    description: 'Reads the values of a device.',
    args: StrictObject({ identity }),
    result: stateSchema,
  },
  listIdentities: {
    description: 'Lists devices, those that were seen last first.',
    args: StrictObject({
      ...createListSchema().properties,
      identity: text('A pattern: literals, `.`, `.*`, `.+`, `^`, `$`.'),
      before: text('The end of the page before: `<lastseen>:<identity>`, or `<lastseen>`.'),
      tag: Type.Optional(
        AnyValue<unknown>({
          description: 'A name, or `{name, value}`: devices that have the tag.',
        }),
      ),
    }),
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
  addIdentity: {
    description: 'Whitelists a device.',
    args: StrictObject(whitelisted),
    result: written,
  },
  setIdentity: {
    description: 'Changes a device; a field that is left out stays.',
    args: StrictObject({
      ...whitelisted,
      reprovision: flag('True to let the device be activated again.'),
    }),
    result: written,
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
}))
