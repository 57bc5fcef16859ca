import { strict as assert } from 'node:assert'
import { describe, it } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { goTo, signedInConsole, skip } from '../../../fixtures/browser/console.ts'
import { until } from '../../../fixtures/interface.ts'
import { type TestPlatform, unique } from '../../../fixtures/platform.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'
import { newDevice } from '../../../fixtures/wire/device.ts'

const pumps = unique('pumps')
const key = { kind: 'handler', name: 'device2_event' } as const
let instance: TestPlatform
let page: Page

const onConsole = sharedBySuites(async (suite) => {
  // The script that does not compile.
  ;({ instance, page } = await signedInConsole(suite, { expected: /status of 400/ }))
  const { platform, businessId } = instance
  await platform.scripting.solutions.create(businessId, { id: pumps, name: 'Pump alerts' })
  await goTo(page, `/solutions/${pumps}`)
})

const findEditor = (page: Page) => page.getByRole('textbox', { name: /^Source of/ })

/** Puts a text in the place of all that the editor has. */
async function write(editor: Locator, text: string): Promise<void> {
  await editor.click()
  await editor.press('Control+a')
  await editor.pressSequentially(text)
}

describe('scripts of a solution in the console', { skip }, () => {
  onConsole()

  const scripting = () => instance.platform.scripting
  const source = async () => (await scripting().scripts.get(instance.businessId, pumps, key)).source

  it('shows the error of a script at its line, and saves it when it compiles', async () => {
    await page.getByRole('tab', { name: 'Scripts' }).click()
    await page.getByRole('button', { name: 'New script' }).click()
    await page.getByLabel('Name').fill('device2_event')
    await page.getByRole('button', { name: 'Create' }).click()
    const editor = findEditor(page)
    await write(editor, 'print("hot", event.n)\nif event.n then')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText(/^Line 2: /).waitFor()
    await page.locator('.cm-lint-marker-error').waitFor()
    assert.equal(await source(), '-- device2_event\n')
    await write(editor, 'print("hot", event.n) if event.n == 0 then error("no n") end')
    await editor.press('Control+s')
    await page.getByText('Saved.', { exact: true }).waitFor()
    assert.match(await source(), /error\("no n"\) end$/)
  })

  it('completes services, operations and their arguments', async () => {
    const editor = findEditor(page)
    await write(editor, 'Keystore.g')
    const option = (name: RegExp) => page.getByRole('option', { name })
    await option(/^get\{key/).waitFor()
    await option(/^get\{key/).click()
    await editor.pressSequentially('{ke')
    await option(/^key/).first().click()
    await editor.pressSequentially(' = "a"}')
    await editor.press('Control+s')
    await page.getByText('Saved.', { exact: true }).waitFor()
    assert.match(await source(), /Keystore\.get\{key = "a"\}/)
  })

  it('asks before a script that is not saved is left', async () => {
    await write(findEditor(page), '-- mine')
    await page.getByRole('tab', { name: 'Log' }).click()
    await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    assert.match(await findEditor(page).innerText(), /-- mine/)
    await scripting().scripts.put(instance.businessId, pumps, key, 'print("theirs")')
    await page.getByText('The script was changed elsewhere').waitFor()
    await page.getByRole('button', { name: 'Show what is saved' }).click()
    await page.getByText('Saved.', { exact: true }).waitFor()
    assert.match(await findEditor(page).innerText(), /theirs/)
  })

  it('runs a handler with a sample, with its log beside it and in the live log', async () => {
    await scripting().scripts.put(
      instance.businessId,
      pumps,
      key,
      'print("hot", event.n) if event.n == 0 then error("no n") end return event.n',
    )
    await page.getByLabel('Sample event (JSON)').fill('{"n": 7}')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    const result = page.getByRole('status', { name: 'Result' })
    await result.getByText('returned').waitFor()
    await result.getByText(/hot\s+7/).waitFor()
    await page.getByLabel('Sample event (JSON)').fill('{"n": 0}')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await result.getByText('failed').waitFor()
    await page.getByRole('tab', { name: 'Log' }).click()
    await page.getByText(/hot\s+7/).waitFor()
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
    const job = { businessId, solutionId: pumps, service: 'device2', event: 'event' }
    await api.deliveries.add([{ ...job, argument: { n: 0 }, trackingId: 'track-0' }])
    await page.getByRole('tab', { name: 'Failures' }).click()
    await page.getByRole('button', { name: /device2_event/ }).click()
    await page.getByLabel('Event (JSON)').fill('{"n": 8}')
    await page.getByRole('button', { name: 'Try it now' }).click()
    await page
      .getByRole('status', { name: 'Result' })
      .getByText(/hot\s+8/)
      .waitFor()
    await page.getByRole('button', { name: 'Retry', exact: true }).click()
    await page.getByText('No event failed').waitFor()
    assert.equal((await failures.list(businessId, pumps, { limit: 10 })).deliveries.length, 0)
  })
})

describe('recorded events of a solution in the console', { skip }, () => {
  onConsole()

  it('runs a handler with a recorded event of its connector', async () => {
    const { businessId, connector, httpUrl, platform } = instance
    await platform.scripting.configurations.add(businessId, pumps, {
      service: connector.id,
      body: {},
    })
    const resources = { temperature: { format: 'number' } } as const
    await platform.provisioning.connectors.patch(businessId, connector.id, { resources })
    const script = 'if event.payload[1] then return event.payload[1].values.temperature end'
    await platform.scripting.scripts.put(businessId, pumps, key, script)
    await (await newDevice(httpUrl, connector.id, 'pump.7')).write('temperature=21.5')
    await page.getByRole('tab', { name: 'Scripts' }).click()
    await page.getByRole('button', { name: /^device2_event/ }).click()
    const list = page.getByLabel('Recorded event')
    const value = await list.locator('option', { hasText: 'data_in pump.7' }).getAttribute('value')
    await list.selectOption(value)
    const sample = JSON.parse(await page.getByLabel('Sample event (JSON)').inputValue())
    assert.deepEqual([sample.type, sample.identity], ['data_in', 'pump.7'])
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    const result = page.getByRole('status', { name: 'Result' })
    await result.getByText('"21.5"', { exact: true }).waitFor()
  })
})
