import {
  component,
  limits,
  Microseconds,
  Nullable,
  OptionalMicroseconds,
  type StaticResult,
  StrictObject,
  Type,
} from '../../../foundation/kernel/index.ts'
import { authTypeSchema, givenTypeSchema } from '../identities/schemas.ts'
import { provisioningLimits } from '../limits.ts'

/** The new credential of a device, and how long both work. */
export function createRotationSchema() {
  const auth = StrictObject({
    type: Type.Optional(givenTypeSchema),
    key: Type.Optional(
      Type.String({
        description: 'The password, the certificate or the signing request; a token has none.',
      }),
    ),
  })
  return StrictObject({
    hours: Type.Optional(
      Type.Integer({
        description: `Hours from now in which both credentials work; else ${limits.rotationHours}.`,
        minimum: 1,
        maximum: provisioningLimits.windowHoursMax,
      }),
    ),
    auth: Type.Optional(auth),
  })
}
export type RotationInput = StaticResult<ReturnType<typeof createRotationSchema>>

const rotationFields = {
  type: Nullable(authTypeSchema),
  opened: Microseconds(),
  until: Microseconds('The time until which both credentials work, in microseconds.'),
  given: Type.Boolean({ description: 'True if there is a new credential already.' }),
  fetched: OptionalMicroseconds('The time at which the device fetched it; null: not yet.'),
}

/** A rotation as operators see it. */
export const rotationSchema = component('Rotation', rotationFields, {
  description: 'A rotation of the credential of a device.',
})
export type Rotation = StaticResult<typeof rotationSchema>

/** An opened rotation with its new credential, which is shown once. */
export const openedRotationSchema = component('OpenedRotation', {
  ...rotationFields,
  token: Type.Optional(Type.String()),
  certificate: Type.Optional(Type.String({ description: 'PEM.' })),
})
export type OpenedRotation = StaticResult<typeof openedRotationSchema>
