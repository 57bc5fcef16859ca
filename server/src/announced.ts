import type { Accounts } from './accounts/index.ts'
import type { Assets } from './assets/index.ts'
import { announced, type Changes } from './changes/index.ts'
import type { Dashboards } from './dashboards/index.ts'
import type { Groups } from './groups/index.ts'
import type { Marketplace } from './marketplace/index.ts'
import type { Pipelines } from './pipelines/index.ts'
import type { Policies } from './policies/index.ts'
import type { Provisioning } from './provisioning/index.ts'
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

/** Publishes that jobs are dead. */
export function publishesFailures(changes: Publisher) {
  return (businessIds: ReadonlySet<string>): void => {
    for (const id of businessIds) changes.publish(id, 'failures')
  }
}

/** What people, programs and scripts change of connectors and devices is published. */
export function announcedProvisioning(changes: Publisher, of: Provisioning): Provisioning {
  const { connectors, identities, devices, contents, windows, rotations } = of
  return {
    ...of,
    connectors: announced(changes, 'connectors', connectors, ['create', 'patch', 'setRetention']),
    removals: announced(changes, 'connectors', of.removals, ['remove']),
    authorities: announced(changes, 'connectors', of.authorities, ['create']),
    contents: announced(changes, 'connectors', contents, ['put', 'remove']),
    crls: announced(changes, 'connectors', of.crls, ['put', 'remove']),
    windows: announced(changes, 'devices', windows, ['extend']),
    rotations: announced(changes, 'devices', rotations, ['open', 'cancel']),
    devices: announced(changes, 'devices', devices, ['update', 'claim', 'claimEach']),
    identities: announced(changes, 'devices', identities, [
      ...(['add', 'addProvisioned', 'importCsv', 'whitelist', 'whitelistSigned'] as const),
      ...(['change', 'changeTags', 'remove'] as const),
    ]),
    ...announced(
      changes,
      'devices',
      { setState: of.setState, orderReprovision: of.orderReprovision },
      ['setState', 'orderReprovision'],
    ),
  }
}

/** What changes of assets is published, with statuses once their transaction is committed. */
export function announcedAssets(changes: Publisher, of: Assets): Assets {
  of.onStatusChange(async (transaction, events) => {
    const businessIds = new Set(events.map(({ businessId }) => businessId))
    transaction.afterCommit(() => {
      for (const id of businessIds) changes.publish(id, 'assets')
    })
  })
  const { signals, conditions, templates, intake, valueRetention } = of
  const changing = announced(changes, 'assets', of, ['create', 'update', 'remove'])
  return {
    ...of,
    create: changing.create,
    update: changing.update,
    remove: changing.remove,
    intake: announced(changes, 'assets', intake, ['set']),
    signals: announced(changes, 'assets', signals, ['create', 'update', 'move', 'remove']),
    conditions: announced(changes, 'assets', conditions, ['comment', 'acknowledge', 'clear']),
    templates: announced(changes, 'assets', templates, ['create', 'update', 'remove']),
    valueRetention: announced(changes, 'assets', valueRetention, ['set']),
  }
}

export function announcedPipelines(changes: Publisher, of: Pipelines): Pipelines {
  const { modules, links, documents, failedCalls } = of
  return {
    ...of,
    modules: announced(changes, 'modules', modules, [
      ...(['add', 'move', 'configure', 'refresh', 'remove'] as const),
    ]),
    links: announced(changes, 'assets', links, [
      ...(['create', 'update', 'remove', 'removeSignal', 'updateSignal', 'moveSignal'] as const),
      'removeAsset',
    ]),
    documents: announced(changes, 'assets', documents, ['save', 'restore']),
    failedCalls: announced(changes, 'failures', failedCalls, [
      ...(['correct', 'retry', 'retryAll', 'discard', 'discardAll'] as const),
    ]),
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

export function announcedGroups(changes: Publisher, of: Groups): Groups {
  return announced(changes, 'groups', of, ['create', 'update', 'remove'])
}

export function announcedDashboards(changes: Publisher, of: Dashboards): Dashboards {
  return announced(changes, 'dashboards', of, ['create', 'replace', 'remove'])
}

export function announcedPolicies(changes: Publisher, of: Policies): Policies {
  return announced(changes, 'assets', of, ['create', 'update', 'remove'])
}

/** People, and what they may do; sign-ins are no change of these. */
export function announcedAccounts(changes: Publisher, of: Accounts): Accounts {
  return announced(changes, 'accounts', of, [
    ...(['createRole', 'changeRole', 'removeRole', 'setRoleRates'] as const),
    ...(['createUser', 'changeUser', 'removeUser', 'unlockUser'] as const),
    ...(['invite', 'resendInvitation', 'revokeInvitation', 'createToken', 'revokeToken'] as const),
    ...(['removeUserTotp', 'setOidc', 'removeOidc', 'demandTotp', 'endSessions'] as const),
  ])
}
