import { Fault, StrictObject, Type } from '../../../../foundation/kernel/index.ts'
import { type ChangeTopic, changeTopics, topicsInGroups } from '../../../../log/changes/index.ts'
import type { Permission, Principal } from '../../../../people/accounts/index.ts'
import { refusalSchema } from '../../contract/common.ts'
import { operations } from '../../operation.ts'

const topic = Type.Enum(Object.keys(changeTopics) as (keyof typeof changeTopics)[], {
  component: 'ChangeTopic',
  description: Object.entries(changeTopics)
    .map(([name, text]) => `\`${name}\`: ${text}`)
    .join(' '),
})

const topics = StrictObject({ topics: Type.Array(topic) })

const heartbeat = 'The milliseconds between its comments.'

const on = operations('accounts', 'account', '/api:1/changes')

export const followChanges = on.get(
  '',
  'Follow which kinds of things of the business change.',
  () => ({
    description:
      'Server-sent events without content: `covers` comes first, with the topics whose changes ' +
      'are sent; then `changed`, and a program that shows a list reads it again, at most one in ' +
      'a second. What changed before the stream was open does not come: read the lists when it ' +
      'is. Of what the caller may not list there are none. Callers of some groups get what ' +
      'changes in these, of some topics; other lists they read by a timer. The stream ends ' +
      'within a second if the credential is revoked, or what it permits changes.',
    answers: {
      200: {
        description: 'Events `covers` and `changed`, until an event `end` with the reason.',
        events: { covers: topics, changed: topics, end: refusalSchema },
        headers: { 'millrace-heartbeat': Type.Integer({ description: heartbeat }) },
      },
    },
    refuses: ['forbidden'],
  }),
  ({ changeStreams, liveViews }, call) => {
    const { principal } = call
    const covered = listCovered(principal)
    return changeStreams.open(call, {
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
  },
)

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

/** The topics whose changes the caller gets, all that it may list. */
function listCovered({ permissions, view }: Principal): ReadonlySet<ChangeTopic> {
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
  throw new Fault(
    'forbidden',
    'The permissions of the credential have changed. Open the stream again.',
  )
}
