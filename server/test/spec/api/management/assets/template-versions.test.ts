import { strict as assert } from 'node:assert'
import { describe, it } from 'node:test'
import { limits } from '../../../../../src/foundation/kernel/index.ts'
import { assetLimits } from '../../../../../src/insight/assets/index.ts'
import { setLimits } from '../../../../fixtures/bounds.ts'
import { type TestPlatform, testPlatform } from '../../../../fixtures/platform.ts'
import { sharedBySuites } from '../../../../fixtures/suite.ts'
import { askJson, type JsonAnswer } from '../../../../fixtures/wire/ask.ts'

const level = { key: 'level', name: 'Level', primitiveType: 'NUMERIC' }
const note = { key: 'note', name: 'Note', primitiveType: 'STRING' }
const high = {
  ref: 'high',
  moduleId: 'builtin',
  functionId: 'threshold',
  name: 'High',
  constants: { warning: 80 },
  inlets: [{ signalId: 'level' }],
}
const tank = { name: 'Tank', signals: [level], links: [high] }

const nothing = { added: [], removed: [], changed: [], names: {} }

let millrace: TestPlatform
const onInstance = sharedBySuites(async (suite) => {
  millrace = await testPlatform(suite)
})

const ask = (method: string, path: string, body?: unknown) =>
  askJson(`${millrace.httpUrl}/api:1/templates${path}`, { method, body, as: millrace.basic })

/** Makes a template with one version for each document. */
async function saved(...documents: readonly object[]): Promise<string> {
  const [first, ...others] = documents
  const { json } = await ask('POST', '', first)
  for (const one of others) assert.equal((await ask('PUT', `/${json.id}`, one)).status, 200)
  return `/${json.id}`
}

const listNumbers = ({ json }: JsonAnswer) =>
  json.versions.map(({ version }: { version: number }) => version)

describe('versions of a template', () => {
  onInstance()

  it('name who changed what, and when', async () => {
    const of = await saved(tank)
    const warmer = { ...high, constants: { warning: 90 } }
    const change = { ...tank, description: 'Holds water.', signals: [note], links: [warmer] }
    const { json } = await ask('PUT', of, change)
    assert.equal(json.version, 2)
    assert.match(json.saved_by, /^(user|token):/)
    const { versions } = (await ask('GET', `${of}/versions`)).json
    assert.deepEqual(versions, [
      {
        version: 2,
        saved_at: json.changed,
        saved_by: json.saved_by,
        difference: {
          fields: ['description'],
          signals: {
            added: ['note'],
            removed: ['level'],
            changed: [],
            names: { note: 'Note', level: 'Level' },
          },
          links: {
            ...nothing,
            changed: [{ id: 'high', fields: ['constants'] }],
            names: { high: 'High' },
          },
        },
      },
      {
        version: 1,
        saved_at: json.created,
        saved_by: json.saved_by,
        difference: {
          fields: ['name'],
          signals: { ...nothing, added: ['level'], names: { level: 'Level' } },
          links: { ...nothing, added: ['high'], names: { high: 'High' } },
        },
      },
    ])
  })

  it('come in pages, and are not made by a save that changes nothing', async () => {
    const of = await saved(tank, { name: 'B' }, { name: 'C' })
    const { json } = await ask('GET', of)
    const again = await ask('PUT', of, { ...json.document, description: '', meta: {} })
    assert.deepEqual(again.json, json)
    assert.deepEqual(listNumbers(await ask('GET', `${of}/versions`)), [3, 2, 1])
    assert.deepEqual(listNumbers(await ask('GET', `${of}/versions?limit=1&offset=1`)), [2])
    assert.deepEqual(listNumbers(await ask('GET', `${of}/versions?offset=3`)), [])
  })

  it('are compared with any other one, and hold a document that can be saved', async () => {
    const of = await saved(tank, { ...tank, name: 'B' }, { ...tank, name: 'B', signals: [] })
    const first = (await ask('GET', `${of}/versions/1`)).json
    assert.deepEqual(first.document, tank)
    const { difference } = (await ask('GET', `${of}/versions/3?since=1`)).json
    const gone = { ...nothing, removed: ['level'], names: { level: 'Level' } }
    assert.deepEqual(difference, { fields: ['name'], signals: gone, links: nothing })
    const back = (await ask('GET', `${of}/versions/1?since=3`)).json
    assert.deepEqual(back.difference.signals.added, ['level'])
    const since = (await ask('GET', `${of}/versions/3`)).json
    assert.deepEqual(since.difference.fields, [], 'it is compared with the one before')
    assert.deepEqual((await ask('PUT', of, first.document)).json.document, tank)
  })

  it('are kept up to their number; the oldest one has no difference then', async (t) => {
    setLimits(t, { templateVersionsMax: 2 }, assetLimits)
    const of = await saved(tank, { name: 'B' }, { name: 'C' })
    const { versions } = (await ask('GET', `${of}/versions`)).json
    assert.deepEqual(
      versions.map(({ version, difference }: { version: number; difference: object }) => [
        version,
        difference === null,
      ]),
      [
        [3, false],
        [2, true],
      ],
    )
    assert.equal((await ask('POST', `${of}/restore`, { version: 1 })).json.code, 'not_found')
  })

  it('go with their template', async () => {
    const of = await saved(tank, { name: 'B' })
    await ask('DELETE', of)
    assert.equal((await ask('GET', `${of}/versions`)).json.code, 'not_found')
    const count = 'select count(*) as count from assets_template_version where template_id = $1'
    const row = await millrace.platform.database.one<{ count: number }>(count, [of.slice(1)])
    assert.equal(row?.count, 0)
  })
})

