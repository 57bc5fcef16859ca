import type { TestContext } from 'node:test'
import { createLogger } from '../../src/kernel/index.ts'
import { createHttp2, createOutbound } from '../../src/outbound/index.ts'
import type { Channel, Job, Outcome } from '../../src/services/notification/channels/index.ts'
import { atEnd } from './ends.ts'

/** The ways out, opened to loopback as an operator would. */
export function waysOut(t: Pick<TestContext, 'after'>) {
  const options = { allow: ['127.0.0.1:*'], logger: createLogger('silent') }
  const [outbound, http2] = [createOutbound(options), createHttp2(options)]
  atEnd(t, () => outbound.close())
  atEnd(t, () => http2.close())
  return { outbound, http2 }
}

/** A clock that stands where a test puts it. */
export function handClock() {
  const clock = {
    ms: Date.now(),
    nowMs: () => clock.ms,
    nowUs: () => clock.ms * 1_000,
    elapsedMs: () => clock.ms,
  }
  return clock
}

/** What the service would hand to a channel for one binding. */
export function pushJob(
  channel: Channel,
  settings: Job['settings'],
  over: Partial<Job> & Pick<Job, 'address'>,
): Job {
  const message = {
    ...{ body: 'Valve 7 is shut.', title: 'Alarm', sound: undefined, action: undefined },
    ...{ data: undefined, ttlS: 60, priority: 'high' as const, acceptedAtMs: Date.now() },
    overrides: { sms: { from: '+15005550006' } },
  } as const
  const target = { address: over.address, messagingServiceSid: undefined }
  return {
    solutionId: 's1',
    notificationSid: `NT${'1'.repeat(32)}`,
    bindingSid: `BS${'1'.repeat(32)}`,
    id: '0f8fad5b-d9cb-469f-a165-70867728950e',
    credentialSid: undefined,
    payload: channel.map(message, target, settings),
    ...{ tries: 0, expiresAtMs: undefined, settings },
    account: { sid: `AC${'1'.repeat(32)}`, authToken: 'a-secret-token' },
    receiptsUrl: undefined,
    signal: new AbortController().signal,
    ...over,
  }
}

const verdicts = new Set(['prune', 'doubt', 'retry', 'busy', 'slow', 'refuse', 'setup'])

export type VerdictRow = {
  readonly status: number
  readonly code: string
  readonly verdict: string
}

/** The rows `| status | code | verdict | … |` under a heading of a page. */
export function verdictRows(page: string, heading: string): VerdictRow[] {
  const [, section = ''] = page.split(new RegExp(`^## ${heading}$`, 'm'))
  const [own = ''] = section.split(/^## /m)
  return own.split('\n').flatMap((line) => {
    const [, status = '', code = '', verdict = ''] =
      /^\| (\d{3}) \| `(\w+)` \| (\w+) \|/.exec(line) ?? []
    return verdicts.has(verdict) ? [{ status: Number(status), code, verdict }] : []
  })
}

/** The word of those tables for what a channel made of an answer. */
export function verdictOf(outcome: Outcome): string {
  switch (outcome.kind) {
    case 'accepted':
      return 'accepted'
    case 'invalid_address':
      return outcome.doubtful === true ? 'doubt' : 'prune'
    case 'retry':
      return outcome.slow === true ? 'slow' : outcome.busy === true ? 'busy' : 'retry'
    case 'refused':
      return outcome.setup === true ? 'setup' : 'refuse'
  }
}
