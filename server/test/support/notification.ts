import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { ScriptValue } from '../../src/scripting/index.ts'
import { type InterfaceBench, interfaceBench, until } from './interface.ts'
import { assertStatus } from './solutions.ts'

/** What a script was answered: each field as the script saw it. */
// biome-ignore lint/suspicious/noExplicitAny: a test looks at what it expects
export type Answer = any

export const serviceSid = 'IS00000000000000000000000000000001'
export const apnToken = 'ab'.repeat(32)

/** One address that is good, of each channel. */
export const addresses = {
  apn: apnToken,
  fcm: 'fcm-token:1',
  gcm: 'gcm-token:1',
  sms: '+15551230001',
  'vendor-messenger': '1234567890',
} as const

export type NotificationBench = InterfaceBench & {
  /** An operation as a script calls it; ServiceSid is put in where it is not said. */
  call(operation: string, args?: Record<string, ScriptValue>, solution?: string): Promise<Answer>
  /** A binding of the channel that is there. */
  bind(channel: keyof typeof addresses, args?: Record<string, ScriptValue>): Promise<Answer>
  /** What became of a notification, once nothing of it waits. */
  settled(sid: string, solution?: string): Promise<Answer>
  /** What the sink has of a notification, in the order of bindings. */
  arrived(sid: string): Promise<Answer[]>
  /** That an answer is the error object of the spec. */
  refused(answer: Answer, status: number, error: RegExp): void
}

export async function notificationBench(
  t: Pick<TestContext, 'after'>,
  options?: Parameters<typeof interfaceBench>[1],
): Promise<NotificationBench> {
  const bench = await interfaceBench(t, options)
  let endpoints = 0

  async function call(operation: string, args: Record<string, ScriptValue> = {}, id = 'pump') {
    const source =
      'return {answer = murano.service_call("notification", event.operation, event.args)}'
    const given = { ServiceSid: serviceSid, ...args }
    return ((await bench.run(id, source, { operation, args: given })) as Answer)?.answer
  }

  async function settled(sid: string, id = 'pump'): Promise<Answer> {
    const shown = await until(
      () => bench.ask('GET', `/solution/${id}/notifications/${sid}`),
      ({ status, json }) =>
        status !== 200 || (json.expanded && json.states.queued + json.states.sending === 0),
    )
    assertStatus(shown, 200)
    return shown.json
  }

  return {
    ...bench,
    ...{ call, settled },
    bind(channel, args = {}) {
      endpoints += 1
      const usual = { Endpoint: `endpoint-${endpoints}`, Identity: 'ann', BindingType: channel }
      return call('createBinding', { ...usual, Address: addresses[channel], ...args })
    },
    async arrived(sid) {
      await settled(sid)
      const { json } = await bench.pump('GET', '/notifications/sink?limit=100')
      const mine = json.arrived.filter((one: Answer) => one.notification_sid === sid)
      return mine.reverse()
    },
    refused(answer, status, error) {
      const said = JSON.stringify(answer)
      assert.deepEqual(Object.keys(answer ?? {}).sort(), ['error', 'status', 'type'], said)
      assert.deepEqual([answer.status, answer.type], [status, 'QueryError'], said)
      assert.match(answer.error, error)
    },
  }
}
