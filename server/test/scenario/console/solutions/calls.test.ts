import { strict as assert } from 'node:assert'
import { before, describe, it } from 'node:test'
import { formatAuthorization } from '@millrace/client'
import type { Page } from 'playwright-core'
import { goTo, signedInConsole, skip, type TestConsole } from '../../../fixtures/browser/console.ts'
import { type TestPlatform, unique } from '../../../fixtures/platform.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'

/** A solution with endpoints, one with operations, and one that others use. */
const ids = { served: unique('pumps'), called: unique('pumps'), used: unique('pumps') }

let instance: TestPlatform
let shown: TestConsole
let page: Page

const onConsole = sharedBySuites(async (suite) => {
  ;({ instance, shown, page } = await signedInConsole(suite, { expected: /status of [45]\d\d/ }))
  for (const id of Object.values(ids)) {
    await instance.platform.scripting.solutions.create(instance.businessId, { id, name: id })
  }
})

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

describe('endpoints of a solution in the console', { skip }, () => {
  onConsole()

  const choose = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const answer = () => page.getByRole('status', { name: 'Answer' })

  before(async () => {
    const { businessId, platform } = instance
    await goTo(page, `/solutions/${ids.served}/endpoints`)
    await page.getByText('answers no requests yet').waitFor()
    for (const [name, source] of Object.entries(endpoints)) {
      await platform.scripting.scripts.put(
        businessId,
        ids.served,
        { kind: 'endpoint', name },
        source,
      )
    }
  })

  it('says at the field what is wrong before it sends anything', async () => {
    await choose('POST /pumps/{id}')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('must be given').waitFor()
    await page.getByLabel('Headers').fill('no header')
    await page.getByText('This is no header: no header').waitFor()
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
    const command = await page.getByLabel('The same with curl', { exact: true }).textContent()
    const path = `/solution/${ids.served}/pumps/north%2F7%20%C3%BC?limit=3'`
    assert.ok(command?.includes(path), command ?? '')
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
    await page.getByRole('button', { name: 'Disconnect' }).click()
    await frames.getByText(/closed \(\d+/).waitFor()
    await page.getByRole('button', { name: 'Connect', exact: true }).waitFor()
  })
})

const plan = {
  name: 'plan',
  description: 'Plans <b>a</b> fill.',
  script: 'Keystore.set{key = "plan", value = to_json(order)} return {cost = order.litres * 2}',
  parameters: {
    title: 'order',
    type: 'object',
    required: ['litres', 'place', 'kind'],
    properties: {
      litres: { type: 'integer', maximum: 500, description: 'How much is filled.' },
      kind: { type: 'string', enum: ['oil', 'water'] },
      urgent: { type: 'boolean' },
      price: { type: 'number', default: 1.5 },
      place: {
        type: 'object',
        required: ['city'],
        properties: {
          city: { type: 'string' },
          floors: { type: 'array', items: { type: 'integer' } },
        },
      },
      more: { description: 'Whatever else.' },
    },
  },
} as const

describe('operations of a solution in the console', { skip }, () => {
  onConsole()

  /** Returns the last argument of the handler, as it kept it. */
  const kept = async () => {
    const { email, password } = instance.account
    const authorization = formatAuthorization({ email, password })
    const url = `${shown.origin}/api:1/solution/${ids.called}/interface/kept`
    const answer = await fetch(url, { method: 'POST', headers: { authorization } })
    assert.equal(answer.status, 200)
    const text = ((await answer.json()) as { readonly value: string }).value
    return text === '' ? undefined : JSON.parse(text)
  }
  const call = () => page.getByRole('button', { name: 'Call', exact: true }).click()

  before(async () => {
    const { businessId, platform } = instance
    const script = 'return {value = Keystore.get{key = "plan"}.value or ""}'
    const operations = [{ name: 'free', script: 'return request' }, { name: 'kept', script }, plan]
    const body = { default_script_key: 'Pump', operations }
    const { configurations } = platform.scripting
    await configurations.add(businessId, ids.called, { service: 'interface', body })
    await goTo(page, `/solutions/${ids.called}/interface?name=plan`)
  })

  it('asks with a field for each part of the schema, and says at it what is wrong', async () => {
    await page.getByText('Plans <b>a</b> fill.', { exact: true }).waitFor()
    await call()
    assert.equal(await page.getByText('must be given').count(), 3)
    await page.getByLabel('litres').fill('many')
    await page.getByText('must be a number').waitFor()
    await page.getByLabel('litres').fill('2.5')
    await page.getByText('must be a whole number').waitFor()
    assert.equal(await kept(), undefined)
  })

  it('shows the refusal of the server at the field, and keeps what was typed', async () => {
    await page.getByLabel('litres').fill('800')
    await page.getByLabel('kind').selectOption('oil')
    await page.getByLabel('urgent').selectOption('yes')
    await page.getByLabel('city').fill('Köln 🚰')
    await page.getByRole('button', { name: 'Add to floors' }).click()
    await page.getByRole('textbox', { name: 'floors 1' }).fill('4')
    await call()
    await page.getByText('must be at most 500 (maximum)').waitFor()
    assert.equal(await page.getByLabel('city').inputValue(), 'Köln 🚰')
    assert.equal(await kept(), undefined)
  })

  it('calls the operation and shows its answer', async () => {
    await page.getByLabel('litres').fill('200')
    await call()
    await page.getByRole('status', { name: 'Answer' }).getByText('"cost": 400').waitFor()
    const place = { city: 'Köln 🚰', floors: [4] }
    assert.deepEqual(await kept(), { litres: 200, kind: 'oil', urgent: true, price: 1.5, place })
  })

  it('takes the arguments as JSON, too, and back', async () => {
    await page.getByText('JSON', { exact: true }).click()
    const field = page.getByLabel('Arguments (JSON)')
    const value = JSON.parse(await field.inputValue())
    assert.equal(value.litres, 200)
    await field.fill(JSON.stringify({ ...value, more: [{ a: 1 }], price: 'x' }))
    await call()
    await page.getByText('parameters.price must be of type number (type)').waitFor()
    await page.getByText('Form', { exact: true }).click()
    await page.getByLabel('price').fill('3')
    await call()
    await page.getByRole('status', { name: 'Answer' }).getByText('"cost": 400').waitFor()
    assert.deepEqual((await kept()).more, [{ a: 1 }])
  })

  it('takes anything for an operation without a schema', async () => {
    await page.getByLabel('Operation', { exact: true }).selectOption('free')
    await page.getByText('it has no schema').waitFor()
    assert.match(page.url(), /name=free$/)
    await call()
    await page.getByRole('status', { name: 'Answer' }).waitFor()
  })
})

describe('the interface of a solution in the console', { skip }, () => {
  onConsole()

  const readers = unique('readers')
  const level = { name: 'level', script: 'return {level = 1}' }
  const parameters = async (solution: string, service: string) => {
    const { configurations } = instance.platform.scripting
    const all = await configurations.list(instance.businessId, solution)
    return all.find((one) => one.service === service)?.parameters ?? {}
  }

  before(async () => {
    const { businessId, platform } = instance
    const { solutions, configurations } = platform.scripting
    await solutions.create(businessId, { id: readers, name: readers })
    await goTo(page, `/solutions/${ids.used}/interface`)
    await page.getByText('The solution offers nothing').waitFor()
    const body = { default_script_key: 'Pump', operations: [level] }
    await configurations.add(businessId, ids.used, { service: 'interface', body })
    await configurations.add(businessId, readers, { service: ids.used, body: {} })
  })

  it('shows who uses it, and what a change would break', async () => {
    await page.getByRole('cell', { name: readers, exact: true }).waitFor()
    const field = page.getByLabel('Definition (JSON)')
    const live = JSON.parse(await field.inputValue())
    assert.equal(live.operations[0].name, 'level')
    await field.fill(JSON.stringify({ ...live, operations: [] }))
    await page.getByRole('button', { name: 'Check' }).click()
    await page.getByText(/operation level: is gone/).waitFor()
    await page.getByText(`breaks ${readers}`).waitFor()
    assert.match(JSON.stringify(await parameters(ids.used, 'interface')), /level/)
  })

  it('publishes a definition that was checked', async () => {
    const field = page.getByLabel('Definition (JSON)')
    await page.getByRole('button', { name: 'Undo all changes' }).click()
    const live = JSON.parse(await field.inputValue())
    const more = { name: 'reset', script: 'return 1' }
    await field.fill(JSON.stringify({ ...live, operations: [...live.operations, more] }))
    await page.getByRole('button', { name: 'Check' }).click()
    await page.getByText('Nothing that others rely on').waitFor()
    await page.getByRole('button', { name: 'Publish' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click()
    await page.getByText('Not published yet.').waitFor({ state: 'hidden' })
    assert.match(JSON.stringify(await parameters(ids.used, 'interface')), /reset/)
  })

  it('breaks subscribers alone whom the check has named', async () => {
    const { businessId, platform } = instance
    const { solutions, configurations } = platform.scripting
    const [own] = await configurations.list(businessId, readers)
    await configurations.remove(businessId, readers, own?.id ?? '')
    const field = page.getByLabel('Definition (JSON)')
    const live = JSON.parse(await field.inputValue())
    await field.fill(JSON.stringify({ ...live, operations: [] }))
    await page.getByRole('button', { name: 'Check' }).click()
    await page.getByText('no subscriber uses it').first().waitFor()
    const latecomer = unique('latecomer')
    await solutions.create(businessId, { id: latecomer, name: latecomer })
    await configurations.add(businessId, latecomer, { service: ids.used, body: {} })
    await page.getByRole('button', { name: 'Publish' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Publish' }).click()
    await dialog.getByText('breaking_change').waitFor()
    assert.match(JSON.stringify(await parameters(ids.used, 'interface')), /reset/)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    assert.deepEqual(JSON.parse(await field.inputValue()).operations, [])
  })
})