describe('an earlier version of a template', () => {
  onInstance()

  it('is saved again as a new one, and noted in the audit log', async () => {
    const of = await saved(tank, { name: 'B' })
    const { status, json } = await ask('POST', `${of}/restore`, { version: 1 })
    assert.deepEqual([status, json.version, json.document], [200, 3, tank])
    assert.deepEqual(listNumbers(await ask('GET', `${of}/versions`)), [3, 2, 1])
    const audit = `${millrace.httpUrl}/api:1/audit?action=restoreTemplate`
    const { entries } = (await askJson(audit, { as: millrace.basic })).json
    assert.match(entries[0].target, new RegExp(of.slice(1)))
  })

  it('is not saved in place of one that the caller has not seen', async () => {
    const of = await saved(tank, { name: 'B' })
    const late = await ask('PUT', of, { name: 'C', version: 1 })
    assert.deepEqual([late.status, late.json.code], [409, 'template_outdated'])
    const restored = await ask('POST', `${of}/restore`, { version: 1, current: 1 })
    assert.deepEqual([restored.status, restored.json.code], [409, 'template_outdated'])
    assert.deepEqual((await ask('GET', of)).json.document.name, 'B')
    assert.equal((await ask('PUT', of, { name: 'C', version: 2 })).json.version, 3)
    assert.equal((await ask('POST', `${of}/restore`, { version: 1, current: 3 })).json.version, 4)
  })

  it('restored while somebody saves: one is refused, or both are versions', async () => {
    const of = await saved(tank, { name: 'B' })
    const answers = await Promise.all([
      ask('POST', `${of}/restore`, { version: 1, current: 2 }),
      ask('PUT', of, { name: 'C', version: 2 }),
    ])
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
    const unseen = await Promise.all([
      ask('POST', `${of}/restore`, { version: 2 }),
      ...['D', 'E', 'F'].map((name) => ask('PUT', of, { name })),
    ])
    assert.deepEqual(
      unseen.map(({ json }) => json.version).toSorted((a, b) => a - b),
      [4, 5, 6, 7],
    )
  })

  it('is checked as a save is', async (t) => {
    const of = await saved({ ...tank, signals: [level, note] }, { name: 'B' })
    setLimits(t, { signalsPerAssetMax: 1 })
    const refused = await ask('POST', `${of}/restore`, { version: 1 })
    assert.equal(refused.json.code, 'invalid_argument')
    assert.equal((await ask('GET', of)).json.version, 2)
    assert.equal(limits.signalsPerAssetMax, 1)
  })
})

describe('who sees and restores versions of a template', () => {
  onInstance()

  it('what is no version is refused', async () => {
    const of = await saved(tank)
    for (const [path, code] of [
      [`${of}/versions/2`, 'not_found'],
      [`${of}/versions/1?since=9`, 'not_found'],
      [`${of}/versions/99999999999999`, 'not_found'],
      ['/none/versions', 'not_found'],
      ['/none/versions/1', 'not_found'],
      [`${of}/versions/0`, 'not_found'],
      [`${of}/versions/-1`, 'not_found'],
      [`${of}/versions/x`, 'not_found'],
      [`${of}/versions/1.5`, 'not_found'],
      [`${of}/versions/1?since=x`, 'invalid_argument'],
    ] as const) {
      assert.equal((await ask('GET', path)).json.code, code, path)
    }
    for (const [body, code] of [
      [{ version: 2 }, 'not_found'],
      [{ version: 99_999_999_999_999 }, 'not_found'],
      [{ version: 0 }, 'invalid_argument'],
      [{ version: '1' }, 'invalid_argument'],
      [{ version: 1.5 }, 'invalid_argument'],
      [{}, 'invalid_argument'],
      [{ version: 1, current: 'x' }, 'invalid_argument'],
    ] as const) {
      const { json } = await ask('POST', `${of}/restore`, body)
      assert.equal(json.code, code, JSON.stringify(body))
    }
    assert.equal((await ask('GET', of)).json.version, 1)
  })
})
