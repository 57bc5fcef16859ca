import { strict as assert } from 'node:assert'
import { before, describe, it } from 'node:test'
import { createClient, type MillraceClient } from '@millrace/client'
import type { JsonObject } from '../../../../src/foundation/kernel/index.ts'
import { type RunCommand, runsCommands } from '../../../fixtures/commands/command-line.ts'
import { type Answer, fakeModule, insight, module } from '../../../fixtures/pipelines.ts'
import { type TestPlatform, testPlatform } from '../../../fixtures/platform.ts'
import { suiteContext } from '../../../fixtures/suite.ts'
import { definition, under } from '../../../fixtures/wire/market.ts'

/** A definition as YAML that is no JSON. */
const yaml = (file: JsonObject) =>
  Object.entries(file)
    .map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
    .join('\n')

/** The answers of a module below `/v2`. */
const below = () =>
  Object.fromEntries(
    Object.entries(module([insight('f')])).map(([call, answer]) => {
      return [call.replace(' /', ' /v2/'), answer] as const
    }),
  ) as Record<string, Answer>

describe('a module that is added by the URL of its definition', () => {
  const context = suiteContext()
  let instance: TestPlatform
  let client: MillraceClient
  let run: RunCommand

  before(async () => {
    instance = await testPlatform(context)
    client = createClient({ url: instance.httpUrl, credential: { apiToken: instance.token } })
    run = runsCommands(instance)
  })

  const add = (body: JsonObject) => client.POST('/api:1/modules', { body })

  for (const [path, format] of [
    ['/docs/api-docs?v=2', JSON.stringify],
    ['/swagger.yaml', yaml],
    ['/', JSON.stringify],
  ] as const) {
    it(`is found at ${path}`, async (t) => {
      const fake = await fakeModule(t, below())
      const file = definition({ host: fake.host, basePath: '/v2' })
      fake.answer({ [`GET ${path}`]: (response) => void response.end(format(file)) })
      const { data, error } = await add({ url: `${fake.url}${path}` })
      assert.equal(data?.url, `${fake.url}/v2`, JSON.stringify(error))
    })
  }

  it('is at the host of the URL if that of the file cannot be one', async (t) => {
    const fake = await fakeModule(t, below())
    fake.answer({ 'GET /api-docs': definition({ host: '&domain&', basePath: '/v2' }) })
    const { data } = await add({ url: `${fake.url}/api-docs` })
    assert.equal(data?.url, `${fake.url}/v2`)
  })

  it('is at the base beside it if the file has another host, and stays there', async (t) => {
    const fake = await fakeModule(t, below())
    fake.answer({ 'GET /api-docs': definition({ host: '127.0.0.1:1', basePath: '/latest' }) })
    const { data } = await add({ url: `${fake.url}/api-docs`, base: `${fake.url}/v2` })
    assert.equal(data?.url, `${fake.url}/v2`)
    const again = await client.POST('/api:1/modules/{module}/refresh', under(data?.id))
    assert.equal(again.data?.url, `${fake.url}/v2`)
  })

  for (const host of ['127.0.0.1:1', '.io', 'nowhere.example:443']) {
    it(`is at the host of the URL, and not at ${host} of the file`, async (t) => {
      const fake = await fakeModule(t, below())
      fake.answer({ 'GET /api-docs': definition({ host, basePath: '/v2' }) })
      const { data, error } = await add({ url: `${fake.url}/api-docs` })
      assert.equal(data?.url, `${fake.url}/v2`, JSON.stringify(error))
      const again = await client.POST('/api:1/modules/{module}/refresh', under(data?.id))
      assert.equal(again.data?.url, `${fake.url}/v2`)
    })
  }

  it('that is at neither host is refused, with what overrides them', async (t) => {
    const fake = await fakeModule(t, below())
    fake.answer({ 'GET /api-docs': definition({ host: '127.0.0.1:1', basePath: '/v3' }) })
    const { error } = await add({ url: `${fake.url}/api-docs` })
    assert.match(
      error?.message ?? '',
      /names the host 127\.0\.0\.1:1: .* A base \(--base\) overrides/,
    )
    const words = ['module', 'add', '--address', `${fake.url}/api-docs`]
    assert.match((await run(...words)).stderr, /404.* names the host 127\.0\.0\.1:1: .*--base/)
    const added = await run(...words, '--base', `${fake.url}/v2`)
    assert.match(added.stdout, /^[a-z0-9]+\n$/, added.stderr)
  })

  it('is served on a name of this machine, if the operator allows its address', async (t) => {
    const fake = await fakeModule(t, module([insight('f')]))
    const url = `http://own.localhost:${new URL(fake.url).port}/`
    const { data, error } = await add({ url })
    assert.equal(data?.url, url, JSON.stringify(error))
    assert.match(fake.requests.at(-1)?.headers?.host ?? '', /^own\.localhost:/)
  })

  it('has no base beside a URL that is none of a definition', async (t) => {
    const fake = await fakeModule(t, module([insight('f')]))
    const { error } = await add({ url: fake.url, base: fake.url })
    assert.deepEqual(
      [error?.code, error?.message],
      ['invalid_argument', 'A base is given, but the URL is not that of a definition.'],
    )
  })
})

describe('a module that is called in simulations', () => {
  const context = suiteContext()

  it('is marked by the API and the command, and shown by both and GraphQL', async (t) => {
    const instance = await testPlatform(context)
    const client = createClient({ url: instance.httpUrl, credential: { apiToken: instance.token } })
    const run = runsCommands(instance)
    const fake = await fakeModule(t, module([insight('f')]))
    const { data } = await client.POST('/api:1/modules', { body: { url: fake.url } })
    const id = data?.id ?? ''
    assert.equal(data?.simulationSafe, false)
    const body = { simulationSafe: true }
    const { data: marked } = await client.PATCH('/api:1/modules/{module}', { ...under(id), body })
    assert.equal(marked?.simulationSafe, true)
    const answer = await fetch(`${instance.httpUrl}/api/graphql`, {
      method: 'POST',
      headers: {
        Authorization: `Automation ${instance.token}`,
        'Content-Type': 'application/json',
      },
      body: JSON.stringify({ query: '{ modules { id simulationSafe } }' }),
    })
    const { data: shown } = (await answer.json()) as { data: { modules: unknown } }
    assert.deepEqual(shown.modules, [
      { id: 'builtin', simulationSafe: true },
      { id, simulationSafe: true },
    ])
    assert.match((await run('module', 'show', id)).stdout, /simulation +calls it\n/)
    const back = await run('module', 'configure', id, '--simulation', 'recorded')
    assert.equal(back.code, 0, back.stderr)
    assert.match((await run('module', 'show', id)).stdout, /simulation +uses what was recorded\n/)
  })
})
