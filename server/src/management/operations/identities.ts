import {
  component,
  invalidField,
  omitUndefined,
  RecordOf,
  StrictObject,
  Type,
} from '../../kernel/index.ts'
import {
  authTypeSchema,
  createIdentityInputSchema,
  createListSchema,
  createTagChangeSchema,
  givenTypeSchema,
  identitySchema,
  stateSchema,
  tagSchema,
} from '../../provisioning/index.ts'
import { deviceSeen } from '../calls.ts'
import { does, lists, mayLoadMore, shows } from '../contract/common.ts'
import { operations } from '../operation.ts'

/** The codes of a signing by the connector's certificate vendor. */
export const signingRefusals = ['csr_refused', 'vendor_failed', 'secret_unreadable'] as const

const inputDescription =
  '`auth.expire` is the deadline of the activation; left out, a new identity has ' +
  '`activationWindowHours`. `auth.type` with `auth.key` in PEM is `certificate`, which alone ' +
  'provisions the identity, or `csr`, a signing request; without `auth.key` it can only be what ' +
  'it is already. `reprovision: true` lets a device activate again.'

/** The filters of the list of identities, by their names on the wire. */
export const filterFields = () => {
  const { limit: _, before: __, tag, ...fields } = createListSchema().properties
  const { name, value } = tag.properties
  return { ...fields, tag: Type.Optional(name), tag_value: value }
}

const on = operations('devices', 'Setup', '/api:1/service/:connector/device2', {
  isNamed: true,
  ofGroups: true,
})

export const listIdentities = on.get(
  '/identity',
  'List the identities of a connector, last seen first.',
  () => {
    const { limit, before } = createListSchema().properties
    const query = {
      limit,
      before,
      ...filterFields(),
      count: Type.Optional(Type.Boolean({ description: 'True: `matching` is counted.' })),
    }
    return {
      description:
        'Filters narrow each other. An empty parameter counts as left out. A caller of some ' +
        'groups sees the devices of these. `count` reads all that the filters select: ask for it ' +
        'seldom.',
      query: StrictObject(query),
      ...shows(
        'A page. `total` counts the identities of the connector, whatever the filters.',
        StrictObject({
          mayLoadMore,
          total: Type.Integer(),
          matching: Type.Optional(
            Type.Integer({ description: 'With `count`: those that the filters select.' }),
          ),
          devices: Type.Array(identitySchema),
        }),
      ),
    }
  },
  async ({ provisioning: { identities } }, { view, params, query }) => {
    const { count = false, ...rest } = query
    const where = [view, params.connector] as const
    const input = listInputOf(rest)
    const page = await identities.list(...where, input)
    if (!count) return page
    const { limit: _, before: __, ...filters } = input
    return { ...page, matching: await identities.count(...where, filters) }
  },
)

export const getIdentity = on.get(
  '/identity/:identity',
  'Show an identity.',
  () => ({
    ...shows('The identity.', identitySchema),
    refuses: ['unknown_identity'],
  }),
  ({ provisioning: { identities } }, call) => identities.get(...deviceSeen(call)),
)

export const putIdentity = on.put(
  '/identity/:identity',
  'Whitelist an identity, or change what the body names of one that is there.',
  () => ({
    description: inputDescription,
    body: component('IdentityInput', createIdentityInputSchema(givenTypeSchema).properties),
    ...shows(
      'The identity; with `auth.type` `csr` the certificate instead.',
      Type.Union([
        identitySchema,
        StrictObject({ certificate: Type.String({ description: 'PEM.' }) }),
      ]),
    ),
    refuses: [
      'already_exists',
      'connector_full',
      'business_quota_full',
      'reprovision_refused',
      ...signingRefusals,
    ],
    example: {
      request: {
        auth: { expire: 1_893_456_000_000_000 },
        tags: [{ name: 'site', value: 'north' }],
      },
    },
  }),
  async ({ provisioning: { identities } }, { view, params, body }) => {
    const { auth: { expire, type, key } = {}, ...rest } = body
    const where = [view, params.connector, params.identity] as const
    if (type === 'csr') {
      const input = omitUndefined({ expire, ...rest })
      const signed = await identities.whitelistSigned(...where, key ?? '', input)
      return { certificate: signed.certificatePem }
    }
    const input = omitUndefined({ expire, authType: type, certificate: key, ...rest })
    return await identities.whitelist(...where, input)
  },
)

