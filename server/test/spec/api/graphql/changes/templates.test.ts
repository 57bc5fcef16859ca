import { strict as assert } from 'node:assert'
import { type TestContext, test } from 'node:test'
import { codes, graphqlFixture } from '../../../../fixtures/wire/graphql.ts'

const create = `mutation($input: CreateTemplateInput!) { createTemplate(input: $input) {
  id name description assetType { name } meta signals links } }`
const make = `mutation($input: CreateAssetInput!) { createAsset(input: $input) {
  id name description meta assetType { name } template { id name }
  signals { name dataUnit channel { id } }
  links { name constants inlets outlets enabled } } }`

type Made = {
  readonly id: string
  readonly signals: readonly { readonly name: string }[]
  readonly links: readonly { readonly inlets: readonly string[] }[]
}

const pump = {
  name: 'Pump',
  description: 'As delivered',
  assetType: 'pump',
  meta: { maker: 'Example', size: 1 },
  signals: [
    {
      key: 'p',
      signal: {
        name: 'pressure',
        primitiveType: 'NUMERIC',
        dataType: 'PRESSURE',
        dataUnit: 'BAR',
        source: { alias: 'data_in', channel: '001' },
      },
    },
    { key: 'note', signal: { name: 'note', primitiveType: 'STRING' } },
  ],
  links: [
    {
      ref: 'smooth',
      moduleId: 'builtin',
      functionId: 'scale',
      constants: { multiplier: 2 },
      inlets: [{ signalId: 'p' }],
      outlets: [{ name: 'rounded' }],
    },
    {
      name: 'Too high',
      moduleId: 'builtin',
      functionId: 'threshold',
      constants: { critical: 8 },
      inlets: [{ link: 'smooth', outlet: 0 }],
    },
  ],
}

async function makeFixture(t: TestContext) {
  const fixture = await graphqlFixture(t)
  return { ...fixture, all: fixture.view }
}

test('an asset of a template has its signals, its links and what it gives itself', async (t) => {
  const { askFor, operator } = await makeFixture(t)
  const template = await askFor<{ id: string }>(operator, create, { input: pump })
  const input = { name: 'P-7', meta: { size: 2 }, templateId: template.id }
  const asset = await askFor<Record<string, unknown>>(operator, make, { input })
  const { id: _, signals, links, ...words } = asset
  assert.deepEqual(words, {
    name: 'P-7',
    description: 'As delivered',
    meta: { maker: 'Example', size: 2 },
    assetType: { name: 'pump' },
    template: { id: template.id, name: 'Pump' },
  })
  const named = signals as { name: string; dataUnit: string; channel: object | null }[]
  assert.deepEqual(
    named.map(({ name }) => name),
    ['pressure', 'note', 'rounded', 'Threshold status'],
  )
  assert.deepEqual(named[0], { name: 'pressure', dataUnit: 'BAR', channel: { id: '001' } })
  const [smooth, high] = links as { name: string; inlets: string[]; outlets: string[] }[]
  assert.equal(high?.name, 'Too high')
  assert.deepEqual(high?.inlets, smooth?.outlets, 'the threshold works on what is rounded')
})

test('assets of a template have signals of their own, and stay when it goes', async (t) => {
  const { askFor, as, operator } = await makeFixture(t)
  const { id: templateId } = await askFor<Made>(operator, create, { input: pump })
  const inputs = [{ input: { name: 'A', templateId } }, { input: { name: 'B', templateId } }]
  const [a, b] = [
    await askFor<Made>(operator, make, inputs[0]),
    await askFor<Made>(operator, make, inputs[1]),
  ]
  assert.notDeepEqual(a.links[0]?.inlets, b.links[0]?.inlets)
  const change = `mutation($id: ID!, $input: UpdateTemplateInput!) {
    updateTemplate(id: $id, input: $input) { name description signals links } }`
  const input = { name: 'Pump 2', signals: [], links: [] }
  assert.deepEqual(await askFor(operator, change, { id: templateId, input }), {
    name: 'Pump 2',
    description: 'As delivered',
    signals: [],
    links: [],
  })
  const read = `query($id: ID!) { asset(id: $id) { template { name } signals { name } } }`
  const before = await askFor<Made>(operator, read, { id: a.id })
  assert.equal(before.signals.length, 4)
  const remove = 'mutation($id: ID!) { deleteTemplate(id: $id) { name } }'
  assert.deepEqual(await askFor(operator, remove, { id: templateId }), { name: 'Pump 2' })
  const after = await askFor<Made & { template: unknown }>(operator, read, { id: a.id })
  assert.deepEqual([after.template, after.signals.length], [null, 4])
  assert.deepEqual(await askFor(operator, '{ templates { id } }'), [])
  const again = await as(operator, make, inputs[0])
  assert.deepEqual(codes(again), ['not_found'])
})

