import { Fault } from '../../kernel/index.ts'
import { type Provisioning, refuseIdentity } from '../../provisioning/index.ts'
import { type Call, noContent, ok, type Route } from '../legacy-route.ts'
import { bodyObject } from '../wire/fields.ts'
import { parseIdentityBody, parseIdentityChange, parseListQuery } from '../wire/identity.ts'
import { connectorId } from './connectors.ts'

type Options = Pick<Provisioning, 'identities' | 'state' | 'setState'>

const base = '/api:1/service/:connector/device2/identity'

/** Identities of a connector's devices, and what their resources say. */
export function identityRoutes(provisioning: Options): Route[] {
  return [listRoute(provisioning), identityRoute(provisioning), stateRoute(provisioning)]
}

function listRoute({ identities }: Options): Route {
  return {
    path: base,
    GET: {
      permission: 'Setup',
      async act({ principal, params, query }) {
        const asked = parseListQuery(query)
        return ok(await identities.list(principal.businessId, connectorId(params), asked))
      },
    },
  }
}

function identityRoute({ identities }: Options): Route {
  return {
    path: `${base}/:identity`,
    GET: {
      permission: 'Setup',
      act: async (call) => ok(await identities.get(...named(call))),
    },
    PUT: {
      permission: 'Setup',
      async act({ principal, params, body }) {
        const { identity = '' } = params
        const { input, csr } = parseIdentityBody(body)
        const where = [principal.businessId, connectorId(params), identity] as const
        if (csr === undefined) return ok(await identities.whitelist(...where, input))
        const { certificatePem } = await identities.whitelistSigned(...where, csr, input)
        return ok({ certificate: certificatePem })
      },
    },
    PATCH: {
      permission: 'Setup',
      async act(call) {
        const where = named(call)
        await identities.change(...where, parseIdentityChange(call.body))
        return ok(await identities.get(...where))
      },
    },
    DELETE: {
      permission: 'Setup',
      async act(call) {
        await identities.remove(...named(call))
        return noContent()
      },
    },
  }
}

function stateRoute({ state, setState }: Options): Route {
  return {
    path: `${base}/:identity/state`,
    GET: {
      permission: 'Setup',
      act: async (call) => ok(await state(...named(call))),
    },
    PATCH: {
      permission: 'Setup',
      async act(call) {
        await setState(...named(call), bodyObject(call.body), { ip: call.ip })
        return noContent()
      },
    },
  }
}

/** @throws Fault unknown_identity where no identity can be called so. */
export function named({ principal, params }: Call): [string, string, string] {
  const { identity = '' } = params
  const where = connectorId(params)
  if (refuseIdentity(identity) === undefined) return [principal.businessId, where, identity]
  throw new Fault('unknown_identity', 'the connector has no such identity')
}
