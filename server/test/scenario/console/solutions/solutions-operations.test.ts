import { strict as assert } from 'node:assert'
import { before, describe, it } from 'node:test'
import { authorizationOf } from '@millrace/client'
import type { Page } from 'playwright-core'
import {
  assertAccessible,
  consoleSkipped,
  type TestConsole,
  testConsole,
} from '../../../fixtures/browser/console.ts'
import type { TestPlatform } from '../../../fixtures/platform.ts'
import { suiteContext } from '../../../fixtures/suite.ts'

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

describe('operations of a solution in the console', { skip: consoleSkipped }, () => {
  const suite = suiteContext()
  let instance: TestPlatform
  let shown: TestConsole
  let page: Page

  /** What the handler got last, as it kept it. */
  const kept = async () => {
    const { email, password } = instance.account
    const authorization = authorizationOf({ email, password })
    const url = `${shown.origin}/api:1/solution/pumps/interface/kept`
    const answer = await fetch(url, { method: 'POST', headers: { authorization } })
    assert.equal(answer.status, 200)
    const text = ((await answer.json()) as { readonly value: string }).value
    return text === '' ? undefined : JSON.parse(text)
  }
  const call = () => page.getByRole('button', { name: 'Call', exact: true }).click()

  before(async () => {
    ;({ instance, shown } = await testConsole(suite))
    const { businessId, platform } = instance
    const { solutions, configurations } = platform.scripting
    await solutions.create(businessId, { id: 'pumps', name: 'pumps' })
    const script = 'return {value = Keystore.get{key = "plan"}.value or ""}'
    const operations = [{ name: 'free', script: 'return request' }, { name: 'kept', script }, plan]
    const body = { default_script_key: 'Pump', operations }
    await configurations.add(businessId, 'pumps', { service: 'interface', body })
    page = await shown.tab('/solutions/pumps/interface?name=plan')
    await shown.signIn(page, instance.account)
  })

  it('asks with a field for each part of the schema, and says at it what is wrong', async () => {
    await page.getByText('Plans <b>a</b> fill.', { exact: true }).waitFor()
    await call()
    assert.equal(await page.getByText('must be given').count(), 3)
    await page.getByLabel('litres').fill('many')
    await page.getByText('must be a number').waitFor()
    await page.getByLabel('litres').fill('2.5')
    await page.getByText('must be a whole number').waitFor()
    await assertAccessible(page, 'solution-operation')
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
    await assertAccessible(page, 'solution-operation-answer')
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
    const refused = shown.errors.splice(0).filter((error) => !/status of [45]\d\d/.test(error))
    assert.deepEqual(refused, [])
  })
})
