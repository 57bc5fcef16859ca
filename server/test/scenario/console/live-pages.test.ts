import { strict as assert } from 'node:assert'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { wholeView } from '../../../src/groups/index.ts'
import { consoleSkipped, type TestConsole, testConsole } from '../../fixtures/browser/console.ts'
import { until } from '../../fixtures/interface.ts'
import type { TestPlatform } from '../../fixtures/platform.ts'
import { suiteContext } from '../../fixtures/suite.ts'

describe('pages of the console that are read when they change', { skip: consoleSkipped }, () => {
  const suite = suiteContext()
  let instance: TestPlatform
  let shown: TestConsole

  const link = (name: string, on: Page) => on.getByRole('link', { name, exact: true })
  /** Resolves when the stream is open: from then on lists need no timer. */
  const isLive = (on: Page) => on.getByTitle('The server sends what changes').waitFor()

  before(async () => {
    ;({ instance, shown } = await testConsole(suite))
    await shown.signIn(await shown.tab('/'), instance.account)
  })

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
    assert.deepEqual(shown.errors, [])
  })

  it('shows a Viewer of one group an asset that is renamed, without a timer', async () => {
    const { accounts, assets, groups } = instance.platform
    const view = wholeView(instance.businessId)
    const { id: groupId } = await groups.create(view, { name: 'Hall 1' })
    const asset = await assets.create(view, { name: 'Pump 1', groupId })
    const viewer = { email: 'viewer@example.com', password: 'a long enough phrase' }
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
    assert.deepEqual(shown.errors, [])
  })
})
