import { strict as assert } from 'node:assert'
import { before, describe, it } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import {
  assertAccessible,
  consoleSkipped,
  type TestConsole,
  testConsole,
} from '../../../fixtures/browser/console.ts'
import { until } from '../../../fixtures/interface.ts'
import type { TestPlatform } from '../../../fixtures/platform.ts'
import { suiteContext } from '../../../fixtures/suite.ts'

const editorOf = (page: Page) => page.getByRole('textbox', { name: /^Source of/ })

/** Puts a text in the place of all that the editor has. */
async function write(editor: Locator, text: string): Promise<void> {
  await editor.click()
  await editor.press('Control+a')
  await editor.pressSequentially(text)
}

describe('scripts of a solution in the console', { skip: consoleSkipped }, () => {
  const suite = suiteContext()
  let instance: TestPlatform
  let shown: TestConsole
  let page: Page

  const key = { kind: 'handler', name: 'device2_event' } as const
  const scripting = () => instance.platform.scripting
  const source = async () =>
    (await scripting().scripts.get(instance.businessId, 'pumps', key)).source

  before(async () => {
    ;({ instance, shown } = await testConsole(suite))
    await scripting().solutions.create(instance.businessId, { id: 'pumps', name: 'Pump alerts' })
    page = await shown.tab('/solutions/pumps')
    await shown.signIn(page, instance.account)
  })

  it('shows the error of a script at its line, and saves it when it compiles', async () => {
    await page.getByRole('tab', { name: 'Scripts' }).click()
    await page.getByRole('button', { name: 'New script' }).click()
    await page.getByLabel('Name').fill('device2_event')
    await page.getByRole('button', { name: 'Create' }).click()
    const editor = editorOf(page)
    await write(editor, 'print("hot", event.n)\nif event.n then')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText(/^Line 2: /).waitFor()
    await page.locator('.cm-lint-marker-error').waitFor()
    await assertAccessible(page, 'solution-script')
    assert.equal(await source(), '-- device2_event\n')
    await write(editor, 'print("hot", event.n) if event.n == 0 then error("no n") end')
    await editor.press('Control+s')
    await page.getByText('Saved.', { exact: true }).waitFor()
    assert.match(await source(), /error\("no n"\) end$/)
  })

  it('completes services, operations and their arguments', async () => {
    const editor = editorOf(page)
    await write(editor, 'Keystore.g')
    const option = (name: RegExp) => page.getByRole('option', { name })
    await option(/^get\{key/).waitFor()
    await assertAccessible(page, 'solution-completion')
    await option(/^get\{key/).click()
    await editor.pressSequentially('{ke')
    await option(/^key/).first().click()
    await editor.pressSequentially(' = "a"}')
    await editor.press('Control+s')
    await page.getByText('Saved.', { exact: true }).waitFor()
    assert.match(await source(), /Keystore\.get\{key = "a"\}/)
  })

  it('asks before a script that is not saved is left', async () => {
    await write(editorOf(page), '-- mine')
    await page.getByRole('tab', { name: 'Log' }).click()
    await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor()
    await assertAccessible(page, 'solution-leave')
    await page.getByRole('button', { name: 'Cancel' }).click()
    assert.match(await editorOf(page).innerText(), /-- mine/)
    await scripting().scripts.put(instance.businessId, 'pumps', key, 'print("theirs")')
    await page.getByText('The script was changed elsewhere').waitFor()
    await assertAccessible(page, 'solution-changed-elsewhere')
    await page.getByRole('button', { name: 'Show what is saved' }).click()
    await page.getByText('Saved.', { exact: true }).waitFor()
    assert.match(await editorOf(page).innerText(), /theirs/)
  })

  it('runs a handler with a sample, with its log beside it and in the live log', async () => {
    await scripting().scripts.put(
      instance.businessId,
      'pumps',
      key,
      'print("hot", event.n) if event.n == 0 then error("no n") end return event.n',
    )
    await page.getByLabel('Sample event (JSON)').fill('{"n": 7}')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    const result = page.getByRole('status', { name: 'Result' })
    await result.getByText('returned').waitFor()
    await result.getByText(/hot\s+7/).waitFor()
    await assertAccessible(page, 'solution-run')
    await page.getByLabel('Sample event (JSON)').fill('{"n": 0}')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await result.getByText('failed').waitFor()
    await page.getByRole('tab', { name: 'Log' }).click()
    await page.getByText(/hot\s+7/).waitFor()
    await assertAccessible(page, 'solution-log')
    await page.getByLabel('Text').fill('no n')
    await until(
      () => page.getByText(/hot\s+7/).count(),
      (count) => count === 0,
    )
    await page.getByText(/no n/).first().waitFor()
  })

  it('corrects an event that failed, and retries it', async () => {
    const { api, failures } = scripting()
    const { businessId } = instance
    const job = { businessId, solutionId: 'pumps', service: 'device2', event: 'event' }
    await api.deliveries.add([{ ...job, argument: { n: 0 }, trackingId: 'track-0' }])
    await page.getByRole('tab', { name: 'Failures' }).click()
    await page.getByRole('button', { name: /device2_event/ }).click()
    await page.getByLabel('Event (JSON)').fill('{"n": 8}')
    await page.getByRole('button', { name: 'Try it now' }).click()
    await page
      .getByRole('status', { name: 'Result' })
      .getByText(/hot\s+8/)
      .waitFor()
    await assertAccessible(page, 'solution-failures')
    await page.getByRole('button', { name: 'Retry', exact: true }).click()
    await page.getByText('No event failed').waitFor()
    assert.equal((await failures.list(businessId, 'pumps', { limit: 10 })).deliveries.length, 0)
    // The script that did not compile.
    const refused =
      'Failed to load resource: the server responded with a status of 400 (Bad Request)'
    assert.deepEqual(shown.errors, [refused])
  })
})
