import { join } from 'node:path'
import { readFolder } from '@millrace/cli/folder'
import { newToken, toFault } from '../../server/src/foundation/kernel/index.ts'
import type { Platform } from '../../server/src/platform/platform.ts'

const examples = join(import.meta.dirname, '..', '..', 'examples')

type Plan = {
  /** Its id, unless that is taken. */
  readonly id: string
  readonly name: string
  readonly folder: string
  /** The file of its one service that has another id in each instance. */
  readonly serviceFile: string
}

const weather: Plan = {
  id: 'weather',
  name: 'Weather stations',
  folder: 'solution-connector',
  serviceFile: 'services/device2.json',
}

const app: Plan = {
  id: 'weatherapp',
  name: 'Weather app',
  folder: 'solution-app',
  serviceFile: 'services/weather.json',
}

const alerts: Plan = {
  id: 'weatheralerts',
  name: 'Weather alerts',
  folder: 'solution-alerts',
  serviceFile: 'services/weather.json',
}

/** Bindings without real phones; no provider is configured, so that the sink shows the messages. */
const phones = [
  { identity: 'ann', binding_type: 'apn', address: 'ab'.repeat(32) },
  { identity: 'bob', binding_type: 'sms', address: '+15551234567' },
].map((phone) => ({
  ...phone,
  service_sid: 'IS00000000000000000000000000000001',
  tags: ['alerts'],
}))

/** The solutions of the demo, by their ids. */
export type DemoSolutions = {
  readonly connector: string
  readonly app: string
  readonly alerts: string
}

/** The business and the connector of the demo's solutions. */
type Place = { readonly businessId: string; readonly connectorId: string }

/**
 * The solution of the connector and the two that subscribe to it: those of an earlier start, as
 * they were left, or new ones where they are missing.
 */
export async function keepSolutions(
  platform: Platform,
  place: Place,
  known: Partial<DemoSolutions> = {},
): Promise<DemoSolutions> {
  const there = await platform.scripting.solutions.list(place.businessId)
  const standing = (id: string | undefined) => there.find((solution) => solution.id === id)?.id
  const connector =
    standing(known.connector) ?? (await plantSolution(platform, place, weather, place.connectorId))
  return {
    connector,
    app: standing(known.app) ?? (await plantSolution(platform, place, app, connector)),
    alerts: standing(known.alerts) ?? (await plantAlerts(platform, place, connector)),
  }
}

async function plantAlerts(platform: Platform, place: Place, service: string): Promise<string> {
  const solutionId = await plantSolution(platform, place, alerts, service)
  const where = { businessId: place.businessId, solutionId }
  await platform.notifications.importBindings(where, { bindings: phones })
  return solutionId
}

/** As `solution create` and `solution push`. @returns its id. */
async function plantSolution(
  { scripting, random }: Platform,
  { businessId }: Place,
  { id: wanted, name, folder, serviceFile }: Plan,
  service: string,
): Promise<string> {
  const make = (id: string) => scripting.solutions.create(businessId, { id, name })
  const { id } = await make(wanted).catch((error) => {
    if (toFault(error).code !== 'already_exists') throw error
    return make(wanted + newToken(random).slice(0, markChars))
  })
  const files = (await readFolder(join(examples, folder))).map(({ path, text }) =>
    path === serviceFile
      ? { path, text: JSON.stringify({ ...JSON.parse(text), service }) }
      : { path, text },
  )
  await scripting.folders.push(businessId, id, files)
  return id
}

const markChars = 6
