import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { managementLimits } from '../../../../src/api/management/index.ts'
import { limits } from '../../../../src/foundation/kernel/index.ts'
import { type TestPlatform, testPlatform } from '../../../fixtures/platform.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'
import { parseCsv, upload } from '../../../fixtures/wire/csv.ts'
import { until } from '../../../fixtures/wire/mqtt-fleet.ts'

const usPerHour = 3_600_000_000

let there: TestPlatform
let url: string
let auth: Readonly<Record<string, string>>
const onPlatform = sharedBySuites(async (suite) => {
  there = await testPlatform(suite)
  url = `${there.httpUrl}/api:1/service/${there.connector.id}/device2/identities`
  auth = { authorization: `Automation ${there.token}` }
})

const get = (identity: string) =>
  there.platform.provisioning.identities.get(there.businessId, there.connector.id, identity)

const leftOnDisk = () => readdir(join(there.platform.config.dataDir, 'uploads')).catch(() => [])

async function refused(answer: Promise<{ status: number; text: string }>) {
  const { status, text } = await answer
  const body = JSON.parse(text)
  assert.equal(body.status, status)
  return body
}

describe('POST /api:1/service/<connector_id>/device2/identities', () => {
  onPlatform()

  it('takes a form with the file field `identities`, by account credentials', async () => {
    const headers = { authorization: there.basic }
    const { status, type, text } = await upload(there, 'ID\r\npump-1\r\n', { headers })
    assert.deepEqual([status, type], [200, 'text/csv; charset=utf-8'])
    assert.equal(text, 'ID,status,code,message\r\npump-1,added,,\r\n')
    assert.equal((await get('pump-1')).status, 'whitelisted')
  })

  it('`expire` and `dry_run` are fields of the form or of the query', async () => {
    const expire = String(there.clock.nowUs() + usPerHour)
    await upload(there, 'ID\nquery\n', { query: `?expire=${expire}` })
    await upload(there, 'ID\nfield\n', { fields: { expire } })
    for (const id of ['query', 'field']) assert.equal((await get(id)).auth.expire, Number(expire))
    for (const options of [{ query: '?dry_run=true' }, { fields: { dry_run: 'true' } }]) {
      const { text } = await upload(there, 'ID\nnever\n', options)
      assert.equal(parseCsv(text)[1]?.[1], 'added')
    }
    await assert.rejects(get('never'))
  })

  it('a header says before the rows how many there are', async () => {
    const csv = 'ID\nrows-1\n\n\0\n'
    for (const query of ['?dry_run=true', '?dry_run=true&rows=failed']) {
      assert.equal((await upload(there, csv, { query })).rows, '2')
    }
  })

  it('`Accept: application/json` brings counts, `rows=failed` what is to be mended', async () => {
    const csv = 'ID\njson-1\n\0\n'
    const json = await upload(there, csv, { headers: { accept: 'application/json' } })
    assert.deepEqual(JSON.parse(json.text), {
      total: 2,
      added: 1,
      changed: 0,
      unchanged: 0,
      failed: 1,
    })
    const failed = await upload(there, csv, { query: '?rows=failed' })
    assert.deepEqual(
      parseCsv(failed.text).map((row) => row[1]),
      ['status', 'failed'],
    )
  })

  it('a client that sends all before it reads anything is answered whole', async () => {
    const rows = 40_000
    const csv = `ID\n${Array.from({ length: rows }, (_, at) => `bulk-${at}`).join('\n')}\n`
    const { status, text } = await upload(there, csv, { query: '?dry_run=true' })
    assert.equal(status, 200)
    const answered = parseCsv(text)
    assert.equal(answered.length, rows + 1)
    assert.deepEqual(answered.at(-1), [`bulk-${rows - 1}`, 'added', '', ''])
  })

  it('an upload that ends in the middle writes nothing and leaves nothing', async () => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    const head = [
      `POST ${new URL(url).pathname} HTTP/1.1`,
      'Host: localhost',
      `Authorization: ${auth.authorization}`,
      'Content-Type: multipart/form-data; boundary=b',
      'Content-Length: 1000000',
      '',
      '',
    ].join('\r\n')
    const disposition = 'Content-Disposition: form-data; name="identities"; filename="x.csv"'
    socket.write(`${head}--b\r\n${disposition}\r\n\r\nID\r\nhalf\r\n${'x'.repeat(200_000)}`)
    await until(async () => (await leftOnDisk()).length > 0)
    socket.destroy()
    await until(async () => (await leftOnDisk()).length === 0)
    await assert.rejects(get('half'))
  })

  it('past so many files at once another one is to be retried later', async () => {
    const slow = `ID\n${Array.from({ length: 30_000 }, (_, at) => `busy-${at}`).join('\n')}`
    const many = Array.from({ length: managementLimits.csvImportsMax * 3 }, () =>
      upload(there, slow),
    )
    const answers = await Promise.all(many)
    const busy = answers.filter(({ status }) => status === 503)
    assert.ok(busy.length > 0)
    for (const { text } of busy) assert.equal(JSON.parse(text).code, 'overloaded')
    const taken = answers.filter(({ status }) => status === 200)
    assert.equal(taken.length + busy.length, answers.length)
    assert.equal((await upload(there, 'ID\nlast\n')).status, 200, 'and then there is room again')
    assert.deepEqual(await leftOnDisk(), [])
  })
})

