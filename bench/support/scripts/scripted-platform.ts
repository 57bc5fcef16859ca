import { setTimeout as pause } from 'node:timers/promises'
import { serve } from '../../../server/src/main.ts'
import type { Served } from '../../../server/src/platform/platform.ts'
import { answerParent } from '../frame/child.ts'
import type { Address } from '../frame/engines.ts'
import { machineMs } from '../load/machine-clock.ts'
import { type Instance, makeFleet, openInstance } from '../platform/instance.ts'
import { joinByInterface, makeSolution, registerService } from '../platform/solutions.ts'

/** The platform with three fleets: one without scripts, and two with handlers. */

export type DeviceHttp = { readonly host: string; readonly tokens: readonly string[] }
export type Fleets = {
  readonly unhandled: DeviceHttp
  readonly interface: DeviceHttp
  readonly keystore: DeviceHttp
}
export type OpenedScripted = { readonly port: number; readonly fleets: Fleets }
export type OpenScripted = { readonly address: Address; readonly devices: number }

/** When each write's effect was there, in milliseconds of the machine's clock. */
export type Effects = {
  readonly seenMs: readonly (readonly [number: number, ms: number])[]
  /** Writes whose effects were still to come when the load ended. */
  readonly pending: number
}

const settleMsMax = 60_000

let instance: Instance | undefined
let served: Served | undefined
let seen = new Map<number, number>()

async function open({ address, devices }: OpenScripted): Promise<OpenedScripted> {
  instance = await openInstance(address)
  const { platform } = instance
  // A handler reports the end of its work: this costs it one more call of a service.
  registerService(platform, 'probe', {
    async seen(_, argument) {
      const { number } = argument as { readonly number: number }
      if (!seen.has(number)) seen.set(number, machineMs())
      return {}
    },
  })
  const makeNamed = async (name: string) => {
    const { businessId, connectorId, tokens } = await makeFleet(platform, devices, name)
    const host = `${connectorId}.${platform.config.domain}`
    return { fleet: { host, tokens }, businessId, connectorId }
  }
  const unhandled = await makeNamed('Unhandled')
  const calling = await makeNamed('Calling')
  await makeSolution(platform, calling.businessId, 'judge', {})
  await makeSolution(platform, calling.businessId, 'app', {})
  await joinByInterface(platform, calling.businessId, ['judge', 'app'], judging)
  await handle(calling, 'app', `${read} Judge.judge{identity = event.identity, celsius = number}`)
  const keeping = await makeNamed('Keeping')
  await makeSolution(platform, keeping.businessId, 'keeper', {})
  await handle(
    keeping,
    'keeper',
    `${read} Keystore.set{key = event.identity, value = number} ${tell}`,
  )
  served = await serve(platform)
  const port = Number(new URL(served.httpUrl).port)
  const fleets = { unhandled: unhandled.fleet, interface: calling.fleet, keystore: keeping.fleet }
  return { port, fleets }
}

const read = `if event.type ~= "data_in" then return end
  local number = tonumber(event.payload[1].values.temperature)`
const tell = 'Probe.seen{number = number}'
/** The effect is that the other solution's handler has run. */
const judging = `
  Probe.seen{number = reading.celsius}
  return {fahrenheit = reading.celsius * 1.8 + 32, alarm = reading.celsius > 90}`

async function handle(
  { businessId, connectorId }: { readonly businessId: string; readonly connectorId: string },
  id: string,
  source: string,
): Promise<void> {
  const { scripts, configurations } = instance?.platform.scripting ?? {}
  const wanted = { service: connectorId, alias: 'device2', body: {} }
  await configurations?.add(businessId, id, wanted)
  await scripts?.put(businessId, id, { kind: 'handler', name: 'device2_event' }, source)
}

/** Waits for the effects of so many writes, not for ever. */
async function effects({ writes }: { readonly writes: number }): Promise<Effects> {
  const pending = writes - seen.size
  const endMs = performance.now() + settleMsMax
  while (seen.size < writes && performance.now() < endMs) await pause(5)
  const seenMs = [...seen]
  seen = new Map()
  await instance?.platform.pipelines.caughtUp()
  await instance?.platform.scripting.caughtUp()
  return { seenMs, pending }
}

answerParent({ open, effects }, async () => {
  await served?.close()
  await instance?.removeFolder()
})
