import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { collectGarbage } from '../../../server/test/fixtures/operation/garbage.ts'
import { answerParent } from '../frame/child.ts'
import type { Address } from '../frame/engines.ts'
import type { Providers } from '../peers/push-providers.ts'
import type { Called } from '../scripts/script-work.ts'
import { type Instance, openInstance } from './instance.ts'
import { makeSolution, runHandler } from './solutions.ts'

/** Solutions that send: from the script's call until the last outcome is written down. */

export type OpenSending = {
  readonly address: Address
  readonly providers: Providers
  readonly bindings: number
}
export type Sends = {
  readonly channel: 'apn' | 'fcm'
  /** The interval at which it looks whether all are sent, which costs CPU as well. */
  readonly pollMs?: number
}
export type Queued = { readonly count: number; readonly seconds: number }
export type Memory = {
  /** Jobs that waited at the end of it, and those that were sent by then. */
  readonly queued: number
  readonly sent: number
  readonly heapMb: number
  readonly rssMb: number
}

const ServiceSid = 'IS00000000000000000000000000000001'
const solutionId = 'sender'
const pollMsUsual = 10
const lookMs = 2_000
const mib = 2 ** 20

let instance: Instance | undefined
let businessId = ''
let bound = 0

async function open({ address, providers, bindings }: OpenSending): Promise<void> {
  instance = await openInstance(address, ['127.0.0.1:*'])
  const { platform } = instance
  businessId = (await platform.accounts.createBusiness({ name: 'Bench' })).id
  await makeSolution(platform, businessId, solutionId, { bench_go: sending })
  const { keyId: KeyId, teamId: TeamId, topic: Topic, key: Key, url: BaseUrl } = providers.apns
  const { account, url } = providers.fcm
  const body = {
    Providers: {
      apn: { provider: 'apns', KeyId, TeamId, Topic, Key, BaseUrl },
      fcm: { provider: 'fcm', ServiceAccount: JSON.stringify(account), BaseUrl: url },
    },
  }
  const wanted = { service: 'notification', alias: undefined, body }
  await platform.scripting.configurations.add(businessId, solutionId, wanted)
  for (const channel of ['apn', 'fcm'] as const) await bind({ channel, count: bindings })
  platform.notifications.start()
}

const sending = `
  local sent = Notification.send{ServiceSid = event.service, Tag = event.tag, Title = "Alarm",
    Body = "Valve 7 is shut.", Ttl = 86400}
  if sent.error then error(sent.error) end
  return sent.sid`

/** As many rows as so many calls of createBinding leave. */
async function bind({ channel, count }: { channel: 'apn' | 'fcm'; count: number }): Promise<void> {
  assert(instance !== undefined)
  const { database } = instance.platform
  const pattern =
    channel === 'apn'
      ? `lpad(to_hex(n), 64, '0')`
      : `'registration-token-' || lpad(n::text, 8, '0')`
  await database.run(
    `insert into notification_binding (solution_id, sid, service_sid, business_id, endpoint,
       identity, channel, address, tags, protocol_version, created_at, updated_at)
     select $1, 'BS' || md5($3 || n), $2, $4, $3 || n, 'identity-' || n, $3, ${pattern}, '{}', '3',
       $5::bigint, $5::bigint
     from generate_series($6::bigint + 1, $6::bigint + $7::bigint) n`,
    [solutionId, ServiceSid, channel, businessId, Date.now() * 1_000, bound, count],
  )
  bound += count
  await database.run('analyze notification_binding')
}

async function send(tag: string): Promise<string> {
  assert(instance !== undefined)
  const given = { service: ServiceSid, tag }
  return String(await runHandler(instance.platform, businessId, solutionId, given))
}

async function showStates(sid: string) {
  assert(instance !== undefined)
  return instance.platform.notifications.show({ businessId, solutionId }, sid, { limit: 1 })
}

async function run({ channel, pollMs = pollMsUsual }: Sends): Promise<Called> {
  assert(instance !== undefined)
  const { database } = instance.platform
  const start = performance.now()
  const sid = await send(channel)
  for (;;) {
    // Cheap, for its time is measured, too.
    const waiting = await database.rows(
      `select 1 from notification_notification where sid = $1 and expand_after < expand_to
       union all (select 1 from notification_job where state = 'queued' limit 1)`,
      [sid],
    )
    if (waiting.length === 0) break
    await pause(pollMs)
  }
  const elapsedMs = performance.now() - start
  const { sent, ...others } = (await showStates(sid)).states
  assert.deepEqual(others, { queued: 0, sending: 0, failed: 0, pruned: 0 })
  const perSecond = (sent * 1_000) / elapsedMs
  return { calls: sent, perSecond, p50Ms: Number.NaN, p99Ms: Number.NaN }
}

/** The most memory while a notification to so many is queued, and sent meanwhile. */
async function queue({ count, seconds }: Queued): Promise<Memory> {
  await bind({ channel: 'apn', count })
  const [heap, rss]: [number[], number[]] = [[], []]
  const sid = await send('apn')
  const end = performance.now() + seconds * 1_000
  for (;;) {
    await pause(lookMs)
    // Garbage was not needed.
    collectGarbage()
    const { heapUsed, rss: all } = process.memoryUsage()
    heap.push(heapUsed / mib)
    rss.push(all / mib)
    const { expanded, states } = await showStates(sid)
    if (!expanded && performance.now() < end) continue
    const { queued, sent } = states
    return { queued, sent, heapMb: Math.max(...heap), rssMb: Math.max(...rss) }
  }
}

answerParent({ open, run, queue }, async () => {
  await instance?.platform.close()
  await instance?.removeFolder()
})
