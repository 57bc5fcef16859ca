import { strict as assert } from 'node:assert'
import { before, describe, it } from 'node:test'
import { wholeView } from '../../../../../src/people/groups/index.ts'
import { exportAssets, importAssets } from '../../../../fixtures/assets/csv.ts'
import { type TestPlatform, testPlatform } from '../../../../fixtures/platform.ts'
import { suiteContext } from '../../../../fixtures/suite.ts'

const header =
  'id,name,description,group_id,asset_type,connector_id,identity,latitude,longitude,locked,' +
  'template_id,meta'

describe('assets as CSV', () => {
  const context = suiteContext()
  let millrace: TestPlatform

  before(async () => {
    millrace = await testPlatform(context)
  })

  const view = () => wholeView(millrace.businessId)

  const send = (csv: string, query = '', as = millrace.basic) =>
    importAssets(millrace.httpUrl, csv, query, as)
  const read = (query = '', as = millrace.basic) => exportAssets(millrace.httpUrl, query, as)

  it('rows make assets and change them, and a bad row does not stop the others', async () => {
    const { assets, groups } = millrace.platform
    const hall = await groups.create(view(), { name: 'Hall' })
    const old = await assets.create(view(), { name: 'Old', description: 'kept' })
    const { id: connector } = millrace.connector
    const { status, answer } = await send(
      [
        'name,id,group_id,latitude,longitude,meta,connector_id,identity,locked',
        `Pump,,${hall.id},52.5,13.4,"{""maker"":""Example""}",${connector},p-1,true`,
        `New,${old.id},${hall.id},,,,,,`,
        ',nobody,,,,,,,',
        'Half,,,52.5,,,,,',
        'Meta,,,,,[1],,,',
        `Foreign,,,,,,nobody,p-2,`,
        'Gate,,nobody,,,,,,',
        "'=Tank,,,,,,,,",
      ].join('\n'),
    )
    assert.equal(status, 200)
    const { rows, ...counts } = answer
    assert.deepEqual(counts, { total: 8, created: 2, changed: 1, unchanged: 0, failed: 5 })
    const codes = rows.map((row) => row.code ?? row.status).join(' ')
    const wrong = 'not_found invalid_argument invalid_argument not_found not_found'
    assert.equal(codes, `created changed ${wrong} created`)
    assert.match(rows[3]?.message ?? '', /latitude and longitude/)
    const pump = await assets.get(view(), rows[0]?.id ?? '')
    assert.deepEqual([pump.groupId, pump.locked], [hall.id, true])
    assert.deepEqual(pump.location, { latitude: 52.5, longitude: 13.4 })
    assert.deepEqual(pump.meta, { maker: 'Example' })
    assert.deepEqual(pump.device, { connectorId: connector, identity: 'p-1' })
    const changed = await assets.get(view(), old.id)
    assert.deepEqual([changed.name, changed.description], ['New', 'kept'])
    assert.equal((await assets.get(view(), rows[7]?.id ?? '')).name, '=Tank')
  })

  it('names other separators, and identities that a spreadsheet may have changed', async () => {
    const refused = await send('name;identity\nPump;p-1\n')
    assert.deepEqual([refused.status, refused.answer.code], [400, 'csv_invalid'])
    assert.match(refused.answer.reason ?? '', /separated by ";"/)
    const { id } = millrace.connector
    const { answer } = await send(
      `name,connector_id,identity\nA, ${id} ,8.9E+19\n , ,\nB,${id}, p-9 \n`,
    )
    const said = 'the ID looks like a number that a spreadsheet has rounded'
    assert.deepEqual(
      answer.rows.map(({ status, message }) => [status, message]),
      [
        ['created', said],
        ['created', undefined],
      ],
    )
    const { device } = await millrace.platform.assets.get(view(), answer.rows[1]?.id ?? '')
    assert.deepEqual(device, { connectorId: id, identity: 'p-9' })
  })

  it('what is exported is imported again as it is', async () => {
    const { assets } = millrace.platform
    const name = '=1+1, "two"\nlines'
    const one = await assets.create(view(), { name, description: '-', meta: { size: 2 } })
    const text = await read()
    assert.equal(text.split('\r\n')[0], header)
    assert.ok(text.includes(`,"'=1+1, ""two""`), 'a spreadsheet does not run it')
    const { answer } = await send(text)
    const { rows, ...counts } = answer
    const total = rows.length
    const none = { created: 0, changed: 0, failed: 0 }
    assert.deepEqual(counts, { total, ...none, unchanged: total }, 'also the locked pump')
    const edited = await send(text.replace(",'-,", ',other,'))
    assert.deepEqual([edited.answer.changed, edited.answer.unchanged], [1, total - 1])
    await assets.update(view(), one.id, { description: '-' })
    assert.deepEqual(await assets.get(view(), one.id), one)
    assert.equal((await read('?text=two')).split('\r\n').length > 2, true)
    assert.equal(await read('?text=nothing-like-this'), `${header}\r\n`)
  })

  it('a dry run says the same and keeps nothing', async () => {
    const { assets } = millrace.platform
    const count = await assets.count(view())
    const [one] = await assets.list(view(), { text: 'New' })
    const csv = `id,name\n,Dry\n${one?.id},Other\nnobody,x\n`
    const { answer } = await send(csv, '?dry_run=true')
    assert.deepEqual(
      answer.rows.map(({ status, id }) => [status, id]),
      [
        ['created', null],
        ['changed', one?.id],
        ['failed', null],
      ],
    )
    assert.equal(await assets.count(view()), count)
    assert.equal((await assets.get(view(), one?.id ?? '')).name, 'New')
  })
})
