import { strict as assert } from 'node:assert'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { testPlatform } from '../../../fixtures/platform.ts'
import {
  type InstanceProcess,
  startInstance,
} from '../../../fixtures/processes/instance-process.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'
import { codes, post, type WholeAnswer } from '../../../fixtures/wire/graphql.ts'
import { type Instance, instanceOf, messagesOf } from './instance.ts'

let instance: Instance
/** Another process on the same database. */
let other: InstanceProcess

const onInstances = sharedBySuites(async (suite) => {
  instance = instanceOf(await testPlatform(suite))
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
    const { as } = await instance.tokenOf()
    const places = [one, two, one, two, one, two, one, two, one, two, one, two]
    const answers: WholeAnswer[] = []
    for (const place of places) answers.push((await post(place, as, { query })).answer)
    assert.deepEqual(
      answers.map(({ errors }) => errors === undefined),
      [...Array.from({ length: 10 }, () => true), false, false],
    )
    assert.deepEqual(answers.slice(10).map(messagesOf), [
      ['ExceededRateLimitRequests'],
      ['ExceededRateLimitRequests'],
    ])
  })

  it('a Viewer signs in, is refused a deletion, and loses access within a second', async () => {
    const vera = { email: 'vera@example.com', password: 'a long phrase of words' }
    const made = await instance.manage('POST', 'users', { ...vera, role: 'Viewer' })
    const id = await instance.assetOf('Kept')
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
})
