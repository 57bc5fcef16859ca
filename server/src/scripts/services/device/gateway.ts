import type { Provisioning, Resource, SettingsInput } from '../../../devices/provisioning/index.ts'
import {
  Fault,
  type Implementation,
  omitUndefined,
  readFromWire,
  type StaticResult,
  showOnWire,
} from '../../../foundation/kernel/index.ts'
import type { ServiceCall } from '../../scripting/index.ts'
import { gatewaySettings, gatewaySettingsInput } from './gateway-operations.ts'
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

type Settings = StaticResult<typeof gatewaySettings>

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
      return showOnWire(gatewaySettings, await get(call)) as Settings
    },
    async updateGatewaySettings({ businessId }, args) {
      await connectors.patch(
        businessId,
        connectorId,
        readFromWire(gatewaySettingsInput, args) as SettingsInput,
      )
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
