import { strict as assert } from 'node:assert'
import { before, describe, it } from 'node:test'
import type { Page, Request } from 'playwright-core'
import { consoleSkipped, type TestConsole, testConsole } from '../../fixtures/browser/console.ts'
import { until } from '../../fixtures/interface.ts'
import type { TestPlatform } from '../../fixtures/platform.ts'
import { suiteContext } from '../../fixtures/suite.ts'

/** The requests of a page for one path, as they come. */
function requestsFor(page: Page, part: string): Request[] {
  const found: Request[] = []
  page.on('request', (request) => {
    if (request.url().includes(part)) found.push(request)
  })
  return found
}

describe('lists of the console that the server keeps up to date', { skip: consoleSkipped }, () => {
  const suite = suiteContext()
  let instance: TestPlatform
  let shown: TestConsole
  let page: Page
  let streams: Request[]
  let lists: Request[]

  const whitelist = (identity: string) =>
    instance.platform.provisioning.identities.whitelist(
      instance.businessId,
      instance.connector.id,
      identity,
    )
  const link = (name: string, on = page) => on.getByRole('link', { name, exact: true })
  /** Resolves when the stream is open: from then on lists need no timer. */
  const isLive = (on: Page) => on.getByTitle('The server sends what changes').waitFor()

  before(async () => {
    ;({ instance, shown } = await testConsole(suite))
    await whitelist('pump-1')
    page = await shown.tab('/')
    await page.clock.install()
    streams = requestsFor(page, '/api:1/changes')
    lists = requestsFor(page, '/device2/identity?')
    await shown.signIn(page, instance.account)
    await page.goto(`${shown.origin}/connectors/${instance.connector.id}`)
    await link('pump-1').waitFor()
    await isLive(page)
  })

  it('shows a device that a program has made, and asks for nothing in between', async () => {
    await whitelist('pump-2')
    await link('pump-2').waitFor()
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
    await link('pump-2').waitFor()
    assert.deepEqual(shown.errors, [])
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
    assert.deepEqual(shown.errors, [])
  })
})
