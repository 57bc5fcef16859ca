import {
  createIdentityFilterSchema,
  createRotationSchema,
  createWindowExtensionSchema,
  createWindowListSchema,
  extendedSchema,
  openedRotationSchema,
  rotationSchema,
  windowPageSchema,
} from '../../../devices/provisioning/index.ts'
import { StrictObject, Type } from '../../../foundation/kernel/index.ts'
import { deviceArguments } from '../calls.ts'
import { does, shows } from '../contract/common.ts'
import { operations } from '../operation.ts'
import { signingRefusals } from './identities.ts'

const on = operations('devices', 'Setup', '/api:1/service/:connector/device2')

export const listWindows = on.get(
  '/windows',
  'List the open activation windows that have a deadline, the next to close first.',
  () => ({
    query: createWindowListSchema(),
    ...shows('A page.', windowPageSchema),
  }),
  ({ provisioning: { windows } }, { businessId, params, query }) =>
    windows.next(businessId, params.connector, query),
)

export const extendWindows = on.post(
  '/windows',
  'Make activation windows longer, closed ones too.',
  () => ({
    description:
      'The new end is `expire` or `hours` from now. One of `identity`, `tag` and `all: true` ' +
      'selects identities that wait for an activation. No window becomes shorter.',
    body: createWindowExtensionSchema(),
    ...shows('The number of windows that are longer now, and their end.', extendedSchema),
    example: { request: { hours: 24, tag: { name: 'site', value: 'north' } } },
  }),
  ({ provisioning: { windows } }, { businessId, params, body }) =>
    windows.extend(businessId, params.connector, body),
)

export const orderReprovision = on.post(
  '/reprovision',
  'Order provisioned devices to activate again.',
  () => ({
    description: 'One of `identity`, `tag` and `all: true` selects them.',
    body: createIdentityFilterSchema(),
    ...shows(
      'The number of devices that must activate again.',
      StrictObject({ ordered: Type.Integer() }),
    ),
    refuses: ['reprovision_refused'],
    example: { request: { identity: '00:1b:44:11:3a:b7' } },
  }),
  ({ provisioning }, { businessId, params, body }) =>
    provisioning.orderReprovision(businessId, params.connector, body),
)

export const getRotation = on.get(
  '/identity/:identity/rotation',
  "Show the open rotation of a device's credential.",
  () => ({
    ...shows('The rotation.', rotationSchema),
    refuses: ['unknown_identity'],
  }),
  ({ provisioning: { rotations } }, call) => rotations.get(...deviceArguments(call)),
)

export const openRotation = on.put(
  '/identity/:identity/rotation',
  "Open a rotation of a device's credential, or give an open one another time.",
  () => ({
    description:
      '`auth` gives the new credential: `token` (made here, shown once), `password` or ' +
      '`certificate` with `key`, `csr` with a signing request as `key`. Without `auth` the ' +
      'device ' +
      'fetches it.',
    body: Type.Optional(createRotationSchema()),
    ...shows(
      'The rotation, with the new token or certificate, which is shown once.',
      openedRotationSchema,
    ),
    refuses: ['unknown_identity', 'not_provisioned', 'already_exists', ...signingRefusals],
    example: { request: { hours: 24, auth: { type: 'token' } } },
  }),
  ({ provisioning: { rotations } }, call) => rotations.open(...deviceArguments(call), call.body),
)

export const cancelRotation = on.remove(
  '/identity/:identity/rotation',
  "Cancel the rotation of a device's credential.",
  () => ({
    ...does('It is cancelled; the new credential is refused.'),
    refuses: ['unknown_identity'],
  }),
  ({ provisioning: { rotations } }, call) => rotations.cancel(...deviceArguments(call)),
)
