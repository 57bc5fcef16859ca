import { strict as assert } from 'node:assert'
import { describe, it } from 'node:test'
import { wholeView } from '../../../../../src/people/groups/index.ts'
import { type TestPlatform, testPlatform } from '../../../../fixtures/platform.ts'
import { sharedBySuites } from '../../../../fixtures/suite.ts'
import { askJson, type JsonAnswer } from '../../../../fixtures/wire/ask.ts'

const nothing = { added: [], removed: [], changed: [], names: {} }

let millrace: TestPlatform
const onInstance = sharedBySuites(async (suite) => {
  millrace = await testPlatform(suite)
})

const ask = (method: string, path: string, body?: unknown) =>
  askJson(`${millrace.httpUrl}/api:1/pipelines${path}`, { method, body, as: millrace.basic })

/** An asset whose pipeline has three versions: a rule, the same with other levels, and none. */
async function threeVersions() {
  const { assets } = millrace.platform
  const view = wholeView(millrace.businessId)
  const { id } = await assets.create(view, {
    name: 'Tank',
    signals: [{ name: 'Level', primitiveType: 'NUMERIC' }],
  })
  const [level] = await assets.signals.ofAssets(view, [id])
  const high = {
    moduleId: 'builtin',
    functionId: 'threshold',
    name: 'High',
    constants: { warning: 80 },
    inlets: [{ signalId: level?.id }],
  }
  const first = (await ask('PUT', `/${id}`, { links: [high] })).json
  const link = first.links[0].id as string
  const warmer = { links: [{ id: link, constants: { warning: 90 } }] }
  const second = (await ask('PUT', `/${id}`, warmer)).json
  const third = (await ask('PUT', `/${id}`, { links: [], whole: true })).json
  return { of: `/${id}`, link, first, second, third }
}

describe('versions of a pipeline', () => {
  onInstance()

  it('name who changed what, and when, newest first', async () => {
    const { of, link, first, second, third } = await threeVersions()
    const names = { [link]: 'High' }
    const saved = ({ version, saved_at, saved_by }: JsonAnswer['json']) => {
      return { version, saved_at, saved_by }
    }
    const changed = [{ id: link, fields: ['constants'] }]
    const { versions } = (await ask('GET', `${of}/versions`)).json
    assert.deepEqual(versions, [
      { ...saved(third), difference: { ...nothing, removed: [link], names } },
      { ...saved(second), difference: { ...nothing, changed, names } },
      { ...saved(first), difference: { ...nothing, added: [link], names } },
    ])
    assert.match(third.saved_by, /^user:/)
    assert.deepEqual((await ask('GET', `${of}/versions?limit=1&offset=1`)).json, {
      versions: [versions[1]],
    })
  })

  it('are compared with any other one, and hold links that can be saved', async () => {
    const { of, link, first } = await threeVersions()
    const one = (await ask('GET', `${of}/versions/1`)).json
    assert.deepEqual(one.links, first.links)
    const names = { [link]: 'High' }
    const { difference } = (await ask('GET', `${of}/versions/3?since=1`)).json
    assert.deepEqual(difference, { ...nothing, removed: [link], names })
    const back = (await ask('GET', `${of}/versions/1?since=3`)).json
    assert.deepEqual(back.difference, { ...nothing, added: [link], names })
    const restored = await ask('POST', `${of}/restore`, { version: 1, current: 3 })
    assert.deepEqual(restored.json.links, first.links)
  })

  it('are shown of what is there', async () => {
    const { of } = await threeVersions()
    for (const path of ['/none/versions', `${of}/versions/4`, `${of}/versions/x`]) {
      const { status, json } = await ask('GET', path)
      assert.deepEqual([status, json.code], [404, 'not_found'], path)
    }
  })
})
