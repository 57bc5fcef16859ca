import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { limits } from '../../../../src/foundation/kernel/index.ts'
import { pipelineLimits } from '../../../../src/insight/pipelines/index.ts'
import { fakeModule, insight, module } from '../../../fixtures/pipelines.ts'
import { type Answer, ask, codes, getData, graphqlFixture } from '../../../fixtures/wire/graphql.ts'

type Row = Record<string, unknown>
type LinkRow = {
  readonly id: string
  readonly name: string
  readonly enabled: boolean
  readonly constants: Row
  readonly inlets: string[]
  readonly outlets: string[]
}
type Saved = { readonly version: number; readonly savedBy: string | null; links: LinkRow[] }

const fields = 'version savedBy links { id name enabled constants inlets outlets }'

function readProblems(answer: Answer): string[] {
  assert.deepEqual(codes(answer), ['pipeline_refused'])
  const { problems } = answer.errors?.[0]?.extensions as unknown as { problems: Row[] }
  return problems.map(({ pointer, detail }) => `${pointer} ${detail}`)
}

/** An asset with three signals, and a module with functions of one and of two inlets. */
async function pipelineFixture(t: TestContext) {
  const scale = insight('scale', { constants: [{ name: 'factor', type: 'number', minimum: 0 }] })
  const sum = insight('sum', { inlets: [{ name: 'a' }, { name: 'b', primitive_type: 'NUMERIC' }] })
  const fake = await fakeModule(t, module([scale, sum]))
  const fixture = await graphqlFixture(t)
  const { id: moduleId } = await fixture.pipelines.modules.add(fixture.business, { url: fake.url })
  const { id: assetId } = await fixture.assets.create(fixture.view, {
    name: 'Pump',
    signals: [
      { name: 'in', primitiveType: 'NUMERIC' },
      { name: 'free', primitiveType: 'NUMERIC' },
      { name: 'text', primitiveType: 'STRING' },
    ],
  })
  const signals = await fixture.assets.signals.ofAssets(fixture.view, [assetId])
  const [signal, free, text] = signals.map(({ id }) => id) as [string, string, string]
  const send = (document: string, variables: Row) =>
    ask(fixture, fixture.operator, document, { assetId, ...variables } as never)
  const save = (input: Row) =>
    send(
      `mutation($assetId: ID!, $input: PipelineInput!) {
        savePipeline(assetId: $assetId, input: $input) { ${fields} } }`,
      { input },
    )
  const saved = async (input: Row) =>
    getData<{ savePipeline: Saved }>(await save(input)).savePipeline
  const of = (functionId: string, inlets: Row[], more: Row = {}) =>
    ({ moduleId, functionId, inlets, ...more }) as Row
  const shown = async () => {
    const answer = await send(
      `query($assetId: ID!) { asset(id: $assetId) {
      pipeline { ${fields} } signals { id name source { linkId outlet } } } }`,
      {},
    )
    type Shown = { pipeline: Saved; signals: { id: string; name: string; source: Row | null }[] }
    return getData<{ asset: Shown }>(answer).asset
  }
  return { ...fixture, assetId, moduleId, signal, free, text, send, save, saved, of, shown }
}

