import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import type { Logger } from '../../../../src/foundation/kernel/index.ts'
import { until } from '../../../fixtures/engine.ts'
import { type Observed, observed } from '../../../fixtures/operation/observed-instance.ts'
import { type TestPlatform, testPlatform } from '../../../fixtures/platform.ts'
import { suiteContext } from '../../../fixtures/suite.ts'
import { newDevice } from '../../../fixtures/wire/device.ts'

const run = promisify(execFile)
const page = join(import.meta.dirname, '../../../../../docs/operating/monitoring.md')

type Line = Readonly<Record<string, unknown>> & { readonly msg: string }

/** Writes lines into a file, as the process writes them to its standard error. */
function fileLogger(file: string): Logger {
  const write = (...[fields, msg]: unknown[]) => {
    const line = typeof fields === 'string' ? { msg: fields } : { ...(fields as object), msg }
    appendFileSync(file, `${JSON.stringify(line)}\n`)
  }
  return { debug: write, info: write, warn: write, error: write }
}

describe('the log of a message whose script and module fail', () => {
  const suite = suiteContext()
  let folder: string
  let fixture: Observed
  let lines: Line[]
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'millrace-lines-'))
    suite.after(() => rm(folder, { recursive: true, force: true }))
    fixture = await observed(suite, {
      own: 'has a log of its own',
      config: { logLevel: 'debug' },
      logger: fileLogger(join(folder, 'millrace.log')),
      script: 'error("no")',
      answer: (response) => void response.writeHead(500).end('{}'),
    })
    assert.equal((await fixture.device.write('temperature=25')).status, 204)
    await fixture.settle()
    const [write] = await of('"a message of a device was appended"')
    await until(async () => {
      lines = await grep(String(write?.trackingId))
      return ended.every((msg) => lines.some((line) => line.msg === msg))
    })
  })

  const linesIn = (text: string) =>
    text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Line]))
  const of = async (word: string) =>
    linesIn(await readFile(join(folder, 'millrace.log'), 'utf8')).filter((line) =>
      JSON.stringify(line).includes(word),
    )
  /** The command of the page, with an id. */
  const grep = async (id: string): Promise<Line[]> => {
    const [command = ''] = /^grep .*$/m.exec(await readFile(page, 'utf8')) ?? []
    const own = command.replace('entry-3-17', id)
    assert.notEqual(own, command)
    return linesIn((await run('sh', ['-c', own], { cwd: folder })).stdout)
  }
  const ended = [
    'a call of a script has ended',
    'a call of a module has ended',
    'a notification was accepted',
    'a notification was attempted',
  ]
  const find = (msg: string) => lines.filter((line) => line.msg === msg)

  it('has each stage under the id of the entry', () => {
    assert.equal(find('a message of a device was appended').length, 1)
    const consumers = find('a consumer has passed entries').map(({ consumer }) => consumer)
    for (const one of ['values', 'functions']) assert.ok(consumers.includes(one), `${consumers}`)
  })

  it('says how the script and the module ended', () => {
    const [script] = find('a call of a script has ended')
    assert.equal(script?.outcome, 'failed')
    assert.deepEqual([script?.solutionId, script?.handler], ['pump', 'handle_device2_event'])
    const [call] = find('a call of a module has ended')
    assert.deepEqual([call?.outcome, call?.status], ['failed', 500])
  })

  it('relates the call of the module to its X-Request-Id', () => {
    const sent = fixture.module.requests.filter(({ call }) => call === 'POST /process')
    const ids = new Set(sent.map(({ headers }) => headers['x-request-id']))
    for (const { call } of find('a call of a module has ended')) assert.ok(ids.has(String(call)))
  })

  it('relates a notification to its attempts', () => {
    const [accepted] = find('a notification was accepted')
    const attempt = find('a notification was attempted').find(
      ({ notification }) => notification === accepted?.notification,
    )
    assert.deepEqual([attempt?.provider, attempt?.outcome], ['sink', 'accepted'])
  })

  it('relates the write to its request', async () => {
    const [write] = find('a message of a device was appended')
    const requests = await of(String(write?.request))
    assert.deepEqual(requests.map(({ msg }) => msg).sort(), [
      'a message of a device was appended',
      'a request was answered',
    ])
  })

  it('has no value that a device wrote, and no text of a script', async () => {
    for (const line of await of('trackingId')) {
      assert.equal(/"no"|"25"/.test(JSON.stringify(line)), false)
    }
  })
})

describe('the id of a request', () => {
  const suite = suiteContext()
  const proxies = {
    trusted: ['127.0.0.1'],
    protocolOn: [],
    headers: 'x-forwarded' as const,
    certificateHeader: undefined,
  }
  let behind: TestPlatform
  let alone: TestPlatform
  before(async () => {
    behind = await testPlatform(suite, { own: 'trusts proxies', config: { proxies } })
    alone = await testPlatform(suite)
  })
  const ask = async ({ httpUrl, basic }: TestPlatform, path: string, id?: string) => {
    const headers = { Authorization: basic, ...(id === undefined ? {} : { 'X-Request-Id': id }) }
    const answer = await fetch(`${httpUrl}${path}`, { headers })
    await answer.arrayBuffer()
    return answer.headers.get('x-request-id')
  }
  const graphql = `/api/graphql?query=${encodeURIComponent('{ __typename }')}`

  it('is that of a trusted proxy', async () => {
    for (const path of ['/api:1/ledger', graphql, '/api:1/none']) {
      assert.equal(await ask(behind, path, 'of-the.proxy:1'), 'of-the.proxy:1', path)
    }
  })

  it('is a new one for everybody else, and in place of one that could be anything', async () => {
    const first = await ask(alone, '/api:1/ledger', 'of-the-client')
    const second = await ask(alone, graphql, 'of-the-client')
    assert.match(first ?? '', /^[a-z0-9]{10,}$/)
    assert.match(second ?? '', /^[a-z0-9]{10,}$/)
    assert.notEqual(first, second)
    for (const id of ['a b', 'x'.repeat(129), '"quoted"', '{}']) {
      assert.match((await ask(behind, '/api:1/ledger', id)) ?? '', /^[a-z0-9]{10,}$/)
    }
  })

  it('is in no answer to a device', async () => {
    const device = await newDevice(behind.httpUrl, behind.connector.id, 'd')
    const answer = await fetch(`${behind.httpUrl}/vendor:v1/stack/alias`, {
      method: 'POST',
      headers: { 'X-vendor-CIK': device.token, 'X-Request-Id': 'of-the-proxy' },
      body: 'a=1',
    })
    assert.equal(answer.status, 204)
    assert.equal(answer.headers.get('x-request-id'), null)
  })
})
