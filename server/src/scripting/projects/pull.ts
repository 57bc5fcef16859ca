import { isDeepStrictEqual } from 'node:util'
import { Fault, type Fields } from '../../kernel/index.ts'
import type { Configuration } from '../configurations/configuration.ts'
import type { RegistryOptions } from '../registry/options.ts'
import { readConfigurations } from '../store/configurations.ts'
import { readScripts } from '../store/scripts.ts'
import { readProject } from '../store/solutions.ts'
import { type FolderFile, filesOf } from './folder.ts'
import { projectFile } from './layout.ts'

/** Reads a solution as a folder of files that, pushed again, changes nothing. */
export async function readFiles(
  options: RegistryOptions,
  businessId: string,
  solutionId: string,
): Promise<FolderFile[]> {
  const { database } = options
  const scripts = await readScripts(database, businessId, solutionId)
  const project = await readProject(database, businessId, solutionId)
  const location = locationOf(project)
  const services = await Promise.all(
    (await readConfigurations(database, businessId, solutionId)).map(async (configuration) => {
      const body = await bodyOf(options, configuration)
      return body === undefined ? [] : [fileOf(`${location}/${configuration.alias}.json`, body)]
    }),
  )
  const own = project === null ? [] : [fileOf(projectFile, project)]
  return [...filesOf(scripts), ...services.flat(), ...own]
}

function locationOf(project: Fields | null): string {
  const { location = 'services' } = (project?.services ?? {}) as Fields
  return String(location).replace(/^\.\//, '').replace(/\/$/, '')
}

function fileOf(path: string, value: unknown): FolderFile {
  return { path, text: JSON.stringify(value) }
}

/**
 * Returns the file's content with which the service is configured as it is now. The service itself
 * checks that: undefined if its configuration would differ. Hidden settings stay in the solution.
 */
async function bodyOf(
  { services }: RegistryOptions,
  configuration: Configuration,
): Promise<Fields | undefined> {
  const { businessId, solutionId, parameters, triggers, hidden } = configuration
  const service = await services.of(configuration)
  if (service === undefined) return undefined
  if (service.configure === undefined) return { service: configuration.service }
  const body: Fields = {
    ...(Object.keys(parameters).length > 0 ? { parameters } : {}),
    ...(Object.keys(triggers).length > 0 ? { triggers } : {}),
  }
  try {
    const input = { businessId, solutionId, before: configuration, body, allowBreaking: true }
    const again = await service.configure(input)
    const is = [again.parameters, again.triggers ?? {}, again.hidden ?? {}]
    if (!isDeepStrictEqual(is, [parameters, triggers, hidden])) return undefined
  } catch (error) {
    if (error instanceof Fault && error.status < 500) return undefined
    throw error
  }
  return { service: configuration.service, ...body }
}
