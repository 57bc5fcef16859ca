import { strict as assert } from 'node:assert'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import {
  assertAccessible,
  consoleSkipped,
  type TestConsole,
  testConsole,
} from '../../../fixtures/browser/console.ts'
import type { TestPlatform } from '../../../fixtures/platform.ts'
import { suiteContext } from '../../../fixtures/suite.ts'
import { newDevice } from '../../../fixtures/wire/device.ts'

describe('recorded events of a solution in the console', { skip: consoleSkipped }, () => {
  const suite = suiteContext()
  let instance: TestPlatform
  let shown: TestConsole
  let page: Page

  before(async () => {
    ;({ instance, shown } = await testConsole(suite))
    page = await shown.tab('/solutions/pumps')
    await shown.signIn(page, instance.account)
  })

  it('runs a handler with a recorded event of its connector', async () => {
    const { businessId, connector, httpUrl, platform } = instance
    await platform.scripting.solutions.create(businessId, { id: 'pumps', name: 'pumps' })
    const key = { kind: 'handler', name: 'device2_event' } as const
    await platform.scripting.configurations.add(businessId, 'pumps', {
      service: connector.id,
      body: {},
    })
    const resources = { temperature: { format: 'number' } } as const
    await platform.provisioning.connectors.patch(businessId, connector.id, { resources })
    const script = 'if event.payload[1] then return event.payload[1].values.temperature end'
    await platform.scripting.scripts.put(businessId, 'pumps', key, script)
    await (await newDevice(httpUrl, connector.id, 'pump.7')).write('temperature=21.5')
    await page.getByRole('button', { name: /^device2_event/ }).click()
    const list = page.getByLabel('Recorded event')
    const value = await list.locator('option', { hasText: 'data_in pump.7' }).getAttribute('value')
    await list.selectOption(value)
    const sample = JSON.parse(await page.getByLabel('Sample event (JSON)').inputValue())
    assert.deepEqual([sample.type, sample.identity], ['data_in', 'pump.7'])
    await assertAccessible(page, 'solution-recorded')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    const result = page.getByRole('status', { name: 'Result' })
    await result.getByText('"21.5"', { exact: true }).waitFor()
  })
})
