import assert from 'node:assert/strict'
import { createWriteStream } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { describe, test } from 'node:test'
import { runsWith, startCommand } from '../../../fixtures/commands/command-line.ts'
import { serviceSid } from '../../../fixtures/notification.ts'
import { account } from '../../../fixtures/peers/notify-rest.ts'
import { openWeb, type Web, type WebAnswer } from '../../../fixtures/peers/web.ts'
import { startCli } from '../../../fixtures/processes/cli-process.ts'
import { withFixedLimits } from '../../../fixtures/processes/fixed-limits.ts'
import { startInstance } from '../../../fixtures/processes/instance-process.ts'
import { killableInstance } from '../../../fixtures/processes/killable-instance.ts'
import { sharedBySuites, suiteContext } from '../../../fixtures/suite.ts'
import {
  type BindingRow,
  type BindingsFixture,
  bindingsFixture,
  exportedBinding as exported,
  makeAccountSid,
  exportedBindings as many,
} from '../../../fixtures/wire/bindings.ts'

let fixture: BindingsFixture

const shareInstance = sharedBySuites(async (suite) => {
  fixture = await bindingsFixture(suite)
})

const text = (value: unknown) => JSON.stringify(value)
const pretty = (value: unknown) => JSON.stringify(value, null, 2)
const makePage = (bindings: readonly BindingRow[]) => ({
  meta: { key: 'bindings', page: 0 },
  bindings,
})

