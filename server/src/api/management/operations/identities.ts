import {
  createIdentityChangeSchema,
  createListSchema,
  createNewIdentitySchema,
  createTagChangeSchema,
  identityPageSchema,
  identitySchema,
  isComplete,
  stateSchema,
  tagSchema,
  wantedValuesSchema,
} from '../../../devices/provisioning/index.ts'
import { StrictObject, Type } from '../../../foundation/kernel/index.ts'
import { deviceSeen } from '../calls.ts'
import { does, lists, shows } from '../contract/common.ts'
import { operations } from '../operation.ts'

/** The codes of a signing by the connector's certificate vendor. */
export const signingRefusals = ['csr_refused', 'vendor_failed', 'secret_unreadable'] as const

const on = operations('devices', 'Setup', '/api:1/service/:connector/device2', { ofGroups: true })

export const listIdentities = on.get(
  '/identity',
  'List the identities of a connector, last seen first.',
  () => ({
    description:
      'Filters narrow each other. An empty parameter counts as left out. A caller of some ' +
      'groups sees the devices of these. `count` reads all that the filters select: ask for it ' +
      'seldom.',
    query: createListSchema(),
    ...shows(
      'A page. `total` counts the identities of the connector, whatever the filters.',
      identityPageSchema,
    ),
  }),
  ({ provisioning: { identities } }, { view, params, query }) =>
    identities.list(view, params.connector, query),
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
    description:
      '`auth.expire` is the deadline of the activation; left out, a new identity has ' +
      '`activationWindowHours`. `auth.type` with `auth.key` in PEM is `certificate`, which alone ' +
      'provisions the identity, or `csr`, a signing request; without `auth.key` it can only be ' +
      'what it is already. `reprovision: true` lets a device activate again.',
    body: createNewIdentitySchema(),
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
  ({ provisioning: { identities } }, { view, params, body }) => {
    const where = [view, params.connector, params.identity] as const
    if (!isComplete(body)) return identities.whitelistSigned(...where, body)
    return identities.whitelist(...where, body)
  },
)

export const updateIdentity = on.patch(
  '/identity/:identity',
  'Change what the body names of an identity that is there.',
  () => ({
    description: 'An `auth.expire` of 0 orders the device to activate again.',
    body: createIdentityChangeSchema(),
    ...shows('The identity.', identitySchema),
    refuses: ['unknown_identity', 'reprovision_refused'],
    example: { request: { locked: true } },
  }),
  async ({ provisioning: { identities } }, call) => {
    const { auth = {}, ...rest } = call.body
    const { expire, ...proof } = auth
    // A deadline of 0 is how tools of the field order a device to be provisioned again.
    const input = expire === 0 ? { reprovision: true, ...rest, auth: proof } : call.body
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
    body: wantedValuesSchema,
    ...does('The values are durable, and on their way to the device.'),
    refuses: ['unknown_identity', 'not_settable', 'value_refused'],
    example: { request: { level: 7 } },
  }),
  ({ provisioning }, call) =>
    provisioning.setState(...deviceSeen(call), call.body, { ip: call.ip }),
)
