import { strict as assert } from 'node:assert'
import { type TestContext, test } from 'node:test'
import { limits } from '../../../../src/foundation/kernel/index.ts'
import { setStatus } from '../../../fixtures/assets.ts'
import { codes, getData, graphqlFixture } from '../../../fixtures/wire/graphql.ts'

/** Site and Yard, each with an asset that has a condition. A token that sees Site. */
async function site(t: TestContext) {
  const fixture = await graphqlFixture(t)
  const { groups, assets, business, view: all, database } = fixture
  const place = await groups.create(all, { name: 'Site' })
  const yard = await groups.create(all, { name: 'Yard' })
  const makeAsset = async (groupId: string) => {
    const asset = await assets.create(all, { name: 'Pump', groupId, assetType: 'pump' })
    await database.transaction((held) =>
      setStatus(assets, held, business, asset.id, `r-${groupId}`, {
        ts: 5,
        level: 3,
        value: 'hot',
      }),
    )
    return asset
  }
  const [pump, gate] = [await makeAsset(place.id), await makeAsset(yard.id)]
  const ofSite = await fixture.makeToken('Administrator', [place.id])
  return { ...fixture, all, place, yard, pump, gate, ofSite }
}

type Site = Awaited<ReturnType<typeof site>>

const file = (text: string, filename = 'pump.v1.pdf') => ({
  filename,
  data: Buffer.from(text).toString('base64'),
  contentType: 'application/pdf',
  lastModified: '2026-01-31T12:00:00.000000Z',
})

async function makeInstruction({ as, administrator }: Site, input: object): Promise<string> {
  const text = `mutation($input: CreateWorkInstructionInput!) {
    createWorkInstruction(input: $input) { id } }`
  const made = await as(administrator, text, { input: { name: 'Stop the pump', ...input } })
  return getData<{ createWorkInstruction: { id: string } }>(made).createWorkInstruction.id
}

async function makePolicy({ as, administrator }: Site, input: object): Promise<string> {
  const text = 'mutation($input: PolicyInput!) { createPolicy(input: $input) { id } }'
  const made = await as(administrator, text, { input })
  return getData<{ createPolicy: { id: string } }>(made).createPolicy.id
}

test('a file of a work instruction has its type and size, and may have no extension', async (t) => {
  const fixture = await site(t)
  const { as, administrator, viewer, place } = fixture
  const id = await makeInstruction(fixture, { groupId: place.id, file: file('one') })
  const add = `mutation($id: ID!, $file: WorkInstructionFileInput!) {
    addWorkInstructionVersion(id: $id, file: $file) { version } }`
  getData(await as(administrator, add, { id, file: file('two', 'README') }))
  const text = `{ workInstructions(filters: { text: "PUMP" }) { filename extension
    versions { filename extension } contents { filename contentType size } } }`
  const second = { filename: 'README', extension: '' }
  const pdf = { contentType: 'application/pdf', size: 3 }
  const versions = [second, { filename: 'pump.v1.pdf', extension: 'pdf' }]
  const contents = versions.map(({ filename }) => ({ filename, ...pdf }))
  assert.deepEqual(getData(await as(viewer, text)), {
    workInstructions: [{ ...second, versions, contents }],
  })
})

test('a work instruction is changed and removed, but not while a policy has it', async (t) => {
  const fixture = await site(t)
  const { as, administrator, business, database, yard } = fixture
  const id = await makeInstruction(fixture, { file: file('one') })
  const change = `mutation { updateWorkInstruction(id: "${id}",
    input: { name: "Stop", groupId: "${yard.id}" }) { name group { name } } }`
  assert.deepEqual(getData(await as(administrator, change)), {
    updateWorkInstruction: { name: 'Stop', group: { name: 'Yard' } },
  })
  const policy = await makePolicy(fixture, { workInstructionId: id })
  const remove = `mutation { deleteWorkInstruction(id: "${id}") { name } }`
  const refused = await as(administrator, remove)
  assert.deepEqual(codes(refused), ['in_use'])
  const { message } = refused.errors?.[0] ?? {}
  assert.match(
    message ?? '',
    /^Cannot delete the work instruction Stop: still used by 1 policies \([^)]+\)\. Change/,
  )
  getData(await as(administrator, `mutation { deletePolicy(id: "${policy}") { id } }`))
  getData(await as(administrator, remove))
  const files = 'select id from content_file where solution_id = $1'
  assert.deepEqual(await database.rows(files, [`business:${business}`]), [], 'with its files')
})