describe('the pipeline of an asset is one document', () => {
  it('is saved whole: links refer to each other, those that are not named go', async (t) => {
    const { saved, of, signal, free, shown } = await pipelineFixture(t)
    const first = await saved({
      links: [
        of('sum', [{ link: 'scaled' }, { signalId: signal }], { name: 'Sum' }),
        of('scale', [{ signalId: signal }], { ref: 'scaled', outlets: [{ signalId: free }] }),
      ],
    })
    const [sum, scaled] = first.links
    assert.ok(sum && scaled)
    assert.deepEqual(sum.inlets, [free, signal])
    assert.deepEqual(scaled.outlets, [free])
    assert.equal(first.version, 1)
    assert.match(String(first.savedBy), /^(user|token):/)

    const second = await saved({ whole: true, links: [{ id: scaled.id, name: 'Scaled' }] })
    assert.deepEqual(
      second.links.map(({ id, name, outlets }) => [id, name, outlets]),
      [[scaled.id, 'Scaled', [free]]],
    )
    const { pipeline, signals } = await shown()
    assert.deepEqual(pipeline, second)
    assert.deepEqual(
      signals.find(({ id }) => id === sum.outlets[0])?.source,
      null,
      'the signal of the link that went is detached',
    )
  })

  it('is saved in part: other links stay', async (t) => {
    const { saved, of, signal } = await pipelineFixture(t)
    const one = await saved({ links: [of('scale', [{ signalId: signal }])] })
    const two = await saved({ links: [of('scale', [{ signalId: signal }], { name: 'Two' })] })
    assert.deepEqual(two.links.slice(0, 1), one.links)
    const removed = await saved({ links: [], remove: [one.links[0]?.id] })
    assert.deepEqual(removed.links, two.links.slice(1))
  })

  it('is refused with all faults at once, and nothing is changed', async (t) => {
    const { save, of, signal, text, shown, moduleId } = await pipelineFixture(t)
    const before = await shown()
    const answer = await save({
      version: 0,
      links: [
        of('scale', [{ signalId: text }], { constants: { factor: -1, 'a/b': 1 } }),
        of('sum', [{ signalId: signal }]),
        of('nosuch', []),
        { moduleId: 'nosuch', functionId: 'x', inlets: [] },
        { id: 'nosuch', name: 'x' },
        of('scale', [{ link: 'nosuch' }], { outlets: [{ name: ' ' }, {}] }),
        of('scale', [{ signalId: signal }], { outlets: [{ signalId: text }] }),
      ],
      remove: ['gone'],
    })
    assert.deepEqual(readProblems(answer), [
      '/links/2/functionId The module has no function "nosuch".',
      '/links/3/functionId There is no such module.',
      '/links/4/id The asset has no link nosuch.',
      '/remove/0 The asset has no link gone.',
      '/links/5/outlets The function "The scale" has 1 outlet.',
      `/links/5/outlets/0/name A name has 1 to ${limits.nameCharsMax} characters.`,
      '/links/6/outlets/0 "text" is STRING, not NUMERIC.',
      '/links/0/inlets/0 Inlet 0 ("in"): "text" is STRING, not NUMERIC.',
      '/links/0/constants/a~1b The function "The scale" has no constant "a/b".',
      '/links/0/constants/factor The constant "factor" is at least 0.',
      '/links/1/inlets The function "The sum" has 2 inlets.',
      '/links/5/inlets/0 Inlet 0 ("in"): no such signal of this asset.',
    ])
    assert.deepEqual(await shown(), before)
    assert.notEqual(moduleId, 'nosuch')
  })

  it('is refused with the first of thousands of problems', async (t) => {
    const { save, of, signal } = await pipelineFixture(t)
    const many = Array.from({ length: limits.jsonFieldsMax - 10 }, (_, at) => [`c${at}`, 1])
    const constants = Object.fromEntries(many)
    const answer = await save({ links: [of('scale', [{ signalId: signal }], { constants })] })
    const problems = readProblems(answer)
    assert.equal(problems.length, pipelineLimits.pipelineProblemsMax)
    assert.match(String(problems[0]), /c0 The function "The scale" has no constant "c0"/)
  })

  it('is refused if links feed each other in a circle', async (t) => {
    const { save, saved, of, signal } = await pipelineFixture(t)
    const circle = await save({
      links: [
        of('scale', [{ link: 'b' }], { ref: 'a', name: 'A' }),
        of('scale', [{ link: 'a' }], { ref: 'b', name: 'B' }),
      ],
    })
    assert.match(
      readProblems(circle).join(),
      /^\/links These links feed each other in a circle: "A"/,
    )
    const { links } = await saved({ links: [of('scale', [{ signalId: signal }])] })
    const self = [{ id: links[0]?.id, inlets: [{ link: links[0]?.id }] }]
    assert.match(readProblems(await save({ links: self })).join(), /circle/)
  })
})

