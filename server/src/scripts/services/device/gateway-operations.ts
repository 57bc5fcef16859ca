import {
  connectorSchema,
  connectorWireNames,
  createConnectorChangeSchema,
} from '../../../devices/provisioning/index.ts'
import {
  AnyValue,
  RecordOf,
  StrictObject,
  type TSchema,
  Type,
  wireSchema,
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

const names = [
  'protocolName',
  'devmode',
  'authType',
  'enabled',
  'selfRegistration',
  'presenterIdentity',
  'identityFormat',
] as const
type Name = (typeof names)[number]

/** The settings that scripts know, at their places on the wire. */
function gatewayPart<Fields extends { readonly [Field in Name]: TSchema }>(fields: Fields) {
  const chosen = Object.fromEntries(names.map((name) => [name, fields[name]]))
  const schema = StrictObject(chosen as Pick<Fields, Name>, { wireNames: connectorWireNames })
  return wireSchema(schema)
}

export const gatewaySettings = gatewayPart(connectorSchema.properties)
export const gatewaySettingsInput = gatewayPart(createConnectorChangeSchema().properties)

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
    args: gatewaySettingsInput,
    result: written,
  },
}
