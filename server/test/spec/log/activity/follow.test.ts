import assert from 'node:assert/strict'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { before, describe, it, type TestContext } from 'node:test'
import { startCommand } from '../../../fixtures/commands/command-line.ts'
import { atEnd } from '../../../fixtures/ends.ts'
import { testPlatform } from '../../../fixtures/platform.ts'
import { root } from '../../../fixtures/processes/page.ts'
import { suiteContext } from '../../../fixtures/suite.ts'
import { type LogLine, type LogReader, logReader } from '../../../fixtures/wire/connector-log.ts'
import { readEvents } from '../../../fixtures/wire/sse.ts'

describe('millrace connector logs --follow, between its page and its live view', () => {
  it('prints what comes to an empty log', async (t) => {
    const log = await followedLog(t, () => log.write('between', 0))
    const command = log.follow('--type', 'write')
    await command.prints(/Wrote speed=between\.\n/)
    await log.write('later', 0)
    await command.prints(/^.*Wrote speed=later\.\n/)
  })

  it('orders lines of one microsecond by their ids', async (t) => {
    const log = await followedLog(t, () => log.write('third', 1))
    await log.write('first', 1)
    await log.write('second', 1)
    const command = log.follow('--type', 'write', '--limit', '1')
    await command.prints(/^.*Wrote speed=second\.\n/)
    await command.prints(/^.*Wrote speed=third\.\n/)
    await log.write('last', 0)
    await command.prints(/^.*Wrote speed=last\.\n/)
  })
})

describe('where a live view of a log begins', () => {
  let log: LogReader
  const suite = suiteContext()
  before(async () => {
    log = await logReader(suite)
  })

  it('begins with `after` of the newest page, which older pages do not have', async (t) => {
    const { after = '', before: older } = await log.read('limit=1')
    assert.match(after, /^\d{16}\.b\.0$/)
    assert.equal((await log.read(`limit=1&before=${older}`)).after, undefined)
    await log.device.write('a=after')
    const reader = await readEvents(log.url, { ...log.as, 'Last-Event-ID': after })
    t.after(() => reader.close())
    await reader.until(({ data }) => (data as LogLine).message === 'Wrote a=after.')
  })

  it('refuses a Last-Event-ID that is none of a line, as it refuses such a `before`', async () => {
    for (const id of ['', 'x', '1.2', '1.n.2.3', '1.z.0', '99999999999999999.n.1', '1.n.-1']) {
      for (const accept of ['text/event-stream', 'application/json']) {
        const headers = { ...log.as, accept, 'last-event-id': id }
        const refused = await fetch(log.url, { headers })
        assert.equal(refused.status, 400, id)
        const { code, message } = (await refused.json()) as { code: string; message: string }
        assert.equal(code, 'invalid_argument')
        assert.equal(message, 'last-event-id must be the id of a line')
      }
      if (id === '') continue
      const page = await fetch(`${log.url}?before=${id}`, { headers: log.as })
      assert.match(await page.text(), /"before must be the id of a line"/)
    }
  })
})

/**
 * An instance whose connector has a log, and the command that follows it through a relay:
 * `behindPage` runs when the page was read, and before the command receives it.
 */
async function followedLog(t: TestContext, behindPage: () => Promise<unknown>) {
  const { platform, businessId, httpUrl, token } = await testPlatform(t)
  const wanted = { name: 'Pumps' }
  const { id: connectorId } = await platform.provisioning.connectors.create(businessId, wanted)
  const url = await startRelay(t, httpUrl, behindPage)
  const startUs = platform.clock.nowUs()
  return {
    /** `stamp`: so many microseconds after the start; 0: now. */
    write: (speed: string, stamp: number) => {
      const at = stamp === 0 ? platform.clock.nowUs() : startUs + stamp
      const body = { ip: '', protocol: 'http', payload: [{ timestamp: at, values: { speed } }] }
      const line = { businessId, connectorId, identity: 'p1' }
      return platform.eventlog.append({ ...line, kind: 'write', at, body })
    },
    follow: (...more: string[]) => {
      const words = ['connector', 'logs', '--connector', connectorId, '--follow', ...more]
      const env = { MILLRACE_URL: url, MILLRACE_TOKEN: token }
      return startCommand(t, words, { cwd: root, env })
    },
  }
}

async function startRelay(t: TestContext, target: string, behindPage: () => Promise<unknown>) {
  const server = createServer((asked, reply) => {
    const { method, headers, url } = asked
    const forwarded = request(`${target}${url}`, { method, headers }, async (answer) => {
      const isPage = /json/.test(answer.headers['content-type'] ?? '')
      if (isPage) await behindPage()
      reply.writeHead(answer.statusCode ?? 0, answer.headers)
      answer.pipe(reply)
    })
    reply.on('close', () => forwarded.destroy())
    asked.pipe(forwarded)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atEnd(t, () => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
