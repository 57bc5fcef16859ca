import { join } from 'node:path'
import { readFolder } from '../../server/src/cli/solution-folder.ts'
import { faultOf, newToken } from '../../server/src/kernel/index.ts'
import type { Platform } from '../../server/src/main.ts'

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

/** The solutions of the demo, by their ids. */
export type DemoSolutions = { readonly connector: string; readonly app: string }

/** Where the demo's solutions are to be. */
type Place = { readonly businessId: string; readonly connectorId: string }

/**
 * The solution of the connector and the application that subscribes to it: those of an earlier
 * start, as they were left, or new ones where one of them is missing.
 */
export async function keepSolutions(
  platform: Platform,
  place: Place,
  known: DemoSolutions | undefined,
): Promise<DemoSolutions> {
  const there = await platform.scripting.solutions.list(place.businessId)
  const stands = (id: string) => there.some((solution) => solution.id === id)
  if (known !== undefined && stands(known.connector) && stands(known.app)) return known
  const connector = await plantSolution(platform, place, weather, place.connectorId)
  return { connector, app: await plantSolution(platform, place, app, connector) }
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
    if (faultOf(error).code !== 'already_exists') throw error
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
