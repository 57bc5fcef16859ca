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

const endpoints = {
  'POST /pumps/{id}': `
    response.code = 201
    return {id = request.parameters.id, seen = request.headers.authorization or "nothing",
      level = request.body.level, limit = request.parameters.limit}`,
  'GET /page': 'response.headers["Content-Type"] = "text/html" return "<script>top.x=1</script>"',
  'WEBSOCKET /live': `
    if websocketInfo.type == "open" then return "welcome" end
    if websocketInfo.type == "data" then return "echo " .. websocketInfo.message end`,
}

describe('endpoints of a solution in the console', { skip: consoleSkipped }, () => {
  const suite = suiteContext()
  let instance: TestPlatform
  let shown: TestConsole
  let page: Page

  const choose = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const answer = () => page.getByRole('status', { name: 'Answer' })

  before(async () => {
    ;({ instance, shown } = await testConsole(suite))
    const { businessId, platform } = instance
    const { solutions, scripts } = platform.scripting
    await solutions.create(businessId, { id: 'pumps', name: 'pumps' })
    page = await shown.tab('/solutions/pumps/endpoints')
    await shown.signIn(page, instance.account)
    await page.getByText('answers no requests yet').waitFor()
    for (const [name, source] of Object.entries(endpoints)) {
      await scripts.put(businessId, 'pumps', { kind: 'endpoint', name }, source)
    }
  })

  it('says at the field what is wrong before it sends anything', async () => {
    await choose('POST /pumps/{id}')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('must be given').waitFor()
    await page.getByLabel('Headers').fill('no header')
    await page.getByText('This is no header: no header').waitFor()
    await assertAccessible(page, 'solution-endpoint')
    assert.equal(await answer().count(), 0)
  })

  it('sends a request without the session, and shows the command that does the same', async () => {
    await page.getByLabel('Headers').fill('Content-Type: application/json')
    await page.getByLabel('{id}', { exact: true }).fill('north/7 ü')
    await page.getByLabel('Query').fill('limit=3')
    await page.getByLabel('Body').fill('{"level": 21}')
    await page.getByRole('button', { name: 'Send' }).click()
    await answer().getByText('201').waitFor()
    const got = JSON.parse((await answer().locator('pre').textContent()) ?? '')
    assert.deepEqual(got, { id: 'north/7 ü', seen: 'nothing', level: 21, limit: '3' })
    await assertAccessible(page, 'solution-endpoint-answer')
    const command = await page.getByLabel('The same with curl', { exact: true }).textContent()
    assert.match(command ?? '', /\/solution\/pumps\/pumps\/north%2F7%20%C3%BC\?limit=3'/)
    assert.match(command ?? '', /--data-raw '\{"level": 21\}'/)
  })

  it('shows markup that a solution answers as text', async () => {
    await choose('GET /page')
    await page.getByRole('button', { name: 'Send' }).click()
    await answer().getByText('<script>top.x=1</script>').waitFor()
    assert.equal(await page.evaluate('window.x'), undefined)
  })

  it('connects to a websocket, sends, and shows what comes', async () => {
    await choose('WEBSOCKET /live')
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    const frames = page.getByRole('list', { name: 'Messages, newest first' })
    await frames.getByText('welcome', { exact: true }).waitFor()
    await page.getByLabel('Message', { exact: true }).fill('hö')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await frames.getByText('echo hö', { exact: true }).waitFor()
    await assertAccessible(page, 'solution-websocket')
    await page.getByRole('button', { name: 'Disconnect' }).click()
    await frames.getByText(/closed \(\d+/).waitFor()
    await page.getByRole('button', { name: 'Connect', exact: true }).waitFor()
    const refused = shown.errors.splice(0).filter((error) => !/status of [45]\d\d/.test(error))
    assert.deepEqual(refused, [])
  })
})
