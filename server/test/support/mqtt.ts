import { readFile } from 'node:fs/promises'
import {
  connect,
  type IClientOptions,
  type IClientPublishOptions,
  type IPublishPacket,
  type MqttClient,
} from 'mqtt'
import { waitMsMax } from './bounds.ts'
import { atEnd } from './ends.ts'
import type { TestPlatform } from './platform.ts'

type Context = Parameters<typeof atEnd>[0]

/** A message as it arrived. */
export type Heard = { readonly topic: string; readonly text: string; readonly qos: number }

/** A client of MQTT that keeps what it hears. */
export type MqttDevice = {
  readonly client: MqttClient
  readonly heard: readonly Heard[]
  /** Publishes with QoS 1; it rejects where the connection ends without an acknowledgement. */
  write(topic: string, payload: string, options?: IClientPublishOptions): Promise<void>
  /** The first message that passes, of those that came and those to come. */
  hear(passes: (message: Heard) => boolean): Promise<Heard>
  /** Resolves when the server has ended the connection. */
  readonly closed: Promise<void>
  end(): Promise<void>
}

/** Opens a connection; it rejects where the CONNECT is refused. It never connects again itself. */
export async function mqttDevice(
  t: Context,
  url: string | undefined,
  options: IClientOptions = {},
): Promise<MqttDevice> {
  if (url === undefined) throw new Error('MQTT is off')
  const heard: Heard[] = []
  const waiting = new Set<() => void>()
  const closed = Promise.withResolvers<void>()
  const client = connect(url, {
    protocolVersion: 4,
    reconnectPeriod: 0,
    clientId: '',
    username: '',
    ...options,
  })
  client.on('message', (topic, payload, packet: IPublishPacket) => {
    heard.push({ topic, text: payload.toString('utf8'), qos: packet.qos })
    for (const tell of waiting) tell()
  })
  client.on('close', () => closed.resolve())
  atEnd(t, () => client.end(true))
  await connected(client)
  return {
    client,
    heard,
    closed: closed.promise,
    write: (topic, payload, options) =>
      new Promise((resolve, reject) => {
        closed.promise.then(() => reject(new Error('closed without an acknowledgement')))
        client.publish(topic, payload, { qos: 1, ...options }, (error) =>
          error ? reject(error) : resolve(),
        )
      }),
    hear: (passes) => waitFor(waiting, () => heard.find(passes)),
    end: () => client.endAsync(),
  }
}

/** @throws Error with the `code` of the CONNACK where it says no. */
function connected(client: MqttClient): Promise<void> {
  return new Promise((resolve, reject) => {
    client.once('connect', () => resolve())
    client.on('error', reject)
    client.once('close', () => reject(new Error('closed before the CONNACK')))
  })
}

function waitFor<Found>(waiting: Set<() => void>, find: () => Found | undefined): Promise<Found> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      waiting.delete(look)
      reject(new Error('nothing of the kind was heard'))
    }, waitMsMax)
    const look = () => {
      const found = find()
      if (found === undefined) return
      waiting.delete(look)
      clearTimeout(timer)
      resolve(found)
    }
    waiting.add(look)
    look()
  })
}

/** What a client over TLS needs to trust the instance and to say whom it calls. */
export async function tlsOptions(
  { caFile }: Pick<TestPlatform, 'caFile'>,
  servername: string,
): Promise<IClientOptions> {
  return { ca: [await readFile(caFile)], servername } as IClientOptions
}
