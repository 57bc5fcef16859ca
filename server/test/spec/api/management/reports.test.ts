import { strict as assert } from 'node:assert'
import { before, describe, it } from 'node:test'
import { wholeView } from '../../../../src/people/groups/index.ts'
import { type TestPlatform, testPlatform } from '../../../fixtures/platform.ts'
import { suiteContext } from '../../../fixtures/suite.ts'
import { askJson } from '../../../fixtures/wire/ask.ts'

type Report = { id: string; state: string; rows: number; filename: string; bytes: number }

describe('reports in the management API', () => {
  const context = suiteContext()
  let millrace: TestPlatform
  let signalId = ''

  before(async () => {
    millrace = await testPlatform(context)
    const { assets, database } = millrace.platform
    const view = wholeView(millrace.businessId)
    const signals = [{ name: 'level', primitiveType: 'NUMERIC' as const }]
    const tank = await assets.create(view, { name: 'Tank', signals })
    const [level] = await assets.signals.ofAssets(view, [tank.id])
    assert.ok(level)
    signalId = level.id
    const ts = millrace.clock.nowUs()
    await assets.ensurePartitions(ts)
    await database.transaction((held) =>
      assets.writeValues(held, [{ key: level.key, ts, value: 4.5 }]),
    )
  })

  const at = (path: string) => `${millrace.httpUrl}/api:1/reports${path}`

  const ask = <Body>(method: string, path: string, body?: unknown) =>
    askJson<Body>(at(path), { method, body, as: millrace.basic })

  async function completed(id: string): Promise<Report> {
    for (;;) {
      const { json } = await ask<Report>('GET', `/${id}`)
      if (json.state !== 'waiting') return json
    }
  }

  it('half an hour of a zone is refused as an offset, and taken as a time zone', async () => {
    const nowS = Math.floor(millrace.clock.nowUs() / 1_000_000)
    const made = (timezone: object) =>
      ask<{ message: string }>('POST', '', {
        start: nowS - 60,
        end: nowS + 60,
        signals: [{ id: signalId }],
        timezone,
      })
    const refused = await made({ offset: 5.5 })
    assert.deepEqual(
      [refused.status, /timeZone takes other/.test(refused.json.message)],
      [400, true],
    )
    assert.equal((await made({ timeZone: '+05:30' })).status, 201)
    assert.equal((await made({ timeZone: 'Asia/Kolkata' })).status, 201)
  })

  it('a report is made, listed, read with a credential and by a URL, and deleted', async () => {
    const nowS = Math.floor(millrace.clock.nowUs() / 1_000_000)
    const period = { start: nowS - 3_600, end: nowS + 3_600 }
    const body = { ...period, signals: [{ id: signalId, name: 'Level' }], asset_names: ['Tank'] }
    const made = await ask<Report>('POST', '', body)
    assert.equal(made.status, 201)
    const report = await completed(made.json.id)
    assert.deepEqual([report.state, report.rows], ['completed', 1])
    const { json } = await ask<{ reports: Report[] }>('GET', '?limit=1')
    assert.deepEqual(json.reports, [report])
    const content = await fetch(at(`/${report.id}/content`), {
      headers: { authorization: millrace.basic },
    })
    const text = await content.text()
    assert.match(text, /^timestamp,asset,signal,unit,value\r\n.*,Tank,Level,,4\.5\r\n$/)
    assert.equal(content.headers.get('content-length'), String(report.bytes))
    const name = `attachment; filename="${report.filename}"`
    assert.equal(content.headers.get('content-disposition'), name)
    const url = await ask<{ url: string }>('GET', `/${report.id}/url?expires_in=60`)
    const { pathname } = new URL(url.json.url)
    const read = await fetch(`${millrace.httpUrl}${pathname}`)
    assert.equal(await read.text(), text, 'it needs no credential')
    assert.equal((await ask('DELETE', `/${report.id}`)).status, 204)
    assert.equal((await ask('GET', `/${report.id}`)).status, 404)
    const gone = await fetch(`${millrace.httpUrl}${pathname}`)
    assert.equal(gone.status, 404)
    const changed = await fetch(`${millrace.httpUrl}${pathname}A`)
    assert.equal(changed.status, 404)
  })
})
