import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from 'pg'
import { testEngine } from '../../../../fixtures/database.ts'
import { askEndpoint } from '../../../../fixtures/endpoints.ts'
import type { InstanceProcess } from '../../../../fixtures/processes/instance-process.ts'
import {
  type SharedDevice,
  type SharedInstance,
  sharedInstance,
} from '../../../../fixtures/processes/two-processes.ts'
import { suiteContext } from '../../../../fixtures/suite.ts'
import { mqttDevice } from '../../../../fixtures/wire/mqtt.ts'
import { openSocket } from '../../../../fixtures/wire/sockets.ts'
import { readEvents } from '../../../../fixtures/wire/sse.ts'

const skip = testEngine === 'embedded' && 'the embedded engine has one process'
const withinMs = 300
/** The factor by which the time of an act enlarges the bound. */
const actsMore = 3
const rounds = 5
const pollMs = 5
const waitMsMax = 10_000

const web = `--#ENDPOINT WEBSOCKET /rooms/{room}
if websocketInfo.type == "open" then return websocketInfo.socket_id end
--#ENDPOINT POST /call/{operation}
return {answer = Websocket[request.parameters.operation](request.body)}
--#ENDPOINT POST /timer
return Timer.sendAfter{message = request.body.message, duration = 1}
`
const events = `--#EVENT device2 event
if event.type ~= "data_in" then return end
Keystore.set{key = "seen", value = event.payload[1].values.n}
`
const timers = `--#EVENT timer timer
Keystore.set{key = "fired", value = event.message}
`

/** The effect of an act in the other process, which is waited for from its answer on. */
type Round = { act(): Promise<unknown>; readonly effect: Promise<unknown> }

/**
 * Asserts the median of the times from the answer of an act to its effect, which was awaited
 * before. The bound grows with the time that the acts take: a busy machine delays both, and a
 * process that polls is slower than this on any machine.
 */
async function assertSoon(begin: (round: number) => Promise<Round>): Promise<void> {
  const times: number[] = []
  const acts: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const { act, effect } = await begin(round)
    // At another moment of whatever is polled.
    await pause(37 * round)
    const began = performance.now()
    await act()
    const since = performance.now()
    await effect
    acts.push(Math.round(since - began))
    times.push(Math.round(performance.now() - since))
  }
  const bound = withinMs + actsMore * median(acts)
  assert.ok(median(times) <= bound, `${times.join(', ')} ms, bound ${bound} ms`)
}

const median = (list: readonly number[]) =>
  [...list].sort((a, b) => a - b)[list.length >> 1] ?? assert.fail()

async function until(holds: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + waitMsMax
  while (!(await holds())) {
    if (performance.now() > end) throw new Error('it never came to this')
    await pause(pollMs)
  }
}

async function call({ httpUrl }: InstanceProcess, path: string, body: object) {
  const sent = {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    host: 'pump.localhost',
  }
  const answer = await askEndpoint(httpUrl, `/${path}`, sent)
  assert.equal(answer.status, 200, answer.text)
}

async function stored(client: Client, key: string): Promise<string | undefined> {
  const { rows } = await client.query(
    `select body from keystore_entry where solution_id = 'pump' and key = $1`,
    [key],
  )
  return rows[0]?.body
}

describe('what one process commits reaches the others within 300 ms:', { skip }, () => {
  const suite = suiteContext()
  let shared: SharedInstance
  /** Takes devices and requests, and reads no log. */
  let one: InstanceProcess
  let two: InstanceProcess
  let device: SharedDevice
  let client: Client
  before(async () => {
    shared = await sharedInstance(suite, {
      'web.lua': web,
      'events.lua': events,
      'timers.lua': timers,
    })
    client = await shared.connect()
    one = await shared.start('device,api')
    two = await shared.start()
    device = await shared.device(one, 'device')
  })
  const set = (a: string, identity = 'device') =>
    shared.ask(two, 'PATCH', `${shared.base}/identity/${identity}/state`, { a })

  it('values that are set, to long polls', async () => {
    await assertSoon(async (round) => {
      const headers = { 'Request-Timeout': '300000' }
      const effect = device.at(one).read('a', headers)
      await pause(50)
      return { act: () => set(`poll ${round}`), effect }
    })
  })

  it('values that are set, to MQTT sessions', async (t) => {
    const { receive } = await mqttDevice(t, await shared.mqttUrl(one), { password: device.token })
    await assertSoon(async (round) => ({
      act: () => set(`push ${round}`),
      effect: receive(({ text }) => text === `push ${round}`),
    }))
  })

  it('lines, to live logs', async (t) => {
    const reader = await readEvents(`${one.httpUrl}${shared.base}/logs`, shared.headers)
    t.after(() => reader.close())
    await assertSoon(async (round) => ({
      act: () => device.at(two).write(`n=${round}`),
      effect: reader.until(({ data }) => JSON.stringify(data).includes(`Wrote n=${round}.`)),
    }))
  })

  it('messages, to websockets', async () => {
    const socket = await openSocket({ millrace: { httpUrl: one.httpUrl, tlsUrl: '' } }, '/rooms/x')
    const socket_id = String(await socket.next())
    await assertSoon(async () => ({
      act: () => call(two, 'call/send', { socket_id, message: 'm' }),
      effect: socket.next(),
    }))
    const effect = socket.closed
    await assertSoon(async () => ({ act: () => call(two, 'call/closeAll', {}), effect }))
  })

  it('entries, to the consumers of the log', async () => {
    await assertSoon(async (round) => {
      const acted = Promise.withResolvers<void>()
      return {
        async act() {
          assert.equal((await device.at(one).write(`n=${7 + round}`)).status, 204)
          acted.resolve()
        },
        effect: acted.promise.then(() =>
          until(async () => (await stored(client, 'seen'))?.includes(`${7 + round}`) === true),
        ),
      }
    })
  })

  it('timers, to the process that fires them', async () => {
    await assertSoon(async (round) => ({
      act: () => call(one, 'timer', { message: `timer ${round}` }),
      effect: until(
        async () => (await stored(client, 'fired'))?.includes(`timer ${round}`) === true,
      ),
    }))
  })

  it('locks of devices, to their connections', async (t) => {
    await assertSoon(async (round) => {
      const identity = `locked-${round}`
      const { token } = await shared.device(one, identity)
      const session = await mqttDevice(t, await shared.mqttUrl(one), { password: token })
      const path = `${shared.base}/identity/${identity}`
      return {
        act: () => shared.ask(two, 'PATCH', path, { locked: true }),
        effect: session.closed,
      }
    })
  })

  it('revocations of API tokens, to requests', async () => {
    await assertSoon(async (round) => {
      const wanted = { name: `t${round}`, role: 'Viewer' }
      const made = await shared.ask(two, 'POST', '/api:1/api-tokens', wanted)
      const headers = { Authorization: `Automation ${made.token}` }
      const status = async () => {
        const answer = await fetch(`${one.httpUrl}/api:1/solution`, { headers })
        await answer.arrayBuffer()
        return answer.status
      }
      assert.notEqual(await status(), 401)
      return {
        act: () => shared.ask(two, 'DELETE', `/api:1/api-tokens/${made.id}`),
        effect: until(async () => (await status()) === 401),
      }
    })
  })
})
