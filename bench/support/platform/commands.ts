import { serve } from '../../../server/src/main.ts'
import type { Served } from '../../../server/src/platform/platform.ts'
import { answerParent } from '../frame/child.ts'
import type { Address } from '../frame/engines.ts'
import { type Instance, openInstance } from './instance.ts'

/** A process of an instance: devices wait at the first one, and any of them sets values. */

export type CommandedDevice = {
  readonly url: string
  readonly businessId: string
  readonly connectorId: string
  readonly identity: string
  readonly token: string
}

export type SetCommand = CommandedDevice & { readonly value: string }

let instance: Instance | undefined
let served: Served | undefined

async function open(address: Address): Promise<void> {
  instance = await openInstance(address)
  served = await serve(instance.platform)
}

/**
 * Makes a device that is provisioned, among others that are watched as a long poll watches them.
 */
async function makeDevice(others: number): Promise<CommandedDevice> {
  const { platform } = instance ?? {}
  if (platform === undefined || served === undefined) throw new Error('open comes first')
  const { accounts, provisioning, eventlog } = platform
  const { id: businessId } = await accounts.createBusiness({ name: 'Bench' })
  const connector = await provisioning.connectors.create(businessId, {
    name: 'Bench',
    devmode: true,
    selfRegistration: true,
    resources: { command: { format: 'string', settable: true } },
  })
  const { id: connectorId } = connector
  const origin = { ip: '127.0.0.1', protocol: 'http', encrypted: false }
  const identity = 'commanded'
  const { token } = await provisioning.activate(connector, identity, origin)
  for (let at = 0; at < others; at += 1) eventlog.watch(connectorId, `other-${at}`, () => {})
  return { url: served.httpUrl, businessId, connectorId, identity, token }
}

/** @returns when the command was given, in milliseconds since 1970 with fractions. */
async function set({ businessId, connectorId, identity, value }: SetCommand): Promise<number> {
  const at = performance.timeOrigin + performance.now()
  const { provisioning } = instance?.platform ?? {}
  await provisioning?.setState(businessId, connectorId, identity, { command: value })
  return at
}

answerParent({ open, makeDevice, set }, async () => {
  await served?.close()
  await instance?.removeFolder()
})
