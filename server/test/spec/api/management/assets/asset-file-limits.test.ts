import { strict as assert } from 'node:assert'
import { before, describe, it } from 'node:test'
import { wholeView } from '../../../../../src/people/groups/index.ts'
import { exportAssets, importAssets } from '../../../../fixtures/assets/csv.ts'
import { type TestPlatform, testPlatform } from '../../../../fixtures/platform.ts'
import { suiteContext } from '../../../../fixtures/suite.ts'

describe('the limits of assets as CSV', () => {
  const context = suiteContext()
  let millrace: TestPlatform

  before(async () => {
    millrace = await testPlatform(context)
  })

  const view = () => wholeView(millrace.businessId)

  const send = (csv: string, query = '', as = millrace.basic) =>
    importAssets(millrace.httpUrl, csv, query, as)
  const read = (query = '', as = millrace.basic) => exportAssets(millrace.httpUrl, query, as)

  it('an export has what the level and the template find', async () => {
    const { assets } = millrace.platform
    const { id } = await assets.templates.create(view(), { name: 'Fan' }, 'user:x')
    await send(`name,template_id\nFan 1,${id}\nOther,\n`)
    assert.match(await read(`?template=${id}`), /^id,.*\r\n[^,]*,Fan 1,[^\n]*\r\n$/)
    assert.match(await read('?level=normal'), /,Other,/)
    assert.doesNotMatch(await read('?level=critical'), /,Other,/)
  })

  it('a column of errors is not read, so that failed rows come back as they are', async () => {
    const { answer } = await send('name,error\nReturned,it was wrong\n')
    assert.deepEqual([answer.created, answer.failed], [1, 0])
    const [made] = await millrace.platform.assets.list(view(), { text: 'Returned' })
    assert.equal(made?.description, '')
  })

  it('an asset of a template has its signals', async () => {
    const { assets } = millrace.platform
    const signals = [{ key: 'p', name: 'pressure', primitiveType: 'NUMERIC' as const }]
    const template = await assets.templates.create(view(), { name: 'Pump', signals }, 'user:x')
    const { answer } = await send(`name,template_id\nP-1,${template.id}\nP-2,nobody\n`)
    assert.deepEqual([answer.created, answer.failed], [1, 1])
    const made = await assets.signals.ofAssets(view(), [answer.rows[0]?.id ?? ''])
    assert.deepEqual(
      made.map(({ name }) => name),
      ['pressure'],
    )
  })

  it('a file that is no CSV of assets is refused whole', async () => {
    const count = await millrace.platform.assets.count(view())
    for (const csv of ['', 'size\n1\n', 'description\nx\n', 'name,name\na,b\n', 'name\n"open\n']) {
      const { status, answer } = await send(csv)
      assert.equal(status, 400, csv)
      assert.equal(answer.code, 'csv_invalid')
    }
    const many = `name\n${'x\n'.repeat(5_001)}`
    assert.equal((await send(many)).status, 413)
    assert.equal(await millrace.platform.assets.count(view()), count)
  })

  it('a token of some groups exports and imports what lies in these, and no devices', async () => {
    const { accounts, assets, groups } = millrace.platform
    const site = await groups.create(view(), { name: 'Site' })
    const own = await assets.create(view(), { name: 'Own', groupId: site.id })
    const wanted = { name: 'site', role: 'Operator', groups: [site.id] }
    const { token } = await accounts.createToken(millrace.businessId, wanted)
    const as = `Automation ${token}`
    const lines = (await read('', as)).trim().split('\r\n')
    assert.deepEqual([lines.length, lines[1]?.split(',')[0]], [2, own.id])
    const { id: connector } = millrace.connector
    const other = await assets.create(view(), { name: 'Other' })
    const csv = `name,id,connector_id,identity\nA,,,\nB,,${connector},p-9\nC,${other?.id},,\n`
    const { answer } = await send(csv, '', as)
    assert.deepEqual(
      answer.rows.map((row) => row.code ?? row.status),
      ['created', 'not_found', 'not_found'],
    )
    assert.equal((await assets.get(view(), answer.rows[0]?.id ?? '')).groupId, site.id)
  })
})
