import type { Accounts, AccountsOptions } from './accounts/index.ts'
import { announced, type Changes } from './changes/index.ts'
import type { Dashboards } from './dashboards/index.ts'
import type { EventLog } from './eventlog/index.ts'
import type { AllFailures } from './failures/index.ts'
import { type Groups, wholeView } from './groups/index.ts'
import type { Marketplace } from './marketplace/index.ts'
import type { Policies } from './policies/index.ts'
import type { Provisioning, ProvisioningOptions } from './provisioning/index.ts'
import type { Scripting } from './scripting/index.ts'

type Publisher = Pick<Changes, 'publish'>

/** The owner of a log of activity: a connector, whose lines are of its devices, or a solution. */
export async function logOwnerOf(
  id: string,
  { provisioning, scripting }: { provisioning: Provisioning; scripting: Scripting },
) {
  const connector = await provisioning.connectors.find(id)
  if (connector !== undefined)
    return { businessId: connector.businessId, topic: 'devices' } as const
  const businessId = await scripting.solutions.businessOf(id)
  return businessId === undefined ? undefined : ({ businessId, topic: 'solutions' } as const)
}

/**
 * Publishes that entries of the log have failed.
 * @returns what publishes the same of jobs that are dead.
 */
export function publishesFailures(changes: Publisher, eventlog: Pick<EventLog, 'onFailed'>) {
  const publish = (businessIds: ReadonlySet<string>): void => {
    for (const id of businessIds) changes.publish(id, 'failures')
  }
  eventlog.onFailed(publish)
  return publish
}

/** What people, programs and scripts change of connectors and devices, and who comes online. */
export function announcedProvisioning(
  changes: Publisher,
  create: (listeners: Pick<ProvisioningOptions, 'onOnline'>) => Provisioning,
): Provisioning {
  const of = create({ onOnline: (businessId) => changes.publish(businessId, 'devices') })
  const { connectors, identities, devices, contents, windows, rotations } = of
  return {
    ...of,
    connectors: announced(changes, 'connectors', connectors, ['create', 'patch', 'setRetention']),
    removals: announced(changes, 'connectors', of.removals, ['remove']),
    authorities: announced(changes, 'connectors', of.authorities, ['create']),
    contents: announced(changes, 'connectors', contents, ['put', 'remove']),
    campaigns: announced(changes, 'connectors', of.campaigns, ['create', 'remove']),
    crls: announced(changes, 'connectors', of.crls, ['put', 'remove']),
    windows: announced(changes, 'devices', windows, ['extend']),
    rotations: announced(changes, 'devices', rotations, ['open', 'cancel']),
    devices: announced(changes, 'devices', devices, ['update', 'claim', 'claimEach']),
    identities: announced(changes, 'devices', identities, [
      ...(['add', 'addProvisioned', 'importCsv', 'whitelist', 'whitelistSigned'] as const),
      ...(['change', 'changeMany', 'changeTags', 'remove'] as const),
    ]),
    ...announced(
      changes,
      'devices',
      { setState: of.setState, orderReprovision: of.orderReprovision },
      ['setState', 'orderReprovision'],
    ),
  }
}

export function announcedScripting(changes: Publisher, of: Scripting): Scripting {
  const { solutions, scripts, configurations, environments, folders, failures } = of
  return {
    ...of,
    solutions: announced(changes, 'solutions', solutions, ['create', 'patch', 'remove']),
    scripts: announced(changes, 'solutions', scripts, ['put', 'remove']),
    configurations: announced(changes, 'solutions', configurations, ['add', 'update', 'remove']),
    environments: announced(changes, 'solutions', environments, ['change']),
    folders: announced(changes, 'solutions', folders, ['push']),
    failures: announced(changes, 'failures', failures, [
      ...(['retry', 'retryAll', 'discard', 'discardAll'] as const),
    ]),
  }
}

export function announcedMarketplace(changes: Publisher, of: Marketplace): Marketplace {
  return {
    ...of,
    listings: announced(changes, 'modules', of.listings, ['publish', 'change', 'remove']),
  }
}

/** A group that is moved is seen where it was, and where it is. */
export function announcedGroups(changes: Publisher, of: Groups): Groups {
  return announced(changes, 'groups', of, {
    create:
      () =>
      ({ id }) => [id],
    async update({ businessId }, id, { parentId }) {
      const [before] = parentId == null ? [] : await of.some(wholeView(businessId), [id])
      return () => [id, ...(before?.parentId ? [before.parentId] : [])]
    },
    remove:
      () =>
      ({ parentId }) =>
        parentId === null ? [] : [parentId],
  })
}

/** The topic says of no dashboard that it has changed, and so everyone gets it. */
export function announcedDashboards(changes: Publisher, of: Dashboards): Dashboards {
  const everywhere = () => () => 'every' as const
  const names = { create: everywhere, replace: everywhere, remove: everywhere }
  return announced(changes, 'dashboards', of, names)
}

export function announcedPolicies(changes: Publisher, of: Policies): Policies {
  return announced(changes, 'assets', of, ['create', 'update', 'remove'])
}

/** People, what they may do, and what was noted of them; sign-ins are no change of people. */
export function announcedAccounts(
  changes: Publisher,
  create: (listeners: Pick<AccountsOptions, 'onAudit' | 'onLocked'>) => Accounts,
): Accounts {
  const of = create({
    onAudit: (businessId) => changes.publish(businessId, 'audit'),
    onLocked: (businessId) => changes.publish(businessId, 'accounts'),
  })
  const changing = announced(changes, 'accounts', of, [
    ...(['createRole', 'changeRole', 'removeRole', 'setRoleRates'] as const),
    ...(['createUser', 'changeUser', 'removeUser', 'unlockUser', 'setPassword'] as const),
    ...(['invite', 'resendInvitation', 'revokeInvitation', 'createToken', 'revokeToken'] as const),
    ...(['confirmTotp', 'removeTotp', 'removeUserTotp', 'demandTotp'] as const),
    ...(['setOidc', 'removeOidc', 'endSessions'] as const),
  ])
  return {
    ...changing,
    async acceptInvitation(...invited) {
      const user = await of.acceptInvitation(...invited)
      changes.publish(user.businessId, 'accounts')
      return user
    },
  }
}

/** What is done about a failure of any stage. */
export function announcedFailures(changes: Publisher, of: AllFailures): AllFailures {
  return {
    ...of,
    of: (stage) =>
      announced(changes, 'failures', of.of(stage), ['retry', 'retryAll', 'discard', 'discardAll']),
  }
}
