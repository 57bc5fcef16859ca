import type { Implementation } from '../../kernel/index.ts'
import type { Provisioning } from '../../provisioning/index.ts'
import type { ServiceCall } from '../../scripting/index.ts'
import { changedTags, listInput, valuesIn, whitelistInput } from './arguments.ts'
import { fitting } from './fitting.ts'
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
