import { strict as assert } from 'node:assert'
import { before, describe, it } from 'node:test'
import type { Page, Request } from 'playwright-core'
import { wholeView } from '../../../src/people/groups/index.ts'
import { signedInConsole, skip, type TestConsole } from '../../fixtures/browser/console.ts'
import { until } from '../../fixtures/interface.ts'
import { type TestPlatform, unique } from '../../fixtures/platform.ts'
import { sharedBySuites } from '../../fixtures/suite.ts'

let instance: TestPlatform
let shown: TestConsole
let page: Page

const onConsole = sharedBySuites(async (suite) => {
  ;({ instance, shown, page } = await signedInConsole(suite))
})

const link = (name: string, on: Page) => on.getByRole('link', { name, exact: true })
/** Resolves when the stream is open: from then on lists need no timer. */
const isLive = (on: Page) => on.getByTitle('The server sends what changes').waitFor()
/** The requests of a page for one path, as they come. */
function requestsFor(page: Page, part: string): Request[] {
  const found: Request[] = []
  page.on('request', (request) => {
    if (request.url().includes(part)) found.push(request)
  })
  return found
}

describe('lists of the console that the server keeps up to date', { skip }, () => {
  onConsole()
  let streams: Request[]
  let lists: Request[]

  const whitelist = (identity: string) =>
    instance.platform.provisioning.identities.whitelist(
      instance.businessId,
      instance.connector.id,
      identity,
    )

  before(async () => {
    await whitelist('pump-1')
    await page.clock.install()
    streams = requestsFor(page, '/api:1/changes')
    lists = requestsFor(page, '/device2/identity?')
    await page.goto(`${shown.origin}/connectors/${instance.connector.id}`)
    await link('pump-1', page).waitFor()
    await isLive(page)
  })

  it('shows a device that a program has made, and asks for nothing in between', async () => {
    await whitelist('pump-2')
    await link('pump-2', page).waitFor()
    // The page asks for its role by a timer, once a minute: it passes here in a moment.
    const before = lists.length
    await page.clock.fastForward(30_000)
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(resolve))')
    assert.equal(lists.length, before, 'an idle list is not read')
    await page.clock.fastForward(60_000)
    await until(
      async () => lists.length,
      (count) => count > before,
    )
  })

  it('does not read a device that its operator is deleting', async () => {
    await whitelist('gone')
    const other = await shown.tab(`/connectors/${instance.connector.id}`)
    await link('gone', other).waitFor()
    await isLive(other)
    await page.goto(`${shown.origin}/connectors/${instance.connector.id}/devices/gone`)
    await isLive(page)
    const listed = Promise.withResolvers<void>()
    await page.route('**/device2/identity/gone', async (route) => {
      if (route.request().method() !== 'DELETE') return route.continue()
      const response = await route.fetch()
      await listed.promise
      return route.fulfill({ response })
    })
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await link('gone', other).waitFor({ state: 'detached' })
    await other.close()
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(resolve))')
    listed.resolve()
    await link('pump-2', page).waitFor()
  })

  it('has one connection for all tabs of a browser', async () => {
    const second = await shown.tab(`/connectors/${instance.connector.id}`)
    const own = requestsFor(second, '/api:1/changes')
    await link('pump-2', second).waitFor()
    await isLive(second)
    await whitelist('pump-3')
    await link('pump-3', second).waitFor()
    assert.deepEqual(own, [])
    const next = second.waitForRequest((request) => request.url().includes('/api:1/changes'))
    await page.close()
    await next
    await isLive(second)
    await whitelist('pump-4')
    await link('pump-4', second).waitFor()
    assert.ok(streams.length > 0)
  })
})

describe('pages of the console that are read when they change', { skip }, () => {
  onConsole()

  it('reads the overview and the audit log when they change, and not in between', async () => {
    const own = await shown.tab('/')
    await own.clock.install()
    const read: string[] = []
    own.on('request', (request) => {
      if (request.postData()?.includes('query ConsoleOverview(')) read.push('overview')
      if (request.url().includes('/api:1/audit?')) read.push('audit')
    })
    const { accounts, assets } = instance.platform
    const view = wholeView(instance.businessId)
    const isReadAgain = async (act: () => Promise<unknown>) => {
      await isLive(own)
      await act()
      const before = read.length
      await own.clock.fastForward(30_000)
      await own.evaluate('new Promise((resolve) => requestAnimationFrame(resolve))')
      assert.equal(read.length, before, 'what has not changed is not read')
    }
    await isReadAgain(async () => {
      await own.getByText('Conditions').first().waitFor()
      const was = read.length
      await assets.create(view, { name: 'Counted' })
      await until(
        async () => read.length,
        (count) => count > was,
      )
    })
    await own.goto(`${shown.origin}/setup/audit`)
    await isReadAgain(async () => {
      const by = { ...view, subject: 'token:x' }
      const action = { by, source: 'cli', action: 'createRole', target: 'Night shift' } as const
      await accounts.audited(action, async () => {})
      await own.getByText('Night shift').waitFor()
    })
    await own.close()
  })

  it('shows a Viewer of one group an asset that is renamed, without a timer', async () => {
    const { accounts, assets, groups } = instance.platform
    const view = wholeView(instance.businessId)
    const { id: groupId } = await groups.create(view, { name: 'Hall 1' })
    const asset = await assets.create(view, { name: 'Pump 1', groupId })
    const viewer = {
      email: `${unique('viewer')}@example.com`,
      password: 'a long enough phrase',
    }
    const rights = { role: 'Viewer', groups: [groupId] }
    await accounts.createUser(instance.businessId, { ...viewer, ...rights })
    await shown.forget()
    const own = await shown.tab('/')
    await own.clock.install()
    const read: unknown[] = []
    own.on('request', (request) => {
      if (request.postData()?.includes('query ConsoleAssets(')) read.push(request)
    })
    await shown.signIn(own, viewer)
    await own.goto(`${shown.origin}/assets`)
    await link('Pump 1', own).waitFor()
    await isLive(own)
    await assets.update(view, asset.id, { name: 'Pump 2' })
    await link('Pump 2', own).waitFor()
    const before = read.length
    await own.clock.fastForward(30_000)
    await own.evaluate('new Promise((resolve) => requestAnimationFrame(resolve))')
    assert.equal(read.length, before, 'an idle list is not read')
  })
})
