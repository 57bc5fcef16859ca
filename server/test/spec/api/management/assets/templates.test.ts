import { strict as assert } from 'node:assert'
import { describe, it } from 'node:test'
import { wholeView } from '../../../../../src/people/groups/index.ts'
import { type TestPlatform, testPlatform } from '../../../../fixtures/platform.ts'
import { sharedBySuites } from '../../../../fixtures/suite.ts'
import { askGraphql, askJson } from '../../../../fixtures/wire/ask.ts'

type Document = Readonly<Record<string, unknown>>
type Template = { readonly id: string; readonly code: string; readonly document: Document }

const tank = {
  name: 'Tank',
  description: 'Holds water.',
  assetType: 'tank',
  meta: { maker: 'Acme', sizes: [1, 2] },
  signals: [
    {
      key: 'level',
      name: 'Level',
      primitiveType: 'NUMERIC',
      dataType: 'PERCENTAGE',
      dataUnit: 'PERCENT',
      min: 0,
      max: 100,
      source: { alias: 'data_in', channel: '001' },
      timeoutMs: 60_000,
      tags: { tag: 'main' },
      display: { favorite: true, target: 60 },
    },
    { key: 'note', name: 'Note', primitiveType: 'STRING' },
  ],
  links: [
    {
      ref: 'high',
      moduleId: 'builtin',
      functionId: 'threshold',
      name: 'High',
      constants: { warning: 80 },
      inlets: [{ signalId: 'level' }],
    },
  ],
}

let millrace: TestPlatform
const onInstance = sharedBySuites(async (suite) => {
  millrace = await testPlatform(suite)
})

const ask = <Body = Template>(method: string, path = '', body?: unknown, as = millrace.basic) =>
  askJson<Body>(`${millrace.httpUrl}/api:1/templates${path}`, { method, body, as })

/** Makes an asset of a template. */
async function make(name: string, templateId: string): Promise<void> {
  const create = `mutation($input: CreateAssetInput!) { createAsset(input: $input) { id } }`
  const input = { name, templateId }
  await askGraphql(millrace.httpUrl, millrace.token, create, { input })
}

describe('templates of assets in the management API', () => {
  onInstance()

  it('a document is read back as it was sent, listed, replaced and deleted', async () => {
    const made = await ask('POST', '', tank)
    assert.deepEqual([made.status, made.json.document], [201, tank])
    const at = `/${made.json.id}`
    assert.deepEqual((await ask('GET', at)).json, made.json)
    const { json } = await ask<{ templates: object[] }>('GET', '?text=WATER&limit=5')
    const { created, changed, ...listed } = json.templates[0] as Record<string, unknown>
    assert.equal(created, changed)
    assert.deepEqual(listed, {
      id: made.json.id,
      name: 'Tank',
      description: 'Holds water.',
      asset_type: 'tank',
      signals: 2,
      links: 1,
      assets: 0,
    })
    await make('Tank 1', made.json.id)
    const again = await ask<{ templates: { assets: number }[] }>('GET', '?text=WATER')
    assert.equal(again.json.templates[0]?.assets, 1)
    const replaced = await ask('PUT', at, { name: 'Vat' })
    assert.deepEqual(replaced.json.document, { name: 'Vat', signals: [], links: [] })
    assert.equal((await ask('DELETE', at)).status, 204)
    assert.deepEqual((await ask('GET', at)).json.code, 'not_found')
  })

  it('an asset of an imported template has its signals and links', async () => {
    const { json } = await ask('POST', '', tank)
    const create = `mutation($input: CreateAssetInput!) { createAsset(input: $input) {
      meta assetType { name } signals { name min source { channel } } rules { name } } }`
    const input = { name: 'T-1', templateId: json.id }
    const { createAsset } = await askGraphql<{ createAsset: object }>(
      millrace.httpUrl,
      millrace.token,
      create,
      { input },
    )
    assert.deepEqual(createAsset, {
      meta: tank.meta,
      assetType: { name: 'tank' },
      signals: [
        { name: 'Level', min: 0, source: { channel: '001' } },
        { name: 'Note', min: null, source: null },
        { name: 'Threshold status', min: null, source: { channel: null } },
      ],
      rules: [{ name: 'High' }],
    })
  })

  it('a template of an asset is a document that another business takes', async () => {
    const { platform, businessId } = millrace
    const all = wholeView(businessId)
    const signals = [{ name: 'level', primitiveType: 'NUMERIC' as const }]
    const asset = await platform.assets.create(all, { name: 'Pump', signals })
    const [level] = await platform.assets.signals.ofAssets(all, [asset.id])
    const link = { moduleId: 'builtin', functionId: 'scale', constants: { multiplier: 2 } }
    const inlets = [{ signalId: level?.id ?? '' }]
    await platform.pipelines.links.create(all, { ...link, assetId: asset.id, inlets })
    const taken = await ask('POST', '', { name: 'Pump', asset: asset.id })
    assert.equal(taken.status, 201, JSON.stringify(taken.json))
    const as = `Automation ${(await millrace.otherBusiness()).token}`
    assert.equal((await ask('GET', `/${taken.json.id}`, undefined, as)).status, 404)
    const imported = await ask('POST', '', taken.json.document, as)
    assert.deepEqual(imported.json.document, taken.json.document)
    const both = { name: 'x', asset: asset.id, signals: [] }
    assert.equal((await ask('POST', '', both)).json.code, 'invalid_argument')
    assert.equal((await ask('POST', '', { name: 'x', asset: 'none' })).json.code, 'not_found')
  })
})

describe('a template of assets in the management API', () => {
  onInstance()

  it('what is no template is refused with its place', async () => {
    for (const [body, message] of [
      [{}, /name/],
      [{ name: '' }, /name/],
      [{ name: 'x', signals: [{ key: 'a', name: 'A', primitiveType: 'TEXT' }] }, /primitiveType/],
      [{ name: 'x', links: [{ id: 5 }] }, /links/],
      [{ name: 'x', unknown: 1 }, /unknown/],
    ] as const) {
      const { status, json } = await ask<{ code: string; message: string }>('POST', '', body)
      assert.deepEqual([status, json.code], [400, 'invalid_argument'])
      assert.match(json.message, message)
    }
  })
})
