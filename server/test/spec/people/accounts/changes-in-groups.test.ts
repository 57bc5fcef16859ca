import { strict as assert } from 'node:assert'
import { describe, it, type TestContext } from 'node:test'
import { wholeView } from '../../../../src/people/groups/index.ts'
import { until } from '../../../fixtures/interface.ts'
import { followChanges, topicsIn } from '../../../fixtures/operation/change-events.ts'
import { type TestPlatform, testPlatform } from '../../../fixtures/platform.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'

let millrace: TestPlatform
const onInstance = sharedBySuites(async (context) => {
  millrace = await testPlatform(context)
})

const rateLimits = { requests: 10_000, timeMs: 1_000_000 }

/** A business with two groups, an asset in each, and a token that sees the first group. */
async function twoGroups(role = 'Viewer') {
  const { accounts, assets, groups } = millrace.platform
  const { id: businessId } = await accounts.createBusiness({ name: `Next ${Math.random()}` })
  const view = wholeView(businessId)
  const own = await groups.create(view, { name: 'Own' })
  const other = await groups.create(view, { name: 'Other' })
  const seen = await assets.create(view, { name: 'Seen', groupId: own.id })
  const hidden = await assets.create(view, { name: 'Hidden', groupId: other.id })
  const makeToken = async (rights: {
    readonly role: string
    readonly groups?: readonly string[]
  }) => accounts.createToken(businessId, { name: `T ${Math.random()}`, rateLimits, ...rights })
  const part = await makeToken({ role, groups: [own.id] })
  const all = await makeToken({ role: 'Administrator' })
  const places = { businessId, view, own, other, seen, hidden, tokenId: part.id }
  const authorization = `Automation ${part.token}`
  return { ...places, authorization, administrator: `Automation ${all.token}` }
}

type Placed = Awaited<ReturnType<typeof twoGroups>>
type Act = (placed: Placed) => Promise<unknown>

/** The topics that a caller of one group gets for what somebody does, by name, and no others. */
async function findTopics(t: TestContext, act: Act, role?: string): Promise<string[]> {
  const placed = await twoGroups(role)
  const reader = await followChanges(t, placed.authorization, millrace)
  const all = await followChanges(t, placed.administrator, millrace)
  await act(placed)
  await all.until(({ event }) => event === 'changed')
  // All get this topic. The second change comes after a pause, with all that was sent in it.
  for (const round of [1, 2]) {
    await makeDashboard(placed)
    await until(
      async () => topicsIn(reader).filter((topic) => topic === 'dashboards').length,
      (count) => count >= round,
    )
  }
  return [...new Set(topicsIn(reader))].filter((topic) => topic !== 'dashboards').sort()
}

async function makeDashboard({ businessId }: Placed) {
  const author = { businessId, subject: 'user:x', view: businessId }
  await millrace.platform.dashboards.create(author, { name: `D ${Math.random()}`, panels: [] })
}

const signal = { name: 'Level', primitiveType: 'NUMERIC' } as const

