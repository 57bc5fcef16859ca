import { setTimeout as pause } from 'node:timers/promises'
import type { Line, LineKind } from '../../src/eventlog/index.ts'
import type { State } from '../../src/provisioning/index.ts'
import { waitMsMax } from './bounds.ts'
import { newDevice, type TestDevice } from './device.ts'
import { type MqttDevice, mqttDevice } from './mqtt.ts'
import type { TestPlatform } from './platform.ts'

type Context = Parameters<typeof mqttDevice>[0]

/** Devices of one connector that speak MQTT, and what the platform knows of them. */
export type MqttFleet = {
  /** A device that is provisioned. */
  newOne(): Promise<TestDevice>
  /** Connects it over plain MQTT with its token. */
  speak(t: Context, device: TestDevice): Promise<MqttDevice>
  state(device: TestDevice): Promise<State>
  set(device: TestDevice, values: Readonly<Record<string, string>>): Promise<void>
  lock(device: TestDevice): Promise<void>
  /** The newest line of the connector's log about an identity. */
  line(identity: string, kind: LineKind): Promise<Line | undefined>
  /** The bodies of a device's writes, in their order. */
  writes(device: TestDevice): Promise<{ payload: unknown; unknown?: unknown; protocol: string }[]>
}

export function mqttFleet(millrace: () => TestPlatform): MqttFleet {
  let count = 0
  return {
    newOne() {
      count += 1
      return newDevice(millrace().httpUrl, millrace().connector.id, `device-${count}`)
    },
    speak: (t, { token }) => mqttDevice(t, millrace().mqttUrl, { password: token }),
    state({ identity }) {
      const { businessId, connector, platform } = millrace()
      return platform.provisioning.state(businessId, connector.id, identity)
    },
    async set({ identity }, values) {
      const { businessId, connector, platform } = millrace()
      await platform.provisioning.setState(businessId, connector.id, identity, values)
    },
    async lock({ identity }) {
      const { businessId, connector, platform } = millrace()
      const { identities } = platform.provisioning
      await identities.whitelist(businessId, connector.id, identity, { locked: true })
    },
    async line(identity, kind) {
      const { businessId, connector, platform } = millrace()
      await platform.eventlog.flushNotes()
      const asked = { identity, kinds: [kind] }
      return (await platform.eventlog.lines(businessId, connector.id, asked)).lines[0]
    },
    async writes({ identity }) {
      const rows = await millrace().platform.database.rows<{ body: string }>(
        `select body from eventlog_entry
         where connector_id = $1 and identity = $2 and kind = 'write' order by seq`,
        [millrace().connector.id, identity],
      )
      return rows.map(({ body }) => JSON.parse(body))
    },
  }
}

const pollMs = 5
const pollsMax = waitMsMax / pollMs

export async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let polls = 0; polls < pollsMax; polls += 1) {
    if (await holds()) return
    await pause(pollMs)
  }
  throw new Error('it did not come to be')
}