test('a template is taken of an asset with its links', async (t) => {
  const { askFor, as, operator } = await makeFixture(t)
  const first = await askFor<Made>(operator, create, { input: pump })
  const source = { input: { name: 'A', templateId: first.id } }
  const { id: assetId } = await askFor<Made>(operator, make, source)
  const taken = await askFor<{ id: string; signals: { key: string }[] }>(operator, create, {
    input: { name: 'Taken', assetId },
  })
  assert.deepEqual(
    taken.signals.map(({ key }) => key),
    ['pressure', 'note'],
    'the signals of outlets are made by the links',
  )
  const input = { name: 'C', templateId: taken.id }
  const copy = await askFor<Made>(operator, make, { input })
  assert.deepEqual(
    copy.signals.map(({ name }) => name),
    ['pressure', 'note', 'rounded', 'Threshold status'],
  )
  const both = { name: 'x', assetId, signals: [] }
  assert.deepEqual(codes(await as(operator, create, { input: both })), ['invalid_argument'])
})

test('an asset is made of a template with all of it or not at all', async (t) => {
  const { askFor, as, operator, assets, all } = await makeFixture(t)
  const [link] = pump.links
  const broken = { ...pump, links: [{ ...link, inlets: [{ signalId: 'nobody' }] }] }
  const { id: templateId } = await askFor<Made>(operator, create, { input: broken })
  const made = await as(operator, make, { input: { name: 'A', templateId } })
  assert.deepEqual(codes(made), ['pipeline_refused'])
  assert.equal(await assets.count(all), 0)
})

test('templates are found by text, and used by those who see some groups', async (t) => {
  const { askFor, makeToken, as, operator, viewer, groups, all } = await makeFixture(t)
  const { id } = await askFor<Made>(operator, create, { input: pump })
  await askFor<Made>(operator, create, { input: { name: 'Valve' } })
  const list = 'query($text: String) { templates(text: $text) { name } }'
  assert.deepEqual(await askFor(viewer, list, { text: 'deliv' }), [{ name: 'Pump' }])
  const site = await groups.create(all, { name: 'Site' })
  const partial = await makeToken('Operator', [site.id])
  const made = await askFor<Made>(partial, make, { input: { name: 'A', templateId: id } })
  assert.equal(made.links.length, 2, 'it makes assets of templates in its groups')
  const twice = { ...pump, signals: [pump.signals[0], pump.signals[0]] }
  assert.deepEqual(codes(await as(operator, create, { input: twice })), ['invalid_argument'])
})

test('a signal shows its key in the template, and what it has otherwise', async (t) => {
  const { askFor, administrator, operator, assets, all } = await makeFixture(t)
  const template = await askFor<{ id: string }>(operator, create, { input: pump })
  const signals = [{ name: 'own', primitiveType: 'STRING' }]
  const input = { name: 'P-8', templateId: template.id, signals }
  const asset = await askFor<Made>(operator, make, { input })
  const show = `query($ids: [ID]) { assets(ids: $ids) {
    signals { name templateKey templateOverrides } } }`
  const shown = async () => {
    const ids = [asset.id]
    const found = await askFor<Pick<Made, 'signals'>[]>(operator, show, { ids })
    // Behind them are those of its links.
    return found[0]?.signals.slice(0, 3).map((signal) => Object.values(signal))
  }
  assert.deepEqual(await shown(), [
    ['pressure', 'p', null],
    ['note', 'note', null],
    ['own', null, null],
  ])
  const [pressure, note] = await assets.signals.ofAssets(all, [asset.id])
  const update = `mutation($id: ID!, $input: UpdateSignalInput!) {
    updateSignal(id: $id, input: $input) { templateKey templateOverrides } }`
  const source = { alias: 'data_in', channel: '002' }
  const change = { max: 16, dataUnit: 'PSI', tags: { line: '3' }, source }
  const changed = await askFor(operator, update, { id: pressure?.id, input: change })
  assert.deepEqual(changed, { templateKey: 'p', templateOverrides: change })
  const renamed = { id: note?.id, input: { name: 'remark' } }
  assert.deepEqual(await askFor(operator, update, renamed), {
    templateKey: 'note',
    templateOverrides: { name: 'remark' },
  })
  const remove = 'mutation($id: ID!) { deleteTemplate(id: $id) { id } }'
  await askFor(administrator, remove, { id: template.id })
  assert.deepEqual(await shown(), [
    ['pressure', 'p', null],
    ['remark', 'note', null],
    ['own', null, null],
  ])
})