describe('the stream of changes of a caller of some groups', { concurrency: true }, () => {
  onInstance()

  it('covers what lies in groups', async (t) => {
    const { authorization } = await twoGroups()
    const reader = await followChanges(t, authorization, millrace)
    const { data } = await reader.until(({ event }) => event === 'covers')
    assert.deepEqual(data, { topics: ['groups', 'assets', 'dashboards'] })
  })

  it('has changes of assets of the group, and not of others', async (t) => {
    const { assets } = millrace.platform
    const rename = (place: 'seen' | 'hidden') => (placed: Placed) =>
      assets.update(placed.view, placed[place].id, { name: 'New' })
    assert.deepEqual(await findTopics(t, rename('seen')), ['assets'])
    assert.deepEqual(await findTopics(t, rename('hidden')), [])
  })

  it('has an asset that comes, one that goes, and one that is removed', async (t) => {
    const { assets } = millrace.platform
    const move = (place: 'seen' | 'hidden', to: 'own' | 'other') => (placed: Placed) =>
      assets.update(placed.view, placed[place].id, { groupId: placed[to].id })
    assert.deepEqual(await findTopics(t, move('seen', 'other')), ['assets'])
    assert.deepEqual(await findTopics(t, move('hidden', 'own')), ['assets'])
    const remove = ({ view, seen }: Placed) => assets.remove(view, seen.id)
    assert.deepEqual(await findTopics(t, remove), ['assets'])
  })

  it('has signals, pipelines and statuses of assets of the group alone', async (t) => {
    const { assets, pipelines, database } = millrace.platform
    const add = (place: 'seen' | 'hidden') => (placed: Placed) =>
      assets.signals.create(placed.view, placed[place].id, signal)
    assert.deepEqual(await findTopics(t, add('seen')), ['assets'])
    assert.deepEqual(await findTopics(t, add('hidden')), [])
    const save = (place: 'seen' | 'hidden') => (placed: Placed) =>
      pipelines.documents.save(placed.view, placed[place].id, { links: [] }, null)
    assert.deepEqual(await findTopics(t, save('seen')), ['assets'])
    assert.deepEqual(await findTopics(t, save('hidden')), [])
    const alarm = (place: 'seen' | 'hidden') => (placed: Placed) => {
      const status = {
        assetId: placed[place].id,
        ruleId: placed[place].id,
        ts: 1,
        level: 3,
      } as const
      return database.transaction((held) =>
        assets.setStatuses(held, [{ ...status, businessId: placed.businessId }]),
      )
    }
    assert.deepEqual(await findTopics(t, alarm('seen')), ['assets'])
    assert.deepEqual(await findTopics(t, alarm('hidden')), [])
  })

  it('has groups below its own, as the tree is now', async (t) => {
    const { assets, groups } = millrace.platform
    const move = async ({ view, own, other }: Placed) => {
      await groups.update(view, other.id, { parentId: own.id })
    }
    assert.deepEqual(await findTopics(t, move), ['groups'])
    const changed = async (placed: Placed) => {
      await move(placed)
      await assets.update(placed.view, placed.hidden.id, { name: 'New' })
    }
    assert.deepEqual(await findTopics(t, changed), ['assets', 'groups'])
    const rename = ({ view, other }: Placed) => groups.update(view, other.id, { name: 'New' })
    assert.deepEqual(await findTopics(t, rename), [])
    const leave = async ({ view, own, other }: Placed) => {
      const { id } = await groups.create(view, { name: 'Below', parentId: own.id })
      await groups.update(view, id, { parentId: other.id })
    }
    assert.deepEqual(await findTopics(t, leave), ['groups'])
  })

  it('has nothing of devices, connectors and people, whatever the role', async (t) => {
    const { accounts, provisioning } = millrace.platform
    const act = async ({ businessId }: Placed) => {
      const { id } = await provisioning.connectors.create(businessId, { name: 'Pumps' })
      await provisioning.identities.whitelist(businessId, id, 'pump-1')
      await accounts.createRole(businessId, {
        name: `Role ${Math.random()}`,
        permissions: ['Setup'],
      })
    }
    assert.deepEqual(await findTopics(t, act, 'Administrator'), [])
  })
})

describe('a stream of changes in groups', { concurrency: true }, () => {
  onInstance()

  it('comes over processes', async (t) => {
    const other = await millrace.another()
    const { view, authorization, seen } = await twoGroups()
    const reader = await followChanges(t, authorization, other)
    // The first hints say that anything may be new.
    await until(
      async () => {
        await millrace.platform.assets.update(view, seen.id, { name: `N ${Math.random()}` })
        return topicsIn(reader)
      },
      (topics) => topics.includes('assets'),
    )
  })

  it('ends when the token is revoked, and when it gets other groups', async (t) => {
    const { accounts } = millrace.platform
    const { businessId, authorization, tokenId, own, other } = await twoGroups()
    const reader = await followChanges(t, authorization, millrace)
    await accounts.revokeToken(businessId, tokenId)
    const end = await reader.until(({ event }) => event === 'end')
    assert.equal((end.data as { code: string }).code, 'unknown_credential')
    const account = { email: 'part@example.com', password: 'a long enough phrase' }
    const { id } = await accounts.createUser(businessId, {
      ...account,
      role: 'Viewer',
      groups: [own.id],
    })
    const text = `${account.email}:${account.password}`
    const basic = `Basic ${Buffer.from(text).toString('base64')}`
    const second = await followChanges(t, basic, millrace)
    await accounts.changeUser(businessId, id, { groups: [other.id] })
    const { data } = await second.until(({ event }) => event === 'end')
    assert.equal((data as { code: string }).code, 'forbidden')
  })
})
