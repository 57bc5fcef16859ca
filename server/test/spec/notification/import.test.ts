import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { describe, test } from 'node:test'
import { limits } from '../../../src/kernel/index.ts'
import { serve } from '../../../src/main.ts'
import type { Platform, Served } from '../../../src/platform.ts'
import { serviceSid } from '../../fixtures/notification.ts'
import { account, askRest } from '../../fixtures/peers/notify-rest.ts'
import { openWeb, type Web, type WebAnswer } from '../../fixtures/peers/web.ts'
import { killableInstance } from '../../fixtures/processes/killable.ts'
import { cli } from '../../fixtures/processes/page.ts'
import { sharedBySuites, suiteContext } from '../../fixtures/suite.ts'

type Row = Record<string, unknown>
type Ended = { readonly code: number; readonly stdout: string; readonly stderr: string }

/** A binding as the ending service's list has it. */
function exported(n: number, over: Row = {}): Row {
  return {
    sid: `BS${String(n).padStart(32, '0')}`,
    account_sid: account.sid,
    service_sid: serviceSid,
    credential_sid: null,
    notification_protocol_version: null,
    date_created: '2019-03-02T10:00:00Z',
    date_updated: '2020-04-03T11:00:00Z',
    endpoint: null,
    identity: `user-${n}`,
    binding_type: 'sms',
    tags: ['alerts'],
    address: `+1555${String(n).padStart(7, '0')}`,
    url: `https://notify.example.com/v1/Services/${serviceSid}/Bindings/BS${n}`,
    links: { user: 'https://notify.example.com/' },
    ...over,
  }
}

const pageOf = (bindings: readonly Row[]) => ({ meta: { key: 'bindings', page: 0 }, bindings })
const many = (from: number, count: number) =>
  Array.from({ length: count }, (_, n) => exported(from + n))

let platform: Platform

let served: Served

let environment: NodeJS.ProcessEnv

let folder: string

let businessId: string

let token: string

let solutions = 0

const shareInstance = sharedBySuites(async (suite) => {
  const instance = await killableInstance(suite)
  const { settings } = instance
  environment = { ...process.env, ...settings, MILLRACE_OUTBOUND_ALLOW: '127.0.0.1:*' }
  folder = settings.MILLRACE_DATA ?? ''
  // Held open, so that the commands find the engine running as they do beside `npm start`.
  platform = await instance.open()
  const free = { host: '127.0.0.1', port: 0 }
  const own = { http: free, deviceTls: free, mqtt: undefined, mqttTls: undefined }
  served = await serve({ ...platform, config: { ...platform.config, ...own } })
  suite.after(() => served.close())
  businessId = (await platform.accounts.createBusiness({ name: 'Example' })).id
  const asked = { name: 'test', role: 'Administrator' } as const
  token = (await platform.accounts.createToken(businessId, asked)).token
})

/** A solution that has no bindings yet. */
async function solution(): Promise<string> {
  solutions += 1
  const { id } = await platform.scripting.solutions.create(businessId, {
    id: `house${solutions}`,
    name: 'House',
  })
  return id
}

async function bindingsOf(id: string): Promise<Row[]> {
  const AccountSid = `AC${id.padStart(32, '0')}`
  const has = await platform.scripting.configurations.list(businessId, id)
  if (has.length === 0) {
    const body = { AccountSid, AuthToken: account.token }
    const added = { service: 'notification', body }
    await platform.scripting.configurations.add(businessId, id, added)
  }
  const auth = { sid: AccountSid, token: account.token }
  const path = `/v1/Services/${serviceSid}/Bindings?PageSize=1000`
  const { json, status } = await askRest(served.httpUrl, path, { auth })
  assert.equal(status, 200, JSON.stringify(json))
  return json.bindings
}

function run(args: readonly string[], node: readonly string[] = []): Promise<Ended> {
  const words = [...node, cli, 'notifications', 'import', ...args, '--business', 'Example']
  const options = { cwd: folder, env: environment }
  return new Promise((resolve) => {
    const child = execFile(process.execPath, words, options, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    )
  })
}

async function put(name: string, text: string): Promise<string> {
  await writeFile(join(folder, name), text)
  return name
}