describe('an upload of identities that is refused', () => {
  onPlatform()

  it('a bad file is 400 `CSV file format invalid`; `reason` says where', async () => {
    for (const csv of ['pump-7\n', '', 'ID\n"a\n', `ID\n${'a\n'.repeat(200_000)}"`]) {
      const body = await refused(upload(there, csv))
      assert.deepEqual(
        { ...body, reason: typeof body.reason },
        {
          code: 'csv_invalid',
          message: 'CSV file format invalid',
          status: 400,
          reason: 'string',
        },
      )
    }
    await assert.rejects(get('a'), 'nothing of it is written')
  })

  it('what is no such form, or requests what is not, is rejected by name', async () => {
    const post =
      (body: string | FormData | null, headers: Record<string, string> = {}, query = '') =>
      () =>
        fetch(`${url}${query}`, {
          method: 'POST',
          body,
          headers: { ...auth, ...headers },
        }).then(async (response) => ({ status: response.status, text: await response.text() }))
    const form = (...parts: [string, string | Blob][]) => {
      const made = new FormData()
      for (const [name, value] of parts) made.append(name, value)
      return made
    }
    const file = new Blob(['ID\nx\n'])
    const cases: [() => Promise<{ status: number; text: string }>, string, RegExp][] = [
      [post('ID\nx\n', { 'content-type': 'text/csv' }), 'wrong_content_type', /multipart/],
      [post('{}', { 'content-type': 'application/json' }), 'wrong_content_type', /multipart/],
      [post(null), 'wrong_content_type', /multipart/],
      [post('x', { 'content-type': 'multipart/form-data' }), 'malformed_request', /./],
      [post('x', { 'content-type': 'multipart/form-data; boundary=y' }), 'malformed_request', /./],
      [post(form()), 'invalid_argument', /identities is missing/],
      [post(form(['identities', 'ID\nx\n'])), 'invalid_argument', /must be a file/],
      [post(form(['other', file])), 'invalid_argument', /"other"/],
      [post(form(['identities', file], ['identities', file])), 'malformed_request', /many parts/],
      [post(form(['identities', file], ['locked', 'true'])), 'invalid_argument', /"locked"/],
      [post(form(['identities', file], ['expire', 'soon'])), 'invalid_argument', /expire/],
      [post(form(['identities', file], ['dry_run', 'maybe'])), 'invalid_argument', /dry_run/],
      [post(form(['identities', file]), {}, '?dryrun=true'), 'invalid_argument', /dryrun/],
      [post(form(['identities', file]), {}, '?rows=all'), 'invalid_argument', /rows/],
    ]
    for (const [answer, code, message] of cases) {
      const body = await refused(answer())
      assert.equal(body.code, code, JSON.stringify(body))
      assert.match(body.message, message)
    }
    await assert.rejects(get('x'))
  })
})

describe('GET /api:1/service/<connector_id>/device2/identities', () => {
  onPlatform()

  it('exports what an import takes back unchanged, in the order of names', async () => {
    const csv = 'ID,Tags\nx-b,"[{""name"":""site"",""value"":""a, b""}]"\n"\'=1+1",\n"x, c",\n'
    await upload(there, csv)
    const answer = await fetch(url, { headers: auth })
    assert.equal(answer.headers.get('content-type'), 'text/csv; charset=utf-8')
    const text = await answer.text()
    const [header, ...rows] = parseCsv(text)
    assert.deepEqual(header, ['ID', 'Tags', 'State', 'Last Seen', 'Last Address'])
    const ids = rows.map(([id]) => id)
    assert.deepEqual([ids[0], ids.includes('x, c')], ["'=1+1", true])
    assert.equal((await get('=1+1')).status, 'whitelisted')
    const again = await upload(there, text, { headers: { accept: 'application/json' } })
    const counts = { total: rows.length, added: 0, changed: 0, unchanged: rows.length, failed: 0 }
    assert.deepEqual(JSON.parse(again.text), counts)
  })

  it('has every page, and those alone that the filters select', async () => {
    const names = Array.from({ length: limits.pageMax + 2 }, (_, at) => `page-${1_000 + at}`)
    await upload(there, ['ID', ...names].join('\n'))
    const read = async (query: string) => {
      const answer = await fetch(`${url}?${query}`, { headers: auth })
      assert.equal(answer.status, 200)
      return parseCsv(await answer.text())
        .slice(1)
        .map(([id]) => id)
    }
    assert.deepEqual(await read('identity=%5Epage-'), names)
    assert.deepEqual(await read('tag=site&tag_value=a%2C+b'), ['x-b'])
    assert.deepEqual(await read('status=locked'), [])
    for (const query of ['status=odd', 'limit=1', 'tag_value=x']) {
      assert.equal((await fetch(`${url}?${query}`, { headers: auth })).status, 400, query)
    }
  })
})
