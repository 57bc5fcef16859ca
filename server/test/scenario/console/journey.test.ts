import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { wholeView } from '../../../src/people/groups/index.ts'
import { goTo, signedInConsole, skip } from '../../fixtures/browser/console.ts'
import { type TestPlatform, unique } from '../../fixtures/platform.ts'
import { newDevice } from '../../fixtures/wire/device.ts'

/** Stands for all tests of the console in the fast tier. */
test('a person connects a device, follows its values and works on a solution', {
  skip,
}, async (t) => {
  const { instance, page } = await signedInConsole(t)
  await page.getByText('All assets are normal.').waitFor()
  await connectDevice(page, instance)
  await showAsset(page, instance)
  await runSolution(page, instance)
  await goTo(page, '/failures')
  await page.getByText('Nothing failed').first().waitFor()
  await goTo(page, '/setup/users')
  await page.getByRole('cell', { name: `${instance.account.email} (you)` }).waitFor()
  await page.getByRole('button', { name: instance.account.email, exact: true }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByLabel('E-mail address').waitFor()
})

/** Connects the device as the page says, and shows a value that comes later. */
async function connectDevice(page: Page, { httpUrl, connector }: TestPlatform): Promise<void> {
  await page.getByRole('link', { name: 'Connect a device' }).first().click()
  await page.getByLabel('Identity of the device').fill('pump-1')
  await page.getByText('Waiting for pump-1').waitFor()
  const device = await newDevice(httpUrl, connector.id, 'pump-1')
  await device.write('temperature=21.5')
  await page.getByText('pump-1 has written.').waitFor()
  await page.getByRole('link', { name: 'Open the device' }).click()
  await page.getByText('21.5', { exact: true }).first().waitFor()
  await device.write('temperature=22.5')
  await page.getByText('22.5', { exact: true }).first().waitFor()
}

/** Shows a signal of the device in a plot, and the functions that its pipeline may have. */
async function showAsset(page: Page, { platform, businessId, connector }: TestPlatform) {
  const { id } = await platform.assets.create(wholeView(businessId), {
    name: 'Pump 1',
    device: { connectorId: connector.id, identity: 'pump-1' },
    signals: [{ name: 'Heat', primitiveType: 'NUMERIC', source: { alias: 'temperature' } }],
  })
  await goTo(page, '/assets')
  await page.getByRole('link', { name: 'Pump 1' }).click()
  await page.getByRole('link', { name: 'Heat' }).click()
  await page.getByRole('figure', { name: 'Plot of Heat' }).waitFor()
  await goTo(page, `/assets/${id}/pipeline`)
  await page.getByRole('button', { name: 'Add Threshold' }).waitFor()
}

/** Writes a handler, and runs it with an event. */
async function runSolution(page: Page, { platform, businessId }: TestPlatform): Promise<void> {
  const id = unique('pumps')
  await platform.scripting.solutions.create(businessId, { id, name: 'Pumps' })
  await goTo(page, `/solutions/${id}`)
  await page.getByRole('button', { name: 'New script' }).click()
  await page.getByLabel('Name').fill('device2_event')
  await page.getByRole('button', { name: 'Create' }).click()
  const editor = page.getByRole('textbox', { name: /^Source of/ })
  await editor.click()
  await editor.press('Control+a')
  await editor.pressSequentially('return event.n + 1')
  await editor.press('Control+s')
  await page.getByText('Saved.', { exact: true }).waitFor()
  await page.getByLabel('Sample event (JSON)').fill('{"n": 7}')
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  const result = page.getByRole('status', { name: 'Result' })
  await result.getByText('8', { exact: true }).waitFor()
  const key = { kind: 'handler', name: 'device2_event' } as const
  const { source } = await platform.scripting.scripts.get(businessId, id, key)
  assert.equal(source, 'return event.n + 1')
}
