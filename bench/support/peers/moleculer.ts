import { answerParent } from '../frame/child.ts'
import { type Called, keepCalling } from '../scripts/script-work.ts'
import { requirePeer } from './find.ts'

/**
 * A node of Moleculer: one has the service that judges a reading, the other one calls it. They talk
 * by Moleculer's TCP transporter, each in a process of its own.
 */

export type OpenMoleculer = {
  readonly role: 'service' | 'caller'
  readonly ports: { readonly service: number; readonly caller: number }
}
export type MoleculerCalls = { readonly inFlight: number; readonly seconds: number }

type Broker = {
  createService(schema: object): void
  start(): Promise<void>
  stop(): Promise<void>
  waitForServices(name: string, timeoutMs: number): Promise<void>
  call(action: string, parameters: object): Promise<unknown>
}
type Reading = { readonly params: { readonly celsius: number } }

const foundMsMax = 20_000
let broker: Broker | undefined

async function open({ role, ports }: OpenMoleculer): Promise<void> {
  const { ServiceBroker } = requirePeer('moleculer') as {
    ServiceBroker: new (options: object) => Broker
  }
  const urls = { service: address('service', ports), caller: address('caller', ports) }
  broker = new ServiceBroker({
    nodeID: role,
    logger: false,
    transporter: {
      type: 'TCP',
      options: { udpDiscovery: false, port: ports[role], urls: Object.values(urls) },
    },
  })
  if (role === 'service') broker.createService(service)
  await broker.start()
}

const address = (role: 'service' | 'caller', ports: OpenMoleculer['ports']) =>
  `tcp://127.0.0.1:${ports[role]}/${role}`

/** The work of the interface's handler, with the argument checked as there. */
const service = {
  name: 'judge',
  actions: {
    judge: {
      params: {
        identity: 'string',
        celsius: { type: 'number', min: -273 },
        site: { type: 'string', default: 'north' },
      },
      handler: ({ params: { celsius } }: Reading) => ({
        fahrenheit: celsius * 1.8 + 32,
        alarm: celsius > 90,
      }),
    },
  },
}

async function run({ inFlight, seconds }: MoleculerCalls): Promise<Called> {
  const opened = broker
  if (opened === undefined) throw new Error('open comes first')
  await opened.waitForServices('judge', foundMsMax)
  return keepCalling({ inFlight, seconds, asks: true }, () =>
    opened.call('judge.judge', { identity: 'pump', celsius: 21.5 }),
  )
}

answerParent({ open, run }, () => broker?.stop())
