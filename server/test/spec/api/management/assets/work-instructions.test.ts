import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { limits } from '../../../../../src/foundation/kernel/index.ts'
import { policyLimits } from '../../../../../src/insight/policies/index.ts'
import { wholeView } from '../../../../../src/people/groups/index.ts'
import { type OwnPlatform, testPlatform } from '../../../../fixtures/platform.ts'
import { sharedBySuites } from '../../../../fixtures/suite.ts'
import { until } from '../../../../fixtures/wire/mqtt-fleet.ts'

type Body = string | Uint8Array

const pdf = { 'content-type': 'application/pdf' }

let instance: OwnPlatform
let path = ''
const onInstance = sharedBySuites(async (suite) => {
  instance = await testPlatform(suite, { movesClock: true })
  const { policies } = instance.platform
  const view = wholeView(instance.businessId)
  const { id } = await policies.instructions.create(view, { name: 'Oil the pump' })
  path = `/work-instructions/${id}/versions`
})

const makeToken = async (role: string, businessId = instance.businessId, groups?: string[]) => {
  const wanted = { name: role, role, ...(groups && { groups }) }
  return (await instance.platform.accounts.createToken(businessId, wanted)).token
}

function call(url: string, init: RequestInit = {}, token = instance.token): Promise<Response> {
  const headers = { ...init.headers, authorization: `Automation ${token}` }
  return fetch(`${instance.httpUrl}/api:1${url}`, { ...init, headers })
}

async function upload(query: string, body: Body, headers: Record<string, string> = pdf) {
  const response = await call(`${path}?${query}`, { method: 'POST', body, headers })
  // biome-ignore lint/suspicious/noExplicitAny: a test looks at what it expects
  return { status: response.status, json: (await response.json()) as any }
}

const named = (filename: string) => `filename=${encodeURIComponent(filename)}`
const countContents = async () => {
  const row = await instance.platform.database.one<{ count: number }>(
    `select (select count(*) from content_file) + (select count(*) from content_part)
      + (select count(*) from content_upload) as count`,
  )
  return row?.count
}

describe('the files of work instructions', () => {
  onInstance()

  it('are uploaded and read whole, larger than a GraphQL request', async () => {
    const bytes = randomBytes(3 * 1024 * 1024 + 17)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const made = await upload(`${named('pump.pdf')}&modified=1700000000000000`, bytes)
    assert.equal(made.status, 201, JSON.stringify(made.json))
    const { created, ...shown } = made.json
    assert.ok(created > 0)
    assert.deepEqual(shown, {
      version: 1,
      filename: 'pump.pdf',
      content_type: 'application/pdf',
      size: bytes.length,
      sha256,
      modified: 1_700_000_000_000_000,
    })
    const viewer = await makeToken('Viewer')
    const read = await call(`${path}/1/content`, {}, viewer)
    assert.deepEqual(
      ['content-type', 'content-length', 'content-disposition', 'x-content-type-options'].map(
        (name) => read.headers.get(name),
      ),
      [
        'application/pdf',
        String(bytes.length),
        `attachment; filename="pump.pdf"; filename*=UTF-8''pump.pdf`,
        'nosniff',
      ],
    )
    assert.ok(Buffer.from(await read.arrayBuffer()).equals(bytes))
  })

  it('are in GraphQL as those that it takes itself', async () => {
    const { json } = await upload(named('steps.txt'), 'Open the valve.', {})
    const query = `{ workInstructions { version filename fileData
      contents { version contentType size } } }`
    const response = await fetch(`${instance.httpUrl}/api/graphql`, {
      method: 'POST',
      body: JSON.stringify({ query }),
      headers: {
        authorization: `Automation ${instance.token}`,
        'content-type': 'application/json',
      },
    })
    const [one] = (
      (await response.json()) as { data: { workInstructions: Record<string, unknown>[] } }
    ).data.workInstructions
    const text = Buffer.from(String(one?.fileData), 'base64').toString()
    assert.deepEqual(
      [one?.version, one?.filename, text],
      [...[json.version, 'steps.txt', 'Open the valve.']],
    )
    assert.equal((one?.contents as object[]).length, json.version)
  })

  it('keep hostile names and content types as words, never as headers', async () => {
    const names: Readonly<Record<string, string>> = {
      '../../etc/passwd': '.._.._etc_passwd',
      'a"; filename="b.exe': 'a__ filename__b.exe',
      'Ölwechsel (neu)*.pdf': '_lwechsel _neu__.pdf',
      "x'%0d%0aSet-Cookie: a=b": 'x__0d_0aSet-Cookie_ a_b',
      'a\r\nSet-Cookie: a=b': 'a__Set-Cookie_ a_b',
      '\u202Efdp.exe': '_fdp.exe',
    }
    for (const [name, plain] of Object.entries(names)) {
      const { status, json } = await upload(named(name), 'x', { 'content-type': 'text/html' })
      assert.deepEqual([status, json.filename], [201, name])
      const read = await call(`${path}/${json.version}/content`)
      const disposition = read.headers.get('content-disposition') ?? ''
      assert.ok(disposition.startsWith(`attachment; filename="${plain}"; filename*=`), disposition)
      assert.equal(decodeURIComponent(disposition.split("UTF-8''")[1] ?? ''), name)
      assert.equal(read.headers.get('set-cookie'), null)
      assert.equal(read.headers.get('content-security-policy'), 'sandbox')
      assert.equal(read.headers.get('content-type'), 'text/html')
      await read.arrayBuffer()
    }
    const { instructions } = instance.platform.policies
    const [, , id = ''] = path.split('/')
    for (const contentType of ['nothing', 'a/b/c', 'a/b\r\nx: y', '日本/語', 'a/b; x="<s>"']) {
      const file = { filename: 'x', data: Buffer.from('x'), contentType }
      const view = wholeView(instance.businessId)
      const { version } = await instructions.addVersion(view, id, file)
      const read = await call(`${path}/${version}/content`)
      assert.equal(read.headers.get('content-type'), 'application/octet-stream', contentType)
      await read.arrayBuffer()
    }
  })
})