describe('notification: an import of bindings by a command, of files', () => {
  shareInstance()
  const suite = suiteContext()

  test('pages are read, and again without duplicates', async () => {
    const id = await fixture.solution()
    const file = await fixture.put(
      'pages.json',
      pretty(makePage(many(1, 2))) + text([makePage(many(3, 1))]),
    )
    const first = await fixture.run([file, '--solution', id])
    assert.equal(first.stdout, '3 bindings: 3 added, 0 changed, 0 unchanged, 0 failed\n')
    assert.equal(first.stderr, '')
    assert.equal(first.code, 0)
    const again = await fixture.run([file, '--solution', id])
    assert.equal(again.stdout, '3 bindings: 0 added, 0 changed, 3 unchanged, 0 failed\n')
    assert.equal((await fixture.listBindings(id)).length, 3)
  })

  test('a bad line is named with its number, the others land', async () => {
    const id = await fixture.solution()
    const lines = [
      ...[text(exported(1)), '', '{"sid": "BS1", "iden', text(exported(2, { address: 'x' }))],
      ...['downloading…', text(exported(3))],
    ]
    const { code, stdout } = await fixture.run([
      await fixture.put('bad.jsonl', lines.join('\n')),
      '--solution',
      id,
    ])
    assert.deepEqual(stdout.trimEnd().split('\n'), [
      'line 3: it is no JSON object',
      'line 5: it is no JSON object',
      'line 4: Address of sms must be an E.164 number: +15551234567',
      '5 bindings: 2 added, 0 changed, 0 unchanged, 3 failed',
    ])
    assert.equal(code, 1)
  })

  test('a dry run writes nothing, and --service stands for that of the rows', async () => {
    const id = await fixture.solution()
    const file = await fixture.put(
      'one.json',
      text([exported(1, { service_sid: `IS${'2'.repeat(32)}` })]),
    )
    const dry = await fixture.run([file, '--solution', id, '--service', serviceSid, '--dry-run'])
    assert.match(dry.stdout, /^1 bindings: 1 added.*; dry run, nothing was written$/m)
    assert.deepEqual(await fixture.listBindings(id), [])
    await fixture.run([file, '--solution', id, '--service', serviceSid])
    assert.equal((await fixture.listBindings(id)).length, 1)
  })

  test('a file far larger than its memory goes through', async () => {
    const id = await fixture.solution()
    const pad = 'x'.repeat(20_000)
    const rows = Array.from({ length: 4_000 }, (_, n) => text(exported(n, { links: { pad } })))
    const pieces = Readable.from(rows.map((row, n) => (n === 0 ? `[${row}` : `,${row}`)))
    await pipeline(pieces, createWriteStream(join(fixture.folder, 'large.json')))
    const words = ['large.json', '--solution', id, '--dry-run']
    const { folder: cwd, httpUrl, token } = fixture
    const NODE_OPTIONS = '--max-old-space-size=100'
    const env = { ...process.env, MILLRACE_URL: httpUrl, MILLRACE_TOKEN: token, NODE_OPTIONS }
    const command = startCli(suite, ['notifications', 'import', ...words], { cwd, env })
    assert.equal(await command.end(), 1)
    const counts = /^4001 bindings: 4000 added, 0 changed, 0 unchanged, 1 failed/m
    assert.match(command.printed(), counts)
  })

  test('wrong arguments and a missing file end with 2', async () => {
    const id = await fixture.solution()
    const missing = await fixture.run(['https://127.0.0.1:1', '--solution', id])
    assert.equal(missing.code, 2)
    assert.match(missing.stderr, /a URL needs --service, --account and --token-file/)
    const nowhere = await fixture.run(['nowhere.json', '--solution', id])
    assert.deepEqual([nowhere.code, /no such file/.test(nowhere.stderr)], [2, true])
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
    await fixture.put('token.txt', `${account.token}\n`)
    let asked = 0
    return openWeb(suite, ({ headers, url = '' }) => {
      const basic = Buffer.from(`${account.sid}:${account.token}`).toString('base64')
      if (headers.authorization !== `Basic ${basic}`) return { status: 401, body: '{}' }
      asked += 1
      return answer(url, asked)
    })
  }

  test('page by page, waiting if the API requests it', async () => {
    const id = await fixture.solution()
    const web: Web = await source((path, asked) => {
      if (asked === 2) return { status: 429, headers: { 'retry-after': '1' } }
      const second = path.includes('PageToken=PA2')
      const next = `${web.url}/v1/Services/${serviceSid}/Bindings?PageToken=PA2`
      const meta = { next_page_url: second ? null : next }
      return { status: 200, body: text({ meta, bindings: many(second ? 3 : 1, 2) }) }
    })
    const { stdout, stderr, code } = await fixture.run(words(web.url, id))
    assert.match(stderr, /^page 2 was answered with 429; asking again in 1 s$/m)
    assert.equal(stdout, '4 bindings: 4 added, 0 changed, 0 unchanged, 0 failed\n')
    assert.equal(code, 0)
    assert.match(web.requests[0]?.url ?? '', /^\/v1\/Services\/\w+\/Bindings\?PageSize=1000$/)
  })

  test('no other server is given the token, and the token is not printed', async () => {
    const id = await fixture.solution()
    const web = await source(() => {
      const meta = { next_page_url: 'http://127.0.0.2:1/v1/x' }
      return { status: 200, body: text({ meta, bindings: many(1, 1) }) }
    })
    const { stdout, stderr, code } = await fixture.run(words(web.url, id))
    assert.equal(code, 1)
    assert.match(stderr, /the next page is at http:\/\/127\.0\.0\.2:1, which is not/)
    assert.doesNotMatch(stdout + stderr, new RegExp(account.token))
    const refused = await source(() => ({ status: 403, body: '{"message": "Not yours."}' }))
    const { stderr: why } = await fixture.run(words(refused.url, id))
    assert.match(why, /answered with 403: Not yours\./)
  })

  test('pages that are none, that are too large or that never end', async () => {
    const id = await fixture.solution()
    const odd = await source(() => ({
      status: 200,
      body: text(makePage([exported(1), 7 as never])),
    }))
    const { stdout, code } = await fixture.run(words(odd.url, id))
    assert.equal(code, 1)
    assert.match(stdout, /^page 1, binding 2: it is no JSON object\n2 bindings: 1 added/)
    const meta = { next_page_url: `/v1/Services/${serviceSid}/Bindings?PageSize=1000` }
    const bodies = ['[]', text({ bindings: [], meta }), ' '.repeat(4 * 1024 * 1024 + 1)]
    const reasons = [/page 1 has no list/, /names one .* read before/, /more than 4194304 bytes/]
    for (const [n, body] of bodies.entries()) {
      const web = await source(() => ({ status: 200, body }))
      const ended = await fixture.run(words(web.url, id))
      assert.deepEqual([ended.code, web.requests.length], [1, 1])
      assert.match(ended.stderr, reasons[n] ?? /^$/)
    }
    const named = await fixture.run(words('http://ann:secret@127.0.0.1:1', id))
    assert.deepEqual([named.code, /--account and --token-file/.test(named.stderr)], [2, true])
    assert.doesNotMatch(named.stderr, /secret/)
  })

  test('an interrupt ends a wait with 130, and says how far it came', async () => {
    const id = await fixture.solution()
    const web = await source((_path, asked) => {
      const meta = { next_page_url: `/v1/Services/${serviceSid}/Bindings?PageToken=PA2` }
      if (asked === 1) return { status: 200, body: text({ meta, bindings: many(1, 500) }) }
      return { status: 429, headers: { 'retry-after': '3600' } }
    })
    const { folder: cwd, httpUrl, token } = fixture
    const env = { MILLRACE_URL: httpUrl, MILLRACE_TOKEN: token }
    const args = ['notifications', 'import', ...words(web.url, id)]
    const command = startCommand(suite, args, { cwd, env })
    await command.prints(/page 2 was answered with 429; asking again in 3600 s/)
    assert.equal(await command.end('SIGINT'), 130)
    assert.match(command.printed(), /^until then: 500 bindings: .* it can be repeated$/m)
  })

  test('from this platform as well: the bindings of another solution', async () => {
    const [from, to] = [await fixture.solution(), await fixture.solution()]
    await fixture.post(from, { bindings: many(1, 5) })
    const before = await fixture.listBindings(from)
    const own = words(fixture.httpUrl, to).map((word) =>
      word === account.sid ? makeAccountSid(from) : word,
    )
    await fixture.put('token.txt', account.token)
    assert.equal((await fixture.run(own)).code, 0)
    const plain = ({ account_sid: _, ...row }: BindingRow) => row
    assert.deepEqual((await fixture.listBindings(to)).map(plain), before.map(plain))
  })
})

describe('notification: an import of bindings by a command, in batches', () => {
  shareInstance()
  const suite = suiteContext()

  test('only the fields that are imported leave the machine', async () => {
    const answer = { added: 0, changed: 0, unchanged: 0, failed: [] }
    const web = await openWeb(suite, () => ({
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: text(answer),
    }))
    const deep: unknown = JSON.parse(`${'['.repeat(1_000)}${']'.repeat(1_000)}`)
    const rows = [exported(1), exported(2, { tags: ['a', deep], endpoint: deep, sid: { x: 1 } })]
    const file = await fixture.put('rows.json', text([...rows, ...many(3, 999)]))
    const words = [file, '--solution', 'x', '--service', serviceSid]
    assert.equal((await fixture.run(words, { MILLRACE_URL: web.url })).code, 0)
    const bodies = web.requests.map(({ body }) => JSON.parse(body.toString()))
    assert.deepEqual(
      bodies.map(({ bindings }) => bindings.length),
      [500, 500, 1],
    )
    const { bindings, ...asked } = bodies[0]
    assert.deepEqual(asked, { dry_run: false, service_sid: serviceSid })
    const { account_sid: _, url: _url, links: _links, ...imported } = exported(1)
    assert.deepEqual(bindings[0], imported)
    const flat = { tags: ['a', {}], endpoint: [{}], sid: {} }
    assert.deepEqual(bindings[1], Object.assign({}, imported, exportedFields(2), flat))
  })

  test('of an instance with lower limits are smaller', async () => {
    const { settings } = await killableInstance(suite)
    const instance = await startInstance({
      ...settings,
      ...withFixedLimits({ notificationImportBatchMax: 100 }),
      MILLRACE_LIMIT_MANAGEMENT_BODY_BYTES_MAX: '300KiB',
    })
    suite.after(() => instance.stop())
    const folder = settings.MILLRACE_DATA ?? ''
    await createSolution(instance.httpUrl, folder)
    const large = many(251, 20).map((row) => ({ ...row, tags: ['x'.repeat(40_000)] }))
    await writeFile(join(folder, 'rows.json'), text([...many(1, 250), ...large]))
    const run = runsWith({ cwd: folder, env: settings })
    const words = ['rows.json', '--solution', 'plant', '--json']
    const ended = await run('notifications', 'import', ...words)
    assert.equal(ended.code, 1, ended.stderr)
    const counts = { total: 270, added: 250, changed: 0, unchanged: 0, failed: 20 }
    assert.deepEqual(JSON.parse(ended.stdout), counts)
    assert.equal(ended.stderr.match(/^line 1: Tag /gm)?.length, 20)
  })

  test('are refused to an account without the permission, with 3', async () => {
    const id = await fixture.solution()
    const { platform, businessId } = fixture
    const { token } = await platform.accounts.createToken(businessId, { name: 'v', role: 'Viewer' })
    const file = await fixture.put('one.json', text(exported(1)))
    const words = [file, '--solution', id]
    const { code, stdout, stderr } = await fixture.run(words, { MILLRACE_TOKEN: token })
    assert.deepEqual([code, stdout, /"Setup"/.test(stderr)], [3, '', true], stderr)
    assert.match(stderr, /^until then: 1 bindings: 0 added.*; it can be repeated$/m)
  })
})

describe('notification: an import of bindings by a command, through failures', () => {
  shareInstance()
  const suite = suiteContext()

  /** A proxy in front of the instance; `answer` may answer a request in its place. */
  const behindProxy = (answer: (asked: number) => WebAnswer | undefined) => {
    let asked = 0
    return openWeb(suite, async ({ method = '', url, headers, body }) => {
      asked += 1
      const own = answer(asked)
      if (own !== undefined) return own
      const { authorization = '' } = headers
      const sent = { authorization, 'content-type': 'application/json' }
      const response = await fetch(`${fixture.httpUrl}${url}`, { method, headers: sent, body })
      const type = response.headers.get('content-type') ?? ''
      const { status } = response
      return { status, headers: { 'content-type': type }, body: await response.text() }
    })
  }
  const overloaded = (retryAfterS: string) => ({
    status: 503,
    headers: { 'content-type': 'application/json', 'retry-after': retryAfterS },
    body: text({ code: 'overloaded', message: 'Too many messages are waiting.', status: 503 }),
  })

  test('waits for an instance that has no time, or that restarts', async () => {
    const id = await fixture.solution()
    const file = await fixture.put('many.json', text(many(1, 1_200)))
    const web = await behindProxy((asked) => {
      if (asked === 2) return overloaded('1')
      if (asked === 4) throw new Error('the connection breaks')
      return undefined
    })
    const ended = await fixture.run([file, '--solution', id], { MILLRACE_URL: web.url })
    assert.equal(ended.stdout, '1200 bindings: 1200 added, 0 changed, 0 unchanged, 0 failed\n')
    assert.match(ended.stderr, /^Too many messages are waiting; trying again in 1 s$/m)
    assert.match(ended.stderr, /^the instance cannot be reached: .+; trying again in 1 s$/m)
    assert.deepEqual([ended.code, web.requests.length], [0, 5])
  })

  test('waits for a bounded time, which Ctrl-C ends', async () => {
    const file = await fixture.put('one.json', text(exported(1)))
    const web = await behindProxy(() => overloaded('86400'))
    const { folder: cwd, token } = fixture
    const env = { MILLRACE_URL: web.url, MILLRACE_TOKEN: token }
    const words = ['notifications', 'import', file, '--solution', 'x']
    const command = startCommand(suite, words, { cwd, env })
    await command.prints(/trying again in 60 s/)
    assert.equal(await command.end('SIGINT'), 130)
    assert.match(command.printed(), /^until then: 1 bindings: 0 added.*; it can be repeated$/m)
  })

  test('sends nothing again where the request is refused, or nothing ever answered', async () => {
    const id = await fixture.solution()
    const file = await fixture.put('many.json', text(many(1, 500)))
    const web = await behindProxy(() => undefined)
    const wrong = [file, '--solution', id, '--service', 'wrong']
    const refused = await fixture.run(wrong, { MILLRACE_URL: web.url })
    assert.match(refused.stderr, /^millrace: ServiceSid /m)
    assert.deepEqual([refused.code, web.requests.length], [1, 1])
    const nowhere = { MILLRACE_URL: 'http://127.0.0.1:1' }
    const ended = await fixture.run([file, '--solution', id], nowhere)
    assert.match(ended.stderr, /^millrace: the instance cannot be reached/m)
    assert.doesNotMatch(ended.stderr, /again in/)
  })
})

function exportedFields(n: number): BindingRow {
  const { identity, address } = exported(n)
  return { identity, address }
}

/** A business and its solution `plant`, as the operator of an instance. */
async function createSolution(httpUrl: string, folder: string): Promise<void> {
  const { token } = JSON.parse(await readFile(join(folder, 'operator.json'), 'utf8'))
  const headers = { authorization: `Operator ${token}`, 'content-type': 'application/json' }
  const business = { name: 'Example', email: 'a@example.org', password: 'a long phrase' }
  const posts = [
    ['businesses', business],
    ['solution', { id: 'plant', name: 'Plant' }],
  ] as const
  for (const [path, body] of posts) {
    const url = `${httpUrl}/api:1/${path}`
    const { status } = await fetch(url, { method: 'POST', headers, body: text(body) })
    assert.equal(status, 201)
  }
}
