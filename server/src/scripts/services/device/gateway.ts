import type {
  Connector,
  Provisioning,
  Resource,
  SettingsInput,
} from '../../../devices/provisioning/index.ts'
import {
  Fault,
  type Implementation,
  isJsonObject,
  omitUndefined,
} from '../../../foundation/kernel/index.ts'
import type { ServiceCall } from '../../scripting/index.ts'
import type { deviceOperations } from './operations.ts'

type Operations = Implementation<ServiceCall, typeof deviceOperations.schemas>

type GatewayOperations = Pick<
  Operations,
  | 'getGatewayResource'
  | 'getGatewayResourceList'
  | 'addGatewayResource'
  | 'updateGatewayResource'
  | 'removeGatewayResource'
  | 'getGatewaySettings'
  | 'updateGatewaySettings'
>

/** The result of a write for existing programs. */
const written = { status: 204 } as const

/** The settings of a connector, and its resources, as scripts read and change them. */
export function gatewayOperations(
  connectors: Provisioning['connectors'],
  connectorId: string,
): GatewayOperations {
  const get = ({ businessId }: ServiceCall) => connectors.get(businessId, connectorId)

  /** Changes one resource; `expected` decides under the lock of the connector. */
  async function change(
    { businessId }: ServiceCall,
    alias: string,
    definition: unknown,
    expected: (known: boolean) => Fault | undefined,
  ) {
    const resources = { [alias]: definition }
    await connectors.patch(
      businessId,
      connectorId,
      { resources },
      {
        resources: 'changed',
        async first(_transaction, connector) {
          const refusal = expected(connector.resources.has(alias))
          if (refusal !== undefined) throw refusal
        },
      },
    )
    return written
  }

  return {
    async getGatewayResource(call, { alias }) {
      const resource = (await get(call)).resources.get(alias)
      if (resource === undefined) throw unknownResource()
      return shown(resource)
    },
    async getGatewayResourceList(call) {
      const { resources } = await get(call)
      return Object.fromEntries([...resources].map(([alias, one]) => [alias, shown(one)]))
    },
    addGatewayResource: (call, { alias, ...definition }) =>
      change(call, alias, omitUndefined(definition), (known) => {
        if (!known) return undefined
        return new Fault('already_exists', 'the connector has the resource already')
      }),
    updateGatewayResource: (call, { alias, ...definition }) =>
      change(call, alias, omitUndefined(definition), mustBeKnown),
    removeGatewayResource: (call, { alias }) => change(call, alias, null, mustBeKnown),
    async getGatewaySettings(call) {
      return settingsOf(await get(call))
    },
    async updateGatewaySettings({ businessId }, args) {
      await connectors.patch(businessId, connectorId, settingsInput(args))
      return written
    },
  }
}

function mustBeKnown(known: boolean): Fault | undefined {
  return known ? undefined : unknownResource()
}

function unknownResource(): Fault {
  return new Fault('not_found', 'the connector has no such resource')
}

function shown(resource: Resource) {
  return { ...resource, allowed: [...resource.allowed] }
}

function settingsOf(connector: Connector) {
  const { prefix, type, casing, length } = connector.identityFormat
  return {
    protocol: { name: connector.protocolName, devmode: connector.devmode },
    provisioning: {
      auth_type: connector.authType,
      enabled: connector.enabled,
      generate_identity: connector.selfRegistration,
      presenter_identity: connector.presenterIdentity,
    },
    identity_format: { prefix, type, options: { casing, length } },
  }
}

type Part = Readonly<Record<string, unknown>>

/** The names of the settings, by the place that scripts know. */
const protocolNames = { name: 'protocolName', devmode: 'devmode' }
const provisioningNames = {
  auth_type: 'authType',
  enabled: 'enabled',
  generate_identity: 'selfRegistration',
  presenter_identity: 'presenterIdentity',
}
const formatNames = { prefix: 'prefix', type: 'type' }
const optionNames = { casing: 'casing', length: 'length' }

/** @throws Fault invalid_argument for a field that it does not know. */
function settingsInput(args: Parameters<Operations['updateGatewaySettings']>[1]): SettingsInput {
  const { options = {}, ...format } = args.identity_format ?? {}
  if (!isJsonObject(options)) {
    throw new Fault('invalid_argument', 'identity_format.options must be a table')
  }
  const identityFormat = {
    ...renamed('identity_format', format, formatNames),
    ...renamed('identity_format.options', options, optionNames),
  }
  return {
    ...renamed('protocol', args.protocol ?? {}, protocolNames),
    ...renamed('provisioning', args.provisioning ?? {}, provisioningNames),
    ...(args.identity_format !== undefined && { identityFormat }),
  }
}

function renamed(place: string, part: Part, names: Readonly<Record<string, string>>): Part {
  return Object.fromEntries(
    Object.entries(part).map(([name, value]) => {
      if (Object.hasOwn(names, name)) return [names[name], value]
      throw new Fault('invalid_argument', `${place} has no field ${name.slice(0, 40)}`)
    }),
  )
}