async function api(id: string, body: unknown) {
  const url = `${served.httpUrl}/api:1/solution/${id}/notifications/bindings`
  const headers = { Authorization: `Automation ${token}`, 'Content-Type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: response.status, json: (await response.json()) as Row }
}

describe('notification: an import of bindings: what is stored, and what is not taken', () => {
  shareInstance()

  test('sid, tags, identity, address, type, endpoint and dates stay', async () => {
    const id = await solution()
    const rows = [
      exported(1, { tags: ['a', 'b'], endpoint: 'ann-phone' }),
      exported(2, { binding_type: 'facebook-messenger', address: '1234567890' }),
      exported(3, {
        binding_type: 'apn',
        address: 'ab'.repeat(32),
        credential_sid: 'CR'.padEnd(34, '1'),
        notification_protocol_version: '3',
      }),
      exported(4, { date_created: 'Sat, 02 Mar 2019 10:00:00 +0000', sid: undefined }),
      exported(5, { date_created: '2999-01-01T00:00:00Z', date_updated: null }),
    ]
    const taken = await api(id, { bindings: rows })
    assert.deepEqual(taken, {
      status: 200,
      json: { added: 5, changed: 0, unchanged: 0, failed: [] },
    })
    const found = await bindingsOf(id)
    const names = ['sid', 'identity', 'address', 'binding_type', 'tags', 'credential_sid']
    const dates = ['date_created', 'date_updated', 'notification_protocol_version']
    const valuesOf = (row: Row | undefined, fields: string[]) => fields.map((name) => row?.[name])
    for (const n of [0, 1, 2]) {
      assert.deepEqual(
        valuesOf(found[n], [...names, ...dates]),
        valuesOf(rows[n], [...names, ...dates]),
      )
    }
    assert.equal(found[0]?.endpoint, 'ann-phone')
    assert.match(String(found[1]?.endpoint), /^vendor-messenger:[0-9a-f]{32}$/)
    assert.match(String(found[3]?.sid), /^BS[0-9a-f]{32}$/)
    assert.equal(found[3]?.date_created, '2019-03-02T10:00:00Z')
    assert.ok(Date.parse(String(found[4]?.date_created)) <= Date.now() + 600_000)
  })

  test('again is no duplicate, changes follow, and what is newer here stays', async () => {
    const id = await solution()
    const counts = async (bindings: Row[]) => {
      const { added, changed, unchanged, failed } = (await api(id, { bindings })).json
      assert.deepEqual(failed, [])
      return [added, changed, unchanged]
    }
    const rows = many(10, 3)
    assert.deepEqual(await counts(rows), [3, 0, 0])
    assert.deepEqual(await counts(rows), [0, 0, 3])
    const moved = exported(10, { tags: ['moved'], date_updated: '2021-01-01T00:00:00Z' })
    assert.deepEqual(await counts([moved]), [0, 1, 0])
    const older = exported(10, { tags: ['older'], date_updated: '2020-12-31T00:00:00Z' })
    assert.deepEqual(await counts([older]), [0, 0, 1])
    const twice = [exported(20, { tags: ['first'] }), exported(20, { tags: ['last'] })]
    assert.deepEqual(await counts(twice), [1, 0, 1])
    const found = await bindingsOf(id)
    assert.deepEqual(
      found.map(({ tags }) => tags),
      [['moved'], ['alerts'], ['alerts'], ['last']],
    )
  })

  test('a sid that another binding has is not taken from it', async () => {
    const id = await solution()
    await api(id, { bindings: [exported(1)] })
    const other = exported(2, { sid: exported(1).sid })
    assert.equal((await api(id, { bindings: [other] })).json.added, 1)
    const [first, second] = await bindingsOf(id)
    assert.equal(first?.sid, other.sid)
    assert.notEqual(second?.sid, other.sid)
  })

  test('bad rows are named with their reasons, good ones land', async () => {
    const id = await solution()
    const bad: [Row | string, RegExp][] = [
      [exported(1, { address: '555' }), /^Address of sms must be/],
      [exported(1, { binding_type: 'alexa' }), /^BindingType must be/],
      [exported(1, { identity: '' }), /^Identity is missing/],
      [exported(1, { service_sid: null }), /^ServiceSid is missing/],
      [exported(1, { tags: Array.from({ length: 21 }, (_, n) => `t${n}`) }), /^Tag has at most/],
      [exported(1, { tags: ['sms'] }), /^Tag may not be sms/],
      [exported(1, { date_created: 'yesterday' }), /^date_created is no date/],
      [
        exported(1, { binding_type: 'apn', address: 'ab', notification_protocol_version: '2' }),
        /3/,
      ],
      ['no object', /^the row is no JSON object/],
    ]
    const bindings = [...bad.map(([row]) => row), exported(2)]
    const { json } = await api(id, { bindings })
    const failed = json.failed as { row: number; reason: string }[]
    assert.deepEqual(
      failed.map(({ row }) => row),
      bad.map((_, n) => n),
    )
    for (const [n, [, reason]] of bad.entries()) assert.match(failed[n]?.reason ?? '', reason)
    assert.equal((await bindingsOf(id)).length, 1)
  })
})

describe('notification: an import of bindings by the management API', () => {
  shareInstance()

  test('with another service, dry, and within its limits', async () => {
    const id = await solution()
    const [row] = many(1, 1)
    const other = `IS${'3'.repeat(32)}`
    const dry = await api(id, { bindings: [row], dry_run: true })
    assert.deepEqual(dry.json, { added: 1, changed: 0, unchanged: 0, failed: [] })
    assert.deepEqual(await bindingsOf(id), [])
    assert.equal((await api(id, { bindings: [row], service_sid: other })).json.added, 1)
    assert.deepEqual(await bindingsOf(id), [])
    const wrong: [unknown, RegExp][] = [
      [{ bindings: 'x' }, /^bindings must be a list/],
      [{ bindings: many(1, limits.notificationImportBatchMax + 1) }, /at most 500/],
      [{ bindings: [], dry_run: 'yes' }, /^dry_run must be/],
      [{ bindings: [], service_sid: 'x' }, /^ServiceSid must be 34/],
      [{ rows: [] }, /^"rows" is not a field/],
    ]
    for (const [body, message] of wrong) {
      const { status, json } = await api(id, body)
      assert.equal(status, 400)
      assert.match(String(json.message), message)
    }
    const otherBusiness = await platform.accounts.createBusiness({ name: 'Other' })
    const asked = { name: 't', role: 'Administrator' } as const
    const own = token
    token = (await platform.accounts.createToken(otherBusiness.id, asked)).token
    assert.equal((await api(id, { bindings: [row] })).status, 404)
    token = own
  })
})

describe('notification: an import of bindings by a command, of files', () => {
  shareInstance()

  test('pages are read, and again without duplicates', async () => {
    const id = await solution()
    const file = await put('pages.json', pretty(pageOf(many(1, 2))) + text([pageOf(many(3, 1))]))
    const first = await run([file, '--solution', id])
    assert.equal(first.stdout, '3 bindings: 3 added, 0 changed, 0 unchanged, 0 failed\n')
    assert.match(first.stderr, /3 of 3 rows/)
    assert.equal(first.code, 0)
    const again = await run([file, '--solution', id])
    assert.equal(again.stdout, '3 bindings: 0 added, 0 changed, 3 unchanged, 0 failed\n')
    assert.equal((await bindingsOf(id)).length, 3)
  })

  test('a bad line is named with its number, the others land', async () => {
    const id = await solution()
    const lines = [
      ...[text(exported(1)), '', '{"sid": "BS1", "iden', text(exported(2, { address: 'x' }))],
      ...['downloading…', text(exported(3))],
    ]
    const { code, stdout } = await run([await put('bad.jsonl', lines.join('\n')), '--solution', id])
    assert.deepEqual(stdout.trimEnd().split('\n'), [
      'line 3: it is no JSON object',
      'line 5: it is no JSON object',
      'line 4: Address of sms must be an E.164 number: +15551234567',
      '5 bindings: 2 added, 0 changed, 0 unchanged, 3 failed',
    ])
    assert.equal(code, 1)
  })

  test('a dry run writes nothing, and --service stands for that of the rows', async () => {
    const id = await solution()
    const file = await put('one.json', text([exported(1, { service_sid: `IS${'2'.repeat(32)}` })]))
    const dry = await run([file, '--solution', id, '--service', serviceSid, '--dry-run'])
    assert.match(dry.stdout, /^1 bindings: 1 added.*; dry run, nothing was written$/m)
    assert.deepEqual(await bindingsOf(id), [])
    await run([file, '--solution', id, '--service', serviceSid])
    assert.equal((await bindingsOf(id)).length, 1)
  })

  test('a file far larger than its memory goes through', async () => {
    const id = await solution()
    const pad = 'x'.repeat(20_000)
    const rows = Array.from({ length: 4_000 }, (_, n) => text(exported(n, { links: { pad } })))
    const pieces = Readable.from(rows.map((row, n) => (n === 0 ? `[${row}` : `,${row}`)))
    await pipeline(pieces, createWriteStream(join(folder, 'large.json')))
    const words = ['large.json', '--solution', id, '--dry-run']
    const { code, stdout } = await run(words, ['--max-old-space-size=100'])
    assert.match(stdout, /^4001 bindings: 4000 added, 0 changed, 0 unchanged, 1 failed/m)
    assert.equal(code, 1)
  })

  test('wrong arguments end with 2, a missing file with 1', async () => {
    const id = await solution()
    const missing = await run(['https://127.0.0.1:1', '--solution', id])
    assert.equal(missing.code, 2)
    assert.match(missing.stderr, /a URL needs --service, --account and --token-file/)
    assert.equal((await run(['nowhere.json', '--solution', id])).code, 1)
  })
})

describe('notification: an import of bindings by a command that calls the API itself', () => {
  shareInstance()
  const suite = suiteContext()

  const words = (url: string, id: string) => [
    ...[url, '--solution', id, '--service', serviceSid, '--account', account.sid],
    ...['--token-file', 'token.txt'],
  ]
  async function source(answer: (path: string, asked: number) => WebAnswer): Promise<Web> {
    await put('token.txt', `${account.token}\n`)
    let asked = 0
    return openWeb(suite, ({ headers, url = '' }) => {
      const basic = Buffer.from(`${account.sid}:${account.token}`).toString('base64')
      if (headers.authorization !== `Basic ${basic}`) return { status: 401, body: '{}' }
      asked += 1
      return answer(url, asked)
    })
  }

  test('page by page, waiting if the API requests it', async () => {
    const id = await solution()
    const web: Web = await source((path, asked) => {
      if (asked === 2) return { status: 429, headers: { 'retry-after': '1' } }
      const second = path.includes('PageToken=PA2')
      const next = `${web.url}/v1/Services/${serviceSid}/Bindings?PageToken=PA2`
      const meta = { next_page_url: second ? null : next }
      return { status: 200, body: text({ meta, bindings: many(second ? 3 : 1, 2) }) }
    })
    const { stdout, code } = await run(words(web.url, id))
    assert.equal(stdout, '4 bindings: 4 added, 0 changed, 0 unchanged, 0 failed\n')
    assert.equal(code, 0)
    assert.match(web.requests[0]?.url ?? '', /^\/v1\/Services\/\w+\/Bindings\?PageSize=1000$/)
  })

  test('no other server is given the token, and the token is not printed', async () => {
    const id = await solution()
    const web = await source(() => {
      const meta = { next_page_url: 'http://127.0.0.2:1/v1/x' }
      return { status: 200, body: text({ meta, bindings: many(1, 1) }) }
    })
    const { stdout, stderr, code } = await run(words(web.url, id))
    assert.equal(code, 1)
    assert.match(stderr, /the next page is at http:\/\/127\.0\.0\.2:1, which is not/)
    assert.doesNotMatch(stdout + stderr, new RegExp(account.token))
    const refused = await source(() => ({ status: 403, body: '{"message": "Not yours."}' }))
    assert.match((await run(words(refused.url, id))).stderr, /answered with 403: Not yours\./)
  })

  test('from this platform as well: the bindings of another solution', async () => {
    const [from, to] = [await solution(), await solution()]
    await api(from, { bindings: many(1, 5) })
    const before = await bindingsOf(from)
    const own = words(served.httpUrl, to).map((word) =>
      word === account.sid ? `AC${from.padStart(32, '0')}` : word,
    )
    await put('token.txt', account.token)
    assert.equal((await run(own)).code, 0)
    const plain = ({ account_sid: _, ...row }: Row) => row
    assert.deepEqual((await bindingsOf(to)).map(plain), before.map(plain))
  })
})

function text(value: unknown): string {
  return JSON.stringify(value)
}

function pretty(value: unknown): string {
  return JSON.stringify(value, null, 2)
}
