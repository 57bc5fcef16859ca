import type { Permission, Principal } from '../../accounts/index.ts'
import { type ChangeTopic, type LiveViews, topicsInGroups } from '../../changes/index.ts'
import { Fault } from '../../kernel/index.ts'
import { followChanges } from '../contract/operation/changes.ts'
import type { LogStreams } from '../log-streams.ts'
import { type Route, route } from '../route.ts'

export type ChangeRoutesOptions = {
  readonly liveViews: LiveViews
  readonly streams: LogStreams
}

/** Any of these permissions lets its holder list things of the topic. */
const readers: Readonly<Record<ChangeTopic, readonly Permission[]>> = {
  accounts: ['User Management', 'Setup'],
  groups: ['Group Management', 'View Asset', 'Asset Management', 'Setup'],
  assets: ['View Asset', 'View Asset Data', 'Asset Management'],
  dashboards: ['View Asset', 'Dashboard Management'],
  connectors: ['Setup'],
  devices: ['Setup'],
  solutions: ['Setup'],
  failures: ['Setup'],
  modules: ['Setup', 'Asset Management'],
  audit: ['User Management'],
}

/** The stream of changes of the caller's business, as far as the caller sees it. */
export function changeRoutes({ liveViews, streams }: ChangeRoutesOptions): Route[] {
  return [
    route(followChanges, async (call) => {
      const { principal } = call
      const covered = coveredOf(principal)
      return streams.open(call, followChanges, {
        name: 'changed',
        first: { name: 'covers', data: { topics: [...covered] } },
        follow(send) {
          return liveViews.follow(principal.view, (all) => {
            const topics = all.filter((topic) => covered.has(topic))
            if (topics.length > 0) send([{ body: { topics } }])
          })
        },
        check: (now) => requireSame(principal, now),
      })
    }),
  ]
}

/** The topics whose changes the caller gets, all that it may list. */
function coveredOf({ permissions, view }: Principal): ReadonlySet<ChangeTopic> {
  const topics = Object.keys(readers) as ChangeTopic[]
  const isCovered = (topic: ChangeTopic) =>
    (view.groups === 'all' || topicsInGroups.has(topic)) &&
    readers[topic].some((permission) => permissions.has(permission))
  return new Set(topics.filter(isCovered))
}

/** @throws Fault forbidden if the caller may see more by now, or less. */
function requireSame(before: Principal, now: Principal): void {
  const isSameView = String(before.view.groups) === String(now.view.groups)
  const differing = before.permissions.symmetricDifference(now.permissions)
  if (isSameView && differing.size === 0) return
  throw new Fault('forbidden', 'What the credential permits has changed. Open the stream again.')
}
