import { strict as assert } from 'node:assert'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { createAccounts } from '../../src/accounts/index.ts'
import { createAssets } from '../../src/assets/index.ts'
import { createEventLog } from '../../src/eventlog/index.ts'
import { createHosts } from '../../src/hosts/index.ts'
import {
  type Clock,
  createLogger,
  type ErrorCode,
  errorCatalogue,
  systemRandom,
} from '../../src/kernel/index.ts'
import { createManagement } from '../../src/management/index.ts'
import { createOutbound } from '../../src/outbound/index.ts'
import { createPipelines } from '../../src/pipelines/index.ts'
import { createProvisioning, valueEffects } from '../../src/provisioning/index.ts'
import { createScripting } from '../../src/scripting/index.ts'
import { createInterface } from '../../src/services/interface/index.ts'
import { createNotifications } from '../../src/services/notification/index.ts'
import { testDatabase } from './database.ts'
import { atEnd } from './ends.ts'
import { testSecrets } from './secrets.ts'

type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'
type Reply = Awaited<ReturnType<Management['inject']>>
type Management = ReturnType<typeof createManagement>

/** What a request says beside its method and path; a body that is no text or bytes becomes JSON. */
export type Said = {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** `Authorization`; the administrator's where it is left out, none where it is null. */
  readonly as?: string | null
}

export const ann = { email: 'ann@example.com', password: 'correct horse' }
export const basicOf = (who: { email: string; password: string }) =>
  `Basic ${Buffer.from(`${who.email}:${who.password}`).toString('base64')}`

/** The management API over real modules, with one business, its users and one connector. */
export async function managementFixture(
  t: Pick<TestContext, 'after'>,
  consoleDir?: string,
  part: Pick<Parameters<typeof createManagement>[0], 'csv'> = {},
) {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-console-'))
  atEnd(t, () => rm(folder, { recursive: true }))
  const database = await testDatabase(t)
  const time = { us: 1_700_000_000_000_000 }
  const clock = clockOf(time)
  const logger = createLogger('silent')
  const hosts = createHosts({ database, clock, logger, reserved: [] })
  const base = { database, hosts, clock, random: systemRandom, logger }
  const eventlog = createEventLog({ ...base, effects: valueEffects })
  const accounts = createAccounts(base)
  const outbound = createOutbound({ allow: [], logger })
  const provisioning = createProvisioning({ ...base, eventlog, outbound, secrets: testSecrets() })
  const scripting = createScripting({ ...base, eventlog, tagsOf: provisioning.tagsOf })
  const pipelines = createPipelines({ ...base, eventlog, assets: createAssets(base), outbound })
  const { subscribers, outside } = createInterface({ ...base, scripts: scripting.calls })
  const sends = { ledger: eventlog, secrets: testSecrets(), channels: [], baseUrl: '' }
  const notifications = createNotifications({ ...base, ...scripting.calls, ...sends })
  const management = createManagement({
    ...{ accounts, provisioning, eventlog, scripting, pipelines, clock, logger },
    ...{ subscribers, outside, notifications, unwritable: database.unwritable },
    ...{ domain: 'millrace.test', uploadDir: join(folder, 'uploads') },
    consoleDir: consoleDir ?? join(folder, 'none'),
    ...part,
  })
  const open = [outbound, eventlog, provisioning, scripting, management]
  for (const { close } of open) atEnd(t, close)
  const business = await accounts.createBusiness({ name: 'Acme' })
  await accounts.createUser(business.id, { ...ann, role: 'Administrator' })
  const { token } = await accounts.createToken(business.id, { name: 't', role: 'Administrator' })
  const connector = await provisioning.connectors.create(business.id, {
    id: 'pumps',
    name: 'Pumps',
    devmode: true,
    resources: { level: { format: 'number', settable: true }, seen: { format: 'string' } },
  })

  function ask(method: Method, url: string, { body, headers = {}, as }: Said = {}): Promise<Reply> {
    const raw = typeof body === 'string' || Buffer.isBuffer(body)
    const authorization = as === undefined ? `Automation ${token}` : as
    return management.inject({
      method,
      url,
      headers: {
        ...(authorization === null ? {} : { authorization }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { payload: raw ? body : JSON.stringify(body) }),
    })
  }

  return {
    uploadDir: join(folder, 'uploads'),
    accounts,
    database,
    provisioning,
    eventlog,
    management,
    business,
    connector,
    time,
    token,
    ask,
  }
}

/** The reply is this error, whole, in the one shape that errors have. */
export function assertRefused(reply: Reply, code: ErrorCode, message?: RegExp): void {
  const { status } = errorCatalogue[code]
  assert.equal(reply.statusCode, status, reply.body)
  const body = reply.json<{ code: string; message: string; status: number }>()
  assert.deepEqual({ ...body, message: '' }, { code, message: '', status })
  assert.match(body.message, message ?? /\S/)
  assert.match(reply.headers['content-type'] ?? '', /^application\/json/)
}

export function assertOk(reply: Reply, status = 200): void {
  assert.equal(reply.statusCode, status, reply.body)
}

function clockOf(time: { us: number }): Clock {
  const nowMs = () => Math.floor(time.us / 1000)
  return { nowMs, nowUs: () => (time.us += 1), elapsedMs: nowMs }
}
