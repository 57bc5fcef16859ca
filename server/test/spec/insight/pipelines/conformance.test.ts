import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import {
  answerReference,
  type Change,
  type ConformanceCase,
  conformanceCases,
} from '@millrace/insight-sdk/conformance'
import { type Answer, fakeModule, pipelinesFixture } from '../../../fixtures/pipelines.ts'

/** Answers as the SDK's reference module after a change; the change may be replaced. */
async function reference(t: TestContext, change: Change = {}) {
  const held = { change }
  const calls = ['GET /interface', 'GET /info', 'POST /insights', 'POST /process']
  const answers = calls.map((call): [string, Answer] => {
    const [method = '', path = ''] = call.split(' ')
    return [
      call,
      (response, json) => {
        const body = json === undefined ? '' : JSON.stringify(json)
        const answer = answerReference(held.change, { method, path, body })
        response.writeHead(answer.status, { 'content-type': answer.contentType }).end(answer.body)
      },
    ]
  })
  const fake = await fakeModule(t, Object.fromEntries(answers))
  return { fake, held, fixture: await pipelinesFixture(t) }
}

/** The reference module requires a value for its parameter. */
const parameters = { key: 'secret' }

const of = (...tables: string[]) =>
  conformanceCases.filter(({ breaks }) => tables.some((table) => breaks.startsWith(table)))

describe('the platform reads the cases of the conformance suite', () => {
  it('takes the reference module without a complaint', async (t) => {
    const { fake, fixture } = await reference(t)
    const { business, pipelines } = fixture
    const { id } = await pipelines.modules.add(business, { url: fake.url, parameters })
    const functions = await pipelines.modules.functions(business, id)
    assert.deepEqual(
      functions.map((one) => one.id),
      ['double', 'alarm'],
    )
    assert.deepEqual((await pipelines.modules.report(business, id)).complaints, [])
  })

  const described = of('InsightInfo', 'InsightListResults', 'SignalType', 'ConstantInfo')
  it('refuses or reports each description that breaks the protocol', async (t) => {
    const { fake, held, fixture } = await reference(t)
    const { business, pipelines } = fixture
    const readComplaints = async ({ change }: ConformanceCase) => {
      held.change = change
      const { id } = await pipelines.modules.add(business, { url: fake.url, parameters })
      await pipelines.modules.functions(business, id)
      return (await pipelines.modules.report(business, id)).complaints
    }
    for (const one of described) {
      const complaints = await readComplaints(one).catch((error) => {
        assert.equal(error.code, 'module_failed', `${one.breaks}: ${error}`)
        return [error.message]
      })
      assert.notDeepEqual(complaints, [], `${one.breaks}: ${one.title}`)
    }
  })

  it('refuses or reports each answer of process that breaks the protocol', async (t) => {
    const { fake, held, fixture } = await reference(t)
    const { business, view, pipelines } = fixture
    const { id: moduleId } = await pipelines.modules.add(business, { url: fake.url, parameters })
    const [asset, signal] = await fixture.assetWith('d1', ['001'])
    const inlets = [{ signalId: signal?.id ?? '' }]
    const link = { assetId: asset.id, moduleId, functionId: 'double', inlets }
    await pipelines.links.create(view, link)
    for (const [ts, one] of of('SignalData', 'process answers outlets').entries()) {
      held.change = one.change
      const before = (await fixture.lines(asset.id)).length
      await fixture.write('d1', { data_in: `{"001":${ts}}` }, ts + 1)
      await pipelines.caughtUp()
      const lines = (await fixture.lines(asset.id)).slice(before)
      assert.notDeepEqual(lines, [], `${one.breaks}: ${one.title}`)
    }
  })
})
