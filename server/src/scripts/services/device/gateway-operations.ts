import {
  AnyValue,
  Nullable,
  RecordOf,
  StrictObject,
  Type,
} from '../../../foundation/kernel/index.ts'

const written = StrictObject({ status: Type.Literal(204) })

function text(description: string) {
  return Type.Optional(Type.String({ description, numberAsText: true }))
}

function flag(description: string) {
  return Type.Optional(Type.Boolean({ description }))
}

const gatewayResource = {
  alias: Type.String({ description: 'The name of the resource.', rule: 'must be given, a string' }),
  format: text('The format of its values.'),
  unit: text('The unit of its values.'),
  allowed: Type.Optional(
    Type.Array(AnyValue<unknown>(), { description: 'The values that are allowed.' }),
  ),
  settable: flag('True if it can be set from the cloud.'),
  initial: Type.Optional(AnyValue<unknown>({ description: 'The value of a new device.' })),
  sync: flag('False: no device acknowledges values that are set; they count as reported.'),
}

const resourceShown = Type.Object(
  { alias: Type.String(), format: Type.String(), settable: Type.Boolean() },
  { additionalProperties: true },
)

const table = (description: string) =>
  Type.Optional(RecordOf(AnyValue<unknown>(), { description, rule: 'must be a table with names' }))

const gatewaySettings = StrictObject({
  protocol: StrictObject({ name: Type.String(), devmode: Type.Boolean() }),
  provisioning: StrictObject({
    auth_type: Type.String(),
    enabled: Type.Boolean(),
    generate_identity: Type.Boolean(),
    presenter_identity: Type.Boolean(),
  }),
  identity_format: StrictObject({
    prefix: Type.String(),
    type: Type.String(),
    options: StrictObject({ casing: Type.String(), length: Nullable(Type.Integer()) }),
  }),
})

/** The operations on the settings of a connector, and on its resources. */
export const gatewaySchemas = {
  getGatewayResource: {
    description: 'Reads a resource of the connector.',
    args: StrictObject({ alias: gatewayResource.alias }),
    result: resourceShown,
  },
  getGatewayResourceList: {
    description: 'Reads the resources of the connector.',
    args: StrictObject({}),
    result: RecordOf(resourceShown),
  },
  addGatewayResource: {
    description: 'Adds a resource to the connector.',
    args: StrictObject(gatewayResource),
    result: written,
  },
  updateGatewayResource: {
    description: 'Changes a resource of the connector; it is given whole.',
    args: StrictObject(gatewayResource),
    result: written,
  },
  removeGatewayResource: {
    description: 'Removes a resource of the connector, with its values.',
    args: StrictObject({ alias: gatewayResource.alias }),
    result: written,
  },
  getGatewaySettings: {
    description: 'Reads settings of the connector.',
    args: StrictObject({}),
    result: gatewaySettings,
  },
  updateGatewaySettings: {
    description: 'Changes settings of the connector; what is left out stays.',
    args: StrictObject({
      protocol: table('`{name, devmode}`.'),
      provisioning: table('`{auth_type, enabled, generate_identity, presenter_identity}`.'),
      identity_format: table('`{prefix, type, options = {casing, length}}`.'),
    }),
    result: written,
  },
}
