import { isDeepStrictEqual } from 'node:util'
import { Fault, type Fields, formatYaml } from '../../../foundation/kernel/index.ts'
import type { Configuration } from '../configurations/configuration.ts'
import { type ConfiguredService, takeInput } from '../configurations/service.ts'
import { usedService } from '../registry/build.ts'
import type { RegistryOptions } from '../registry/options.ts'
import type { Script } from '../schema.ts'
import { readConfigurations } from '../store/configurations.ts'
import { readScripts } from '../store/scripts.ts'
import { readProject } from '../store/solutions.ts'
import { type Folder, type FolderFile, readFolder, toFiles } from './folder.ts'
import { isProjectFile } from './layout.ts'
import { readPushed } from './pushed-files.ts'
import type { FolderService } from './service-files.ts'

/**
 * Reads a solution as a folder of files that, pushed again, changes nothing. A part that was not
 * changed since the push is as it was pushed, byte for byte.
 */
export async function readFiles(
  options: RegistryOptions,
  businessId: string,
  solutionId: string,
): Promise<FolderFile[]> {
  const { database } = options
  const pushed = await readFolder(await readPushed(options, database, businessId, solutionId))
  const scripts = await readScripts(database, businessId, solutionId)
  const project = await readProject(database, businessId, solutionId)
  const configurations = await readConfigurations(database, businessId, solutionId)
  const files = [
    ...scriptFiles(pushed, await authored(options, configurations, scripts, pushed)),
    ...(await serviceFiles(options, pushed, configurations, readLocation(project))),
    ...projectFiles(pushed, project),
  ]
  return files.sort((one, other) => (one.path < other.path ? -1 : 1))
}

/** The scripts without handlers that its own connector supplied and nobody changed. */
async function authored(
  { services }: RegistryOptions,
  configurations: readonly Configuration[],
  scripts: readonly Script[],
  pushed: Folder,
): Promise<Script[]> {
  const own = new Set(pushed.files.map(({ path }) => path))
  const supplied = new Map<string, string | undefined>()
  for (const configuration of configurations.filter(({ parameters }) => parameters.own === true)) {
    const service = await services.of(configuration)
    if (service === undefined) continue
    const { alias, events } = usedService(service, configuration)
    for (const event of events) supplied.set(`${alias}_${event.name}`, event.defaultScript)
  }
  return scripts.filter(({ kind, name, source, file }) => {
    return own.has(file) || kind !== 'handler' || supplied.get(name) !== source
  })
}

/** A file whose scripts are as they were pushed is as it was; others are made of the scripts. */
function scriptFiles({ files, scripts }: Folder, now: readonly Script[]): FolderFile[] {
  const made = new Map(toFiles(now).map((file) => [file.path, file]))
  const before = Map.groupBy(scripts, ({ file }) => file)
  const current = Map.groupBy(now, ({ file }) => file)
  const lua = files.filter(({ path }) => path.endsWith('.lua'))
  for (const file of lua) {
    const [was, is] = [before, current].map((parts) =>
      (parts.get(file.path) ?? []).map(scriptIdentity).sort(),
    )
    if (isDeepStrictEqual(was, is)) made.set(file.path, file)
  }
  return [...made.values()]
}

function scriptIdentity({
  kind,
  name,
  source,
  firstLine,
}: Omit<Script, 'createdAt' | 'updatedAt'>): string {
  return JSON.stringify([kind, name, firstLine, source])
}

function projectFiles({ files, project: pushed }: Folder, project: Fields | null): FolderFile[] {
  const own = files.filter(({ path }) => isProjectFile(path))
  if (isDeepStrictEqual(pushed, project)) return own
  return project === null ? [] : [yamlFile('murano.yaml', project)]
}

function readLocation(project: Fields | null): string {
  const { location = 'services' } = (project?.services ?? {}) as Fields
  return String(location).replace(/^\.\//, '').replace(/\/$/, '')
}

function yamlFile(path: string, value: unknown): FolderFile {
  const text = path.endsWith('.json') ? JSON.stringify(value) : formatYaml(value)
  return { path, text }
}

/** The files of services as pushed, if they still say what is set; else new ones in their place. */
async function serviceFiles(
  options: RegistryOptions,
  pushed: Folder,
  configurations: readonly Configuration[],
  location: string,
): Promise<FolderFile[]> {
  const texts = new Map(pushed.files.map((file) => [file.path, file]))
  const described = new Map(pushed.services.map((one) => [one.alias.toLowerCase(), one]))
  const files: FolderFile[] = []
  for (const configuration of configurations) {
    const key = configuration.alias.toLowerCase()
    const own = described.get(key)
    described.delete(key)
    if (own !== undefined && (await isAsSet(options, configuration, own))) {
      files.push(...ownFiles(own).flatMap((path) => texts.get(path) ?? []))
      continue
    }
    const body = await makeBody(options, configuration)
    const path = ownFiles(own)[0] ?? `${location}/${configuration.alias}.yaml`
    if (body !== undefined) files.push(yamlFile(path, body))
  }
  const idle = [...described.values()].flatMap(ownFiles)
  const known = new Set(pushed.services.flatMap((one) => one.files))
  const others = pushed.files.filter(({ path }) => {
    return !path.endsWith('.lua') && !isProjectFile(path) && !known.has(path)
  })
  return [...files, ...idle.flatMap((path) => texts.get(path) ?? []), ...others]
}

/** The files of a service, of which the project may be one. */
function ownFiles(service: FolderService | undefined): readonly string[] {
  return service?.files.filter((path) => !isProjectFile(path)) ?? []
}

/** Returns whether a file describes the service as it is now. */
async function isAsSet(
  options: RegistryOptions,
  configuration: Configuration,
  { alias, service, body }: FolderService,
): Promise<boolean> {
  const maker = service === undefined ? options.services.own(alias) : undefined
  if (maker === undefined) return hasSettings(options, configuration, body)
  if (configuration.parameters.own !== true) return false
  const { businessId, solutionId: solutionName, service: current } = configuration
  try {
    const input = { businessId, solutionName, current, body, note: () => {} }
    return !(await maker.prepare(input)).isChange
  } catch (error) {
    return refused(error)
  }
}

async function hasSettings(
  { services }: RegistryOptions,
  configuration: Configuration,
  body: Fields,
): Promise<boolean> {
  const { businessId, solutionId, parameters, triggers, hidden } = configuration
  const service = await services.of(configuration)
  if (service?.configure === undefined) return service !== undefined
  const note = () => {}
  try {
    const input = { businessId, solutionId, before: configuration, body, allowBreaking: true, note }
    const again: ConfiguredService = await service.configure(takeInput(service, input))
    const is = [again.parameters, again.triggers ?? {}, again.hidden ?? {}]
    return isDeepStrictEqual(is, [parameters, triggers, hidden])
  } catch (error) {
    return refused(error)
  }
}

function refused(error: unknown): false {
  if (error instanceof Fault && error.status < 500) return false
  throw error
}

/**
 * Returns the file's content with which the service is configured as it is now. The service itself
 * checks that: undefined if its configuration would differ. Hidden settings stay in the solution.
 */
async function makeBody(
  options: RegistryOptions,
  configuration: Configuration,
): Promise<Fields | undefined> {
  const { service: name, parameters, triggers } = configuration
  const body: Fields = {
    ...(Object.keys(parameters).length > 0 ? { parameters } : {}),
    ...(Object.keys(triggers).length > 0 ? { triggers } : {}),
  }
  if (!(await hasSettings(options, configuration, body))) return undefined
  return { service: name, ...body }
}