export const updateIdentity = on.patch(
  '/identity/:identity',
  'Change what the body names of an identity that is there.',
  () => ({
    description: 'An `auth.expire` of 0 orders the device to activate again.',
    body: component('IdentityChange', createIdentityInputSchema(authTypeSchema).properties),
    ...shows('The identity.', identitySchema),
    refuses: ['unknown_identity', 'reprovision_refused'],
    example: { request: { locked: true } },
  }),
  async ({ provisioning: { identities } }, call) => {
    const { auth: { expire, type, key } = {}, ...rest } = call.body
    // A deadline of 0 is how tools of the field order a device to be provisioned again.
    const order = expire === 0 ? { reprovision: true } : { expire }
    const input = omitUndefined({ ...order, authType: type, certificate: key, ...rest })
    const where = deviceSeen(call)
    await identities.change(...where, input)
    return await identities.get(...where)
  },
)

export const deleteIdentity = on.remove(
  '/identity/:identity',
  'Delete an identity with its credential and its values.',
  () => ({
    ...does('It is deleted.'),
    refuses: ['unknown_identity'],
  }),
  ({ provisioning: { identities } }, call) => identities.remove(...deviceSeen(call)),
)

export const changeTags = on.patch(
  '/identity/:identity/tags',
  'Add and remove tags of an identity, whatever others do meanwhile.',
  () => ({
    description:
      'A tag to remove without a `value` is every tag of that `name`. One to add that is there, ' +
      'or to remove that is not, changes nothing.',
    body: createTagChangeSchema(),
    ...lists('tags', tagSchema, 'The tags that it has now.'),
    refuses: ['unknown_identity'],
    example: { request: { add: [{ name: 'floor', value: '2' }], remove: [{ name: 'site' }] } },
  }),
  async ({ provisioning: { identities } }, call) => {
    const where = deviceSeen(call)
    await identities.changeTags(...where, call.body)
    return (await identities.get(...where)).tags
  },
)

export const getState = on.get(
  '/identity/:identity/state',
  'Show the values of a device.',
  () => ({
    ...shows('The values by alias.', stateSchema),
    refuses: ['unknown_identity', 'too_large'],
  }),
  ({ provisioning: { state } }, call) => state(...deviceSeen(call)),
)

export const setState = on.patch(
  '/identity/:identity/state',
  'Set values of a device.',
  () => ({
    body: RecordOf(
      Type.Union([Type.String(), Type.Number(), Type.Boolean()], {
        rule: 'must be a string, a number or a boolean',
      }),
      { description: 'The values by alias.' },
    ),
    ...does('The values are durable, and on their way to the device.'),
    refuses: ['unknown_identity', 'not_settable', 'value_refused'],
    example: { request: { level: 7 } },
  }),
  ({ provisioning }, call) =>
    provisioning.setState(...deviceSeen(call), call.body, { ip: call.ip }),
)

type TagFilter = { readonly tag?: string | undefined; readonly tag_value?: string | undefined }

/** The parameters of a list as provisioning takes them. @throws Fault `invalid_argument`. */
export function listInputOf<Rest extends object>({
  tag: name,
  tag_value: value,
  ...rest
}: Rest & TagFilter) {
  if (name === undefined && value !== undefined) {
    throw invalidField('tag_value', 'needs the name of the tag as tag')
  }
  const tag = name === undefined ? undefined : omitUndefined({ name, value })
  return omitUndefined({ ...rest, tag })
}
