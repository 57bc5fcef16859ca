import type { Accounts } from '../../accounts/index.ts'
import type { BusinessDeletion, Deletion, Preview } from '../../deletion/index.ts'
import type { Groups } from '../../groups/index.ts'
import { type Dependants, Fault } from '../../kernel/index.ts'
import { deleteBusiness, getBusinessDeletion } from '../contract/deletion/businesses.ts'
import {
  getBusinessDependants,
  getConnectorDependants,
  getGroupDependants,
  getListingDependants,
  getModuleDependants,
  getSolutionDependants,
  getUserDependants,
} from '../contract/deletion/previews.ts'
import { ok, type Route, route } from '../route.ts'
import { connectorId } from './connectors.ts'

export type DeletionRoutesOptions = {
  readonly deletion: Deletion
  readonly accounts: Pick<Accounts, 'findUser' | 'userDependants'>
  readonly groups: Pick<Groups, 'get' | 'dependants'>
}

/** The previews of deletions, and the deletion of businesses. */
export function deletionRoutes({ deletion, accounts, groups }: DeletionRoutesOptions): Route[] {
  return [
    route(getBusinessDependants, async ({ params }) =>
      ok(shownPreview(await deletion.business(params.business))),
    ),
    route(deleteBusiness, async ({ principal, params, query }) => {
      const asked = { by: principal.subject, confirm: query.confirm }
      const begun = await deletion.removeBusiness(params.business, asked)
      return { status: 202 as const, body: shownDeletion(begun) }
    }),
    route(getBusinessDeletion, async ({ params }) =>
      ok(shownDeletion(await deletion.progress(params.business))),
    ),
    route(getConnectorDependants, async ({ principal: { businessId }, params }) =>
      ok(shownPreview(await deletion.connector(businessId, connectorId(params)))),
    ),
    route(getSolutionDependants, async ({ principal: { businessId }, params }) =>
      ok(shownPreview(await deletion.solution(businessId, params.solution))),
    ),
    route(getModuleDependants, async ({ principal: { businessId }, params }) =>
      ok(shownPreview(await deletion.module(businessId, params.module))),
    ),
    route(getListingDependants, async ({ principal: { businessId }, params }) =>
      ok(shownPreview(await deletion.listing(businessId, params.listing))),
    ),
    route(getUserDependants, async ({ principal, params }) => {
      const dependants = await accounts.userDependants(principal, params.user)
      const user = await accounts.findUser(principal, { id: params.user })
      if (user === undefined) throw new Fault('not_found', 'There is no such user.')
      return ok(shownPreview({ id: user.id, name: user.email, dependants }))
    }),
    route(getGroupDependants, async ({ principal: { view }, params }) => {
      const { id, name } = await groups.get(view, params.group)
      const dependants = await groups.dependants(view, params.group)
      return ok(shownPreview({ id, name, dependants }))
    }),
  ]
}

function shownPreview({ id, name, dependants }: Preview) {
  return { id, name, dependants: dependants.map(shownDependants) }
}

function shownDependants({ names, ...one }: Dependants) {
  return { ...one, names: [...names] }
}

function shownDeletion({ requestedBy, requestedAt, finishedAt, ...deletion }: BusinessDeletion) {
  const times = { requested_at: requestedAt, finished_at: finishedAt }
  return { ...deletion, requested_by: requestedBy, ...times }
}
