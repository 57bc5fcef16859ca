import type { Implementation } from '../../kernel/index.ts'
import { limits } from '../../kernel/index.ts'
import type { IdentityPage, Provisioning } from '../../provisioning/index.ts'
import type { ServiceCall } from '../../scripting/index.ts'
import { changedTags, listInput, valuesIn, whitelistInput } from './arguments.ts'
import type { deviceOperations } from './operations.ts'

export type DevicesOptions = Pick<Provisioning, 'connectors' | 'identities' | 'state' | 'setState'>

type Operations = Implementation<ServiceCall, typeof deviceOperations.schemas>

/** The result of a write for existing programs. */
const written = { status: 204 } as const

/** The operations on one connector; the same ones that its operators have. */
export function implementationOf(
  { identities, state, setState }: DevicesOptions,
  connectorId: string,
): Operations {
  const changing =
    (kind: 'add' | 'remove'): Operations['addIdentityTag'] =>
    async ({ businessId }, args) => {
      const tags = changedTags(kind, args)
      await identities.changeTags(businessId, connectorId, args.identity, { [kind]: tags })
      return written
    }
  const [add, remove] = [changing('add'), changing('remove')]
  return {
    getIdentity: ({ businessId }, { identity }) =>
      identities.get(businessId, connectorId, identity),
    getIdentityState: ({ businessId }, { identity }) => state(businessId, connectorId, identity),
    async listIdentities({ businessId }, args) {
      return fitting(await identities.list(businessId, connectorId, listInput(args)))
    },
    async setIdentityState({ businessId }, { identity, ...values }) {
      await setState(businessId, connectorId, identity, valuesIn(values))
      return written
    },
    async addIdentity({ businessId }, args) {
      await identities.add(businessId, connectorId, args.identity, whitelistInput(args))
      return written
    },
    async setIdentity({ businessId }, args) {
      await identities.change(businessId, connectorId, args.identity, whitelistInput(args))
      return written
    },
    async removeIdentity({ businessId }, { identity }) {
      await identities.remove(businessId, connectorId, identity)
      return written
    },
    addIdentityTag: add,
    addIdentityTags: add,
    removeIdentityTag: remove,
    removeIdentityTags: remove,
  }
}

/** The size of the answer without its devices. */
const around = { bytes: 100, nodes: 10 }

/**
 * Returns as many devices of a page as fit in the answer of one call; the next call gets the rest.
 * One that is too much alone stays, and the call of its script fails.
 */
export function fitting({ devices, mayLoadMore, total }: IdentityPage): IdentityPage {
  let { bytes, nodes } = around
  const first = devices.findIndex((device) => {
    bytes += JSON.stringify(device).length
    nodes += nodesOf(device)
    return bytes > limits.scriptValueBytesMax || nodes > limits.scriptValueNodesMax
  })
  if (first === -1) return { devices, mayLoadMore, total }
  return { devices: devices.slice(0, Math.max(1, first)), mayLoadMore: true, total }
}

function nodesOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  return Object.values(value).reduce((sum: number, one) => sum + nodesOf(one), 1)
}