describe('versions of a pipeline', () => {
  it('name who changed what, and lead back', async (t) => {
    const { send, saved, of, signal, assetId } = await pipelineFixture(t)
    const link = of('scale', [{ signalId: signal }], { constants: { factor: 2 } })
    const first = await saved({ links: [link] })
    const id = first.links[0]?.id
    await saved({ links: [{ id, constants: { factor: 3 }, enabled: false }] })
    await saved({ links: [], whole: true })
    await saved({ links: [], whole: true })
    const listed = await send(
      `query($assetId: ID!) { pipelineVersions(assetId: $assetId) { version savedBy
        document difference { added removed changed { id fields } } } }`,
      {},
    )
    type Version = { version: number; savedBy: string; document: Row; difference: Row }
    const { pipelineVersions } = getData<{ pipelineVersions: Version[] }>(listed)
    assert.deepEqual(
      pipelineVersions.map(({ version, difference }) => [version, difference]),
      [
        [3, { added: [], removed: [id], changed: [] }],
        [2, { added: [], removed: [], changed: [{ id, fields: ['enabled', 'constants'] }] }],
        [1, { added: [id], removed: [], changed: [] }],
      ],
    )
    const restore = (version: number) =>
      send(
        `mutation($assetId: ID!, $version: Int!) {
          restorePipeline(assetId: $assetId, version: $version) { ${fields} } }`,
        { assetId, version },
      )
    const { restorePipeline } = getData<{ restorePipeline: Saved }>(await restore(1))
    assert.equal(restorePipeline.version, 4)
    assert.deepEqual(restorePipeline.links, first.links, 'with its id, constants and signals')
    assert.deepEqual(codes(await restore(9)), ['not_found'])
    const [, , newest] = pipelineVersions
    const again = await saved({ ...(newest?.document as Row), whole: true })
    assert.equal(again.version, 4, 'a version is a document that can be saved')
  })

  it('are compared with any other one, with the names of links', async (t) => {
    const { send, saved, of, signal, other, otherToken, assetId, ...fixture } =
      await pipelineFixture(t)
    const { links } = await saved({ links: [of('scale', [{ signalId: signal }], { name: 'A' })] })
    const id = String(links[0]?.id)
    await saved({ links: [{ id, name: 'B' }] })
    await saved({ links: [{ id, enabled: false }] })
    const text = `query($assetId: ID!, $version: Int!, $since: Int) {
      pipelineVersion(assetId: $assetId, version: $version, since: $since) { version savedBy
        difference { added removed changed { id fields } names } } }`
    type Compared = { pipelineVersion: { version: number; difference: Row } }
    const compare = async (version: number, since?: number) =>
      getData<Compared>(await send(text, { version, since })).pipelineVersion.difference
    const fields = ['name', 'enabled']
    const changed = { added: [], removed: [], changed: [{ id, fields }], names: { [id]: 'B' } }
    assert.deepEqual(await compare(3, 1), changed)
    assert.deepEqual(await compare(1, 3), { ...changed, names: { [id]: 'A' } })
    assert.deepEqual((await compare(3)).changed, [{ id, fields: ['enabled'] }])
    for (const number of [{ version: 4 }, { version: 0 }, { version: 3, since: 9 }]) {
      assert.deepEqual(codes(await send(text, number)), ['not_found'], JSON.stringify(number))
    }
    const foreign = await ask(fixture as never, otherToken, text, { assetId, version: 1 } as never)
    assert.deepEqual(codes(foreign), ['not_found'])
  })

  it('are not restored in place of a newer one that the caller has not seen', async (t) => {
    const { send, saved, of, signal, shown } = await pipelineFixture(t)
    await saved({ links: [of('scale', [{ signalId: signal }])] })
    await saved({ links: [], whole: true })
    const text = `mutation($assetId: ID!, $current: Int) {
      restorePipeline(assetId: $assetId, version: 1, current: $current) { version } }`
    assert.deepEqual(codes(await send(text, { current: 1 })), ['pipeline_outdated'])
    assert.equal((await shown()).pipeline.links.length, 0)
    assert.equal((await send(text, { current: 2 })).errors, undefined)
  })

  it('refuse a change of an older one', async (t) => {
    const { save, saved, of, signal, shown } = await pipelineFixture(t)
    await saved({ links: [of('scale', [{ signalId: signal }])], version: 0 })
    const late = await save({ links: [], whole: true, version: 0 })
    assert.deepEqual(codes(late), ['pipeline_outdated'])
    assert.equal((await shown()).pipeline.links.length, 1)
  })

  it('of two changes at once by people who saw the same, one is refused', async (t) => {
    const { save, of, signal, shown } = await pipelineFixture(t)
    const change = { links: [of('scale', [{ signalId: signal }])], version: 0 }
    const answers = await Promise.all([save(change), save(change)])
    assert.deepEqual(
      answers.flatMap((one) => codes(one) ?? []),
      ['pipeline_outdated'],
    )
    assert.equal((await shown()).pipeline.links.length, 1)
  })
})