test('the policy of a condition is the first that fits asset, level and category', async (t) => {
  const fixture = await site(t)
  const { as, administrator, viewer, place, yard } = fixture
  const workInstructionId = await makeInstruction(fixture, {})
  const texts = [{ language: 'en', name: 'Hot', policy: 'Stop it.' }]
  await makePolicy(fixture, { priority: 2, translations: texts, workInstructionId })
  const ofSite = { priority: 1, groupId: place.id, assetType: 'pump', category: 'default' }
  await makePolicy(fixture, { ...ofSite, levels: ['critical'] })
  await makePolicy(fixture, { priority: 0, groupId: place.id, levels: ['warning'] })
  await makePolicy(fixture, { priority: 0, groupId: yard.id, assetType: 'gate' })
  const text = `{ conditionQuery(query: [], order: []) { total results {
    asset { parent { name } } valueString additionalFields timestamp
    policy { priority workInstructionId workInstruction { name } translations { language name
      policy } } } } }`
  type Found = { conditionQuery: { results: { asset: object }[] } }
  const found = getData<Found>(await as(viewer, text)).conditionQuery.results
  const [inYard, inSite] = found as Record<string, unknown>[]
  assert.deepEqual(inYard?.policy, {
    priority: 2,
    workInstructionId,
    translations: texts,
    workInstruction: { name: 'Stop the pump' },
  })
  assert.equal((inSite?.policy as { priority: number }).priority, 1)
  assert.equal(inSite?.valueString, 'hot')
  assert.equal(inSite?.timestamp, '1970-01-01T00:00:00.000005Z')
  const { policies } = getData<{ policies: { priority: number }[] }>(
    await as(administrator, '{ policies { priority } }'),
  )
  assert.deepEqual(
    policies.map(({ priority }) => priority),
    [0, 0, 1, 2],
  )
})

test('a policy of a user of one group lies in that group, which stays', async (t) => {
  const { as, ofSite, place, groups, all } = await site(t)
  const own = 'mutation { createPolicy(input: {}) { group { name } } }'
  assert.deepEqual(getData(await as(ofSite, own)), { createPolicy: { group: { name: 'Site' } } })
  await assert.rejects(groups.remove(all, place.id), { code: 'in_use' })
})

test('bad files and policies are refused by a code', async (t) => {
  const { as, administrator } = await site(t)
  for (const [field, code] of [
    ['createWorkInstruction(input: { name: "" })', 'invalid_argument'],
    [
      'createWorkInstruction(input: { name: "a", file: { filename: "a", data: "?" } })',
      'invalid_argument',
    ],
    ['createPolicy(input: { priority: 2000000 })', 'invalid_argument'],
    ['createPolicy(input: { category: "" })', 'invalid_argument'],
    [
      `createPolicy(input: { translations: [{ language: "en", name: "a", policy: "b" },
        { language: "en", name: "a", policy: "b" }] })`,
      'invalid_argument',
    ],
    ['createPolicy(input: { workInstructionId: "none" })', 'not_found'],
  ] as const) {
    assert.deepEqual(codes(await as(administrator, `mutation { ${field} { id } }`)), [code], field)
  }
})

test('the files of one answer are bounded', async (t) => {
  const { as, administrator, policies, all } = await site(t)
  const data = Buffer.alloc(limits.solutionContentFileBytesMax)
  const files = limits.stateBytesMax / data.length + 1
  for (const name of Array.from({ length: files }, (_, at) => `file ${at}`)) {
    await policies.instructions.create(all, { name }, { filename: name, data })
  }
  const text = '{ workInstructions { name fileData } }'
  const answer = await as(administrator, text)
  assert.deepEqual(codes(answer), ['too_complex'])
})
