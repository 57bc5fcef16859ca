import { strict as assert } from 'node:assert'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import * as forms from '../../../../../console/app/generated/forms.ts'
import { testPlatform, unique } from '../../../fixtures/platform.ts'
import { root } from '../../../fixtures/processes/page.ts'

type Texts = Readonly<Record<string, string>>

/** A module for browsers, whose types are not those of the server. */
const imported = (path: string) => import(pathToFileURL(join(root, 'console', 'app', path)).href)
const { inLanguage, settingTexts } = (await imported(
  'pages/solutions/services/setting-texts.ts',
)) as {
  readonly inLanguage: (schema: object, texts: Texts) => object
  readonly settingTexts: { readonly de: Texts }
}
const { ruleTexts } = (await imported('components/form/rules.ts')) as {
  readonly ruleTexts: { readonly de: Texts }
}

/** Names of channels and of what has no other name in German. */
const alike = /^([a-z-]+|CORS|URL)$/
const definition = {
  openapi: '3.0.0',
  info: { title: 'a', version: '1' },
  servers: [{ url: 'https://a.example' }],
  paths: { '/a': { get: { operationId: 'a', responses: { 200: { description: 'a' } } } } },
}

test('the settings of each service of the platform have German texts, and no others', async (t) => {
  const { platform, businessId, connector } = await testPlatform(t)
  const { solutions, configurations } = platform.scripting
  const pumps = unique('pumps')
  await solutions.create(businessId, { id: pumps, name: pumps })
  const services = ['http', 'webservice', 'notification', 'openapi', 'timer', connector.id]
  const said = new Set<string>()
  for (const service of services) {
    const body = { parameters: service === 'openapi' ? { definition } : {} }
    const added = await configurations.add(businessId, pumps, { service, body })
    const schema = (await configurations.getSettings(added))?.schema()
    for (const text of textsIn(JSON.parse(JSON.stringify(schema)))) said.add(text)
  }
  const wanted = [...said].filter((text) => !alike.test(text)).sort()
  assert.deepEqual(Object.keys(settingTexts.de).sort(), wanted)
})

test('a schema is shown with what a language has, and else as it is', () => {
  const schema = { title: 'Key', properties: { title: { description: 'Else.', type: 'string' } } }
  const german = { title: 'Schlüssel', properties: schema.properties }
  assert.deepEqual(inLanguage(schema, { Key: 'Schlüssel', string: 'Text' }), german)
})

test('the sentences of the contract in forms of the console have German texts', () => {
  const rules = Object.values(forms).flatMap((form) => Object.values(form))
  const said = new Set(rules.flatMap(({ rule = [] }) => rule))
  assert.deepEqual(Object.keys(ruleTexts.de).sort(), [...said].sort())
})

function textsIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([name, part]) => {
    const isText = /^(title|description)$/.test(name) && typeof part === 'string'
    return isText ? [part] : textsIn(part)
  })
}
