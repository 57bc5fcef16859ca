import type { Provisioning } from '../../provisioning/index.ts'
import type { Operation, ScriptValue } from '../../scripting/index.ts'
import {
  type Fields,
  identityIn,
  parseChange,
  parseList,
  parseNew,
  parseTags,
  take,
  valuesIn,
} from './arguments.ts'
import { fitting } from './fitting.ts'

export type DevicesNeeds = Pick<Provisioning, 'connectors' | 'identities' | 'state' | 'setState'>

/** The connector that a script's call is about. */
type Place = { readonly businessId: string; readonly connectorId: string }

type Work = (place: Place, args: Fields) => Promise<ScriptValue>

/** The result of a write for existing programs. */
const written = { status: 204 }

/** The operations on one connector; the same ones that its operators have. */
export function operationsOf(
  needs: DevicesNeeds,
  connectorId: string,
): ReadonlyMap<string, Operation> {
  const asked =
    (work: Work): Operation =>
    async ({ businessId }, args) =>
      work({ businessId, connectorId }, take(args))
  const all = { ...readsOf(needs), ...writesOf(needs), ...tagsOf(needs) }
  return new Map(Object.entries(all).map(([name, work]) => [name, asked(work)]))
}

function readsOf({ identities, state }: DevicesNeeds): Readonly<Record<string, Work>> {
  return {
    getIdentity: ({ businessId, connectorId }, args) =>
      identities.get(businessId, connectorId, identityIn(args, [])),
    getIdentityState: ({ businessId, connectorId }, args) =>
      state(businessId, connectorId, identityIn(args, [])),
    async listIdentities({ businessId, connectorId }, args) {
      return fitting(await identities.list(businessId, connectorId, parseList(args)))
    },
  }
}

function writesOf({ identities, setState }: DevicesNeeds): Readonly<Record<string, Work>> {
  return {
    async setIdentityState({ businessId, connectorId }, args) {
      await setState(businessId, connectorId, identityIn(args), valuesIn(args))
      return written
    },
    async addIdentity({ businessId, connectorId }, args) {
      const { identity, input } = parseNew(args)
      await identities.add(businessId, connectorId, identity, input)
      return written
    },
    async setIdentity({ businessId, connectorId }, args) {
      const { identity, input } = parseChange(args)
      await identities.change(businessId, connectorId, identity, input)
      return written
    },
    async removeIdentity({ businessId, connectorId }, args) {
      await identities.remove(businessId, connectorId, identityIn(args, []))
      return written
    },
  }
}

/** Each under two names: for one tag, and for several. */
function tagsOf({ identities }: DevicesNeeds): Readonly<Record<string, Work>> {
  const changing =
    (kind: 'add' | 'remove'): Work =>
    async ({ businessId, connectorId }, args) => {
      const { identity, tags } = parseTags(kind, args)
      await identities.changeTags(businessId, connectorId, identity, { [kind]: tags })
      return written
    }
  const add = changing('add')
  const remove = changing('remove')
  return {
    ...{ addIdentityTag: add, addIdentityTags: add },
    ...{ removeIdentityTag: remove, removeIdentityTags: remove },
  }
}
