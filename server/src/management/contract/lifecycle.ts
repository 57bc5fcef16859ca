import { Nullable, StrictObject, Type } from '../../kernel/index.ts'
import {
  authTypeSchema,
  createIdentityFilterSchema,
  createRotationSchema,
  createWindowExtensionSchema,
  createWindowListSchema,
  tagSchema,
} from '../../provisioning/index.ts'
import {
  component,
  connectorParams,
  deviceParams,
  json,
  Microseconds,
  nothing,
  OptionalMicroseconds,
} from './common.ts'
import { contract } from './contract.ts'
import { signingRefusals } from './identities.ts'

const service = '/api:1/service/:connector/device2'

export const listWindows = contract(
  {
    id: 'listWindows',
    method: 'GET',
    path: `${service}/windows`,
    permission: 'Setup',
    tag: 'devices',
    summary: 'List the open activation windows that have a deadline, the next to close first.',
  },
  () => ({
    params: connectorParams,
    query: createWindowListSchema(),
    answers: {
      200: json(
        'A page.',
        StrictObject({
          mayLoadMore: Type.Boolean({ description: 'True if there is a next page.' }),
          windows: Type.Array(
            component('Window', {
              identity: Type.String(),
              expire: Microseconds('The time at which it closes, in microseconds.'),
              locked: Type.Boolean(),
              tags: Type.Array(tagSchema),
            }),
          ),
        }),
      ),
    },
  }),
)

export const extendWindows = contract(
  {
    id: 'extendWindows',
    method: 'POST',
    path: `${service}/windows`,
    permission: 'Setup',
    tag: 'devices',
    summary: 'Make activation windows longer, closed ones too.',
    description:
      'The new end is `expire` or `hours` from now. One of `identity`, `tag` and `all: true` ' +
      'selects identities that wait for an activation. No window becomes shorter.',
  },
  () => ({
    params: connectorParams,
    body: createWindowExtensionSchema(),
    answers: {
      200: json(
        'The number of windows that are longer now, and their end.',
        StrictObject({
          extended: Type.Integer(),
          expire: OptionalMicroseconds('In microseconds; null: no deadline.'),
        }),
      ),
    },
    example: { request: { hours: 24, tag: { name: 'site', value: 'north' } } },
  }),
)

export const orderReprovision = contract(
  {
    id: 'orderReprovision',
    method: 'POST',
    path: `${service}/reprovision`,
    permission: 'Setup',
    tag: 'devices',
    summary: 'Order provisioned devices to activate again.',
    description: 'One of `identity`, `tag` and `all: true` selects them.',
  },
  () => ({
    params: connectorParams,
    body: createIdentityFilterSchema(),
    answers: {
      200: json(
        'The number of devices that must activate again.',
        StrictObject({ ordered: Type.Integer() }),
      ),
    },
    refuses: ['reprovision_refused'],
    example: { request: { identity: '00:1b:44:11:3a:b7' } },
  }),
)

const rotationFields = {
  type: Nullable(authTypeSchema),
  opened: Microseconds(),
  until: Microseconds('The time until which both credentials work, in microseconds.'),
  given: Type.Boolean({ description: 'True if there is a new credential already.' }),
  fetched: OptionalMicroseconds('The time at which the device fetched it; null: not yet.'),
}

const rotation = component('Rotation', rotationFields, {
  description: 'A rotation of the credential of a device.',
})

const rotationHead = {
  path: `${service}/identity/:identity/rotation`,
  permission: 'Setup',
  tag: 'devices',
} as const

export const getRotation = contract(
  {
    ...rotationHead,
    id: 'getRotation',
    method: 'GET',
    summary: "Show the open rotation of a device's credential.",
  },
  () => ({
    params: deviceParams,
    answers: { 200: json('The rotation.', rotation) },
    refuses: ['unknown_identity'],
  }),
)

export const openRotation = contract(
  {
    ...rotationHead,
    id: 'openRotation',
    method: 'PUT',
    summary: "Open a rotation of a device's credential, or give an open one another time.",
    description:
      '`auth` gives the new credential: `token` (made here, shown once), `password` or ' +
      '`certificate` with `key`, `csr` with a signing request as `key`. Without `auth` the ' +
      'device ' +
      'fetches it.',
  },
  () => ({
    params: deviceParams,
    body: Type.Optional(createRotationSchema()),
    answers: {
      200: json(
        'The rotation, with the new token or certificate, which is shown once.',
        component('OpenedRotation', {
          ...rotationFields,
          token: Type.Optional(Type.String()),
          certificate: Type.Optional(Type.String({ description: 'PEM.' })),
        }),
      ),
    },
    refuses: ['unknown_identity', 'not_provisioned', 'already_exists', ...signingRefusals],
    example: { request: { hours: 24, auth: { type: 'token' } } },
  }),
)

export const cancelRotation = contract(
  {
    ...rotationHead,
    id: 'cancelRotation',
    method: 'DELETE',
    summary: "Cancel the rotation of a device's credential.",
  },
  () => ({
    params: deviceParams,
    answers: { 204: nothing('It is cancelled; the new credential is refused.') },
    refuses: ['unknown_identity'],
  }),
)
