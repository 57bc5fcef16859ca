import type { Principal } from '../../accounts/index.ts'
import type { View } from '../../groups/index.ts'
import { Fault, invalidField, omitUndefined } from '../../kernel/index.ts'
import { type Provisioning, refuseIdentity } from '../../provisioning/index.ts'
import {
  changeIdentities,
  changeTags,
  deleteIdentity,
  getIdentity,
  getState,
  listIdentities,
  putIdentity,
  setState,
  updateIdentity,
} from '../contract/identities.ts'
import { noContent, ok, type Route, route } from '../route.ts'
import { connectorId } from './connectors.ts'

type DeviceCall = {
  readonly principal: Principal
  readonly params: { readonly connector: string; readonly identity: string }
}

type Options = Pick<Provisioning, 'identities' | 'state' | 'setState'>

/** Identities of a connector's devices, and what their resources say. */
export function identityRoutes(provisioning: Options): Route[] {
  const { identities, state } = provisioning
  return [
    route(listIdentities, async ({ principal, params, query }) => {
      const { count = false, ...rest } = query
      const where = [principal.view, connectorId(params)] as const
      const input = listInputOf(rest)
      const page = await identities.list(...where, input)
      if (!count) return ok(page)
      const { limit: _, before: __, ...filters } = input
      return ok({ ...page, matching: await identities.count(...where, filters) })
    }),
    route(getIdentity, async (call) => ok(await identities.get(...seenBy(call)))),
    ...changeRoutes(provisioning),
    route(getState, async (call) => ok(await state(...seenBy(call)))),
    route(setState, async (call) => {
      await provisioning.setState(...seenBy(call), call.body, { ip: call.ip })
      return noContent()
    }),
  ]
}

type TagFilter = { readonly tag?: string | undefined; readonly tag_value?: string | undefined }

/** The parameters of a list as provisioning takes them. @throws Fault `invalid_argument`. */
export function listInputOf<Rest extends object>({
  tag: name,
  tag_value: value,
  ...rest
}: Rest & TagFilter) {
  if (name === undefined && value !== undefined) {
    throw invalidField('tag_value', 'needs the name of the tag as tag')
  }
  const tag = name === undefined ? undefined : omitUndefined({ name, value })
  return omitUndefined({ ...rest, tag })
}

function changeRoutes({ identities }: Options): Route[] {
  return [
    route(putIdentity, async ({ principal, params, body }) => {
      const { auth: { expire, type, key } = {}, ...rest } = body
      const where = [principal.view, connectorId(params), params.identity] as const
      if (type === 'csr') {
        const input = omitUndefined({ expire, ...rest })
        const signed = await identities.whitelistSigned(...where, key ?? '', input)
        return ok({ certificate: signed.certificatePem })
      }
      const input = omitUndefined({ expire, authType: type, certificate: key, ...rest })
      return ok(await identities.whitelist(...where, input))
    }),
    route(updateIdentity, async (call) => {
      const { auth: { expire, type, key } = {}, ...rest } = call.body
      // A deadline of 0 is how tools of the field order a device to be provisioned again.
      const order = expire === 0 ? { reprovision: true } : { expire }
      const input = omitUndefined({ ...order, authType: type, certificate: key, ...rest })
      const where = seenBy(call)
      await identities.change(...where, input)
      return ok(await identities.get(...where))
    }),
    route(changeTags, async (call) => {
      const where = seenBy(call)
      await identities.changeTags(...where, call.body)
      const { tags } = await identities.get(...where)
      return ok({ tags })
    }),
    route(changeIdentities, async ({ principal, params, body }) => {
      const { filter, dry_run: dryRun, ...rest } = body
      const input = omitUndefined({ ...rest, dryRun, filter: filter && listInputOf(filter) })
      return ok(await identities.changeMany(principal.view, connectorId(params), input))
    }),
    route(deleteIdentity, async (call) => {
      await identities.remove(...seenBy(call))
      return noContent()
    }),
  ]
}

/** The same for one who may see some groups only. */
export function seenBy(call: DeviceCall): [View, string, string] {
  const [, where, identity] = named(call)
  return [call.principal.view, where, identity]
}

/** @throws Fault unknown_identity where no identity can be called so. */
export function named({ principal, params }: DeviceCall): [string, string, string] {
  const { identity } = params
  const where = connectorId(params)
  if (refuseIdentity(identity) === undefined) return [principal.businessId, where, identity]
  throw new Fault('unknown_identity', 'the connector has no such identity')
}