describe('the bytes of files of work instructions', () => {
  onInstance()

  it('have the SHA-256 as their tag, and are not sent to who has them', async () => {
    const { json } = await upload(named('tagged.txt'), 'Close the valve.')
    const { instructions } = instance.platform.policies
    const [, , id = ''] = path.split('/')
    const file = { filename: 'x', data: Buffer.from('Close the valve.') }
    const other = await instructions.addVersion(wholeView(instance.businessId), id, file)
    const etag = `"${createHash('sha256').update('Close the valve.').digest('hex')}"`
    assert.equal(`"${json.sha256}"`, etag)
    for (const version of [json.version, other.version]) {
      const url = `${path}/${version}/content`
      const whole = await call(url)
      assert.deepEqual([whole.status, whole.headers.get('etag')], [200, etag])
      assert.equal(await whole.text(), 'Close the valve.')
      for (const asked of [etag, `"x", W/${etag}`, '*']) {
        const same = await call(url, { headers: { 'if-none-match': asked } })
        const got = [same.status, same.headers.get('etag'), await same.text()]
        assert.deepEqual(got, [304, etag, ''], asked)
      }
      const changed = await call(url, { headers: { 'if-none-match': '"x"' } })
      assert.deepEqual([changed.status, await changed.text()], [200, 'Close the valve.'])
    }
  })

  it('leave nothing for long if the process ends before their version is stored', async () => {
    const { platform, businessId } = instance
    const { json } = await upload(named('kept.txt'), 'kept')
    const before = await countContents()
    const [, , id = ''] = path.split('/')
    // As a process leaves them that is killed between the bytes and the version.
    await platform.database.run(
      `insert into content_file (solution_id, id, content_type, bytes, data, updated_at)
       select solution_id, $2 || '/lost', content_type, bytes, data, $3::bigint from content_file
       where solution_id = $1 limit 1`,
      [`business:${businessId}`, id, instance.clock.nowUs()],
    )
    instance.clock.advance(policyLimits.workInstructionUnusedMs - 60_000)
    await platform.policies.sweep()
    assert.notEqual(await countContents(), before, 'not yet')
    instance.clock.advance(60_000)
    await platform.policies.sweep()
    assert.equal(await countContents(), before)
    assert.equal(await (await call(`${path}/${json.version}/content`)).text(), 'kept')
  })
})

describe('files of work instructions that are refused', () => {
  onInstance()

  it('keep nothing: no name, another hash, too large, cut, of no instruction', async () => {
    const before = await countContents()
    const refused = async (query: string, status: number, body: Body = 'x') => {
      const answer = await upload(query, body)
      assert.equal(answer.status, status, JSON.stringify(answer.json))
    }
    await refused('', 400)
    await refused('filename=%20', 400)
    await refused(named('x'.repeat(300)), 400)
    await refused('filename=%00', 400)
    const wrong = await upload(named('x'), 'x', { 'content-type': 'nonsense' })
    assert.deepEqual([wrong.status, wrong.json.code], [415, 'wrong_content_type'])
    assert.match(wrong.json.message, /^Content-Type must be a media type, such as application/)
    await refused(`${named('x')}&sha256=${'0'.repeat(64)}`, 400)
    await refused(named('x'), 413, Buffer.alloc(limits.workInstructionFileBytesMax + 1))
    const other = path.replace(/[0-9a-f]{8}-/, '00000000-')
    const missing = await call(`${other}?filename=x`, { method: 'POST', body: 'x' })
    assert.equal(missing.status, 404)
    for (const version of ['0', '999', 'x', '-1', '1e0']) {
      const none = await call(`${path}/${version}/content`)
      assert.equal(none.status, 404, version)
      assert.doesNotMatch(await none.text(), /version 0/)
    }
    const isStoring = () => until(async () => (await countContents()) !== before)
    const cut = { method: 'POST', ...cutBody(isStoring) } as RequestInit
    await assert.rejects(call(`${path}?filename=x`, cut))
    await until(async () => (await countContents()) === before)
  })
})

/** Two megabytes, and an end of the connection once some of them are stored. */
function cutBody(isStoring: () => Promise<void>) {
  let left = 32
  const body = new ReadableStream({
    async pull(controller) {
      left -= 1
      if (left > 0) return controller.enqueue(new Uint8Array(65_536))
      await isStoring()
      controller.error(new Error('cut'))
    },
  })
  return { body, duplex: 'half' }
}
