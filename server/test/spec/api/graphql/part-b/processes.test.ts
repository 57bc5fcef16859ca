import { strict as assert } from 'node:assert'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { testPlatform } from '../../../../fixtures/platform.ts'
import {
  type InstanceProcess,
  startInstance,
} from '../../../../fixtures/processes/instance-process.ts'
import { sharedBySuites } from '../../../../fixtures/suite.ts'
import { codes, post, type WholeAnswer } from '../../../../fixtures/wire/graphql.ts'
import { type Instance, listMessages, openInstance } from './instance.ts'

let instance: Instance
/** Another process on the same database. */
let other: InstanceProcess

const onInstances = sharedBySuites(async (suite) => {
  instance = openInstance(await testPlatform(suite))
  const folder = await mkdtemp(join(tmpdir(), 'millrace-other-'))
  suite.after(() => rm(folder, { recursive: true, force: true, maxRetries: 20 }))
  other = await startInstance({
    ...(await instance.otherProcess()),
    MILLRACE_DATA: folder,
  })
  suite.after(() => other.stop())
})

const query = '{ assetCount }'
const ends = () => [instance.endpoint, { url: `${other.httpUrl}/api/graphql` }] as const
/** The longest that a loss of access takes in another process. */
const revokedMsMax = 1_000

describe('two processes of one instance', () => {
  onInstances()

  it('count the requests of a token in one window: ten are answered, none more', async () => {
    const [one, two] = ends()
    // Both have read what they keep of callers before the window begins.
    for (const end of ends()) await post(end, instance.automation, { query })
    const { as } = await instance.makeToken()
    const places = [one, two, one, two, one, two, one, two, one, two, one, two]
    const answers: WholeAnswer[] = []
    for (const place of places) answers.push((await post(place, as, { query })).answer)
    assert.deepEqual(
      answers.map(({ errors }) => errors === undefined),
      [...Array.from({ length: 10 }, () => true), false, false],
    )
    assert.deepEqual(answers.slice(10).map(listMessages), [
      ['ExceededRateLimitRequests'],
      ['ExceededRateLimitRequests'],
    ])
  })

  it('a Viewer signs in, is refused a deletion, and loses access within a second', async () => {
    const vera = { email: 'second@example.com', password: 'a long phrase of words' }
    const made = await instance.manage('POST', 'users', { ...vera, role: 'Viewer' })
    const id = await instance.makeAsset('Kept')
    const signedIn = await fetch(`${other.httpUrl}/api:1/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(vera),
    })
    const { token } = (await signedIn.json()) as { readonly token: string }
    const as = `token ${token}`
    const [, place] = ends()
    const read = { query: `{ asset(id: "${id}") { id } }` }
    assert.deepEqual((await post(place, as, read)).answer.data, { asset: { id } })
    const remove = { query: `mutation { deleteAsset(id: "${id}") { id } }` }
    assert.deepEqual(codes((await post(place, as, remove)).answer), ['forbidden'])
    await instance.manage('DELETE', `users/${made.id}`)
    const since = performance.now()
    while ((await post(place, as, read)).status === 200) {
      assert.ok(performance.now() - since < 30_000, 'it is still taken')
    }
    const ms = performance.now() - since
    assert.ok(ms < revokedMsMax, `it took ${ms} ms`)
  })

  it('a group that is moved, or made, is another part of a view within a second', async () => {
    const [one, two] = ends()
    const group = async (name: string, parentId?: string) => {
      const text = 'mutation($input: CreateGroupInput!) { createGroup(input: $input) { id } }'
      const input = { name, parentId }
      const made = await instance.ask<{ createGroup: { id: string } }>(text, { input })
      return made.createGroup.id
    }
    const [site, yard] = [await group('Site'), await group('Yard')]
    const cell = await group('Cell', site)
    const asset = await instance.makeAsset('In the cell')
    const put = (id: string) =>
      instance.ask(`mutation { updateAsset(id: "${asset}", input: { groupId: "${id}" }) { id } }`)
    const wanted = { role: 'Viewer', rate_limits: { requests: 1_000_000, time: 100_000_000 } }
    const token = { ...wanted, name: 'of the site', groups: [site] }
    const made = await instance.manage<{ token: string }>('POST', 'api-tokens', token)
    const names = async (place: { url: string }) => {
      const query = '{ assets(pagination: { limit: 20 }) { name } }'
      const { answer } = await post(place, `Automation ${made.token}`, { query })
      return (answer.data?.assets as { name: string }[]).map(({ name }) => name)
    }
    const within = async (expected: string[]) => {
      assert.deepEqual(await names(one), expected, 'at once where it was changed')
      const since = performance.now()
      while (String(await names(two)) !== String(expected)) {
        const ms = performance.now() - since
        assert.ok(ms < revokedMsMax, `not after ${ms} ms`)
      }
    }
    await put(cell)
    await within(['In the cell'])
    const move = (to: string) =>
      instance.ask(`mutation { updateGroup(id: "${cell}", input: { parentId: "${to}" }) { id } }`)
    await move(yard)
    await within([])
    await move(site)
    await within(['In the cell'])
    await put(await group('Fresh', site))
    await within(['In the cell'])
  })
})
