import { isDeepStrictEqual } from 'node:util'
import {
  Fault,
  type Fields,
  invalidField,
  isJsonObject,
  nextTurn,
} from '../../../foundation/kernel/index.ts'
import type { Configuration } from '../configurations/configuration.ts'
import type { PreparedOwnService } from '../configurations/service.ts'
import type { RegistryOptions } from '../registry/options.ts'
import type { SyntaxProblem } from '../registry/program.ts'
import type { Pushed, PushNote, Solution } from '../schema.ts'
import { readConfigurations } from '../store/configurations.ts'
import { type Folder, toSentence } from './folder.ts'
import { isProjectFile } from './layout.ts'
import {
  type PreparedConfiguration,
  prepareAdded,
  prepareGiven,
  prepareUpdated,
} from './prepare.ts'
import type { FolderService } from './service-files.ts'

/** `all`: what the solution has once these are stored. */
export type PreparedServices = {
  readonly services: readonly PreparedConfiguration[]
  readonly all: readonly Configuration[]
  readonly problems: readonly SyntaxProblem[]
  readonly notes: readonly PushNote[]
  /** Files that hold secrets: their text is not kept. */
  readonly secret: ReadonlySet<string>
  /** The solution's own connector. */
  readonly own: PreparedOwn | undefined
  /** Nothing is wrong with the file, but it takes something away from others. */
  readonly breaking: Fault | undefined
}

type PreparedOwn = PreparedOwnService & {
  readonly described: FolderService
  readonly isNew: boolean
}

type Work = {
  readonly options: RegistryOptions
  readonly solution: Solution
  readonly has: readonly Configuration[]
  readonly allowBreaking: boolean
  readonly notes: PushNote[]
}

type Wanted = FolderService & { readonly service: string }

/** Gives the services their files; what they reject is a problem of the file. */
export async function prepareServices(
  options: RegistryOptions,
  solution: Solution,
  given: Folder,
  allowBreaking: boolean,
): Promise<PreparedServices> {
  const { businessId, id } = solution
  const has = await readConfigurations(options.database, businessId, id)
  const notes: PushNote[] = []
  const folder = withExposed(options.services, has, given, notes)
  const work: Work = { options, solution, has, allowBreaking, notes }
  const services: PreparedConfiguration[] = []
  const problems: SyntaxProblem[] = []
  let own: PreparedOwn | undefined
  let breaking: Fault | undefined
  for (const one of folder.services) {
    await nextTurn()
    try {
      if (one.service === undefined && options.services.own(one.alias) !== undefined) {
        own = await prepareOwn(work, one)
        if (own?.isNew) services.push(await prepareMade(work, folder, own))
        if (own === undefined || own.isNew) continue
      }
      const isNamed = one.service !== undefined
      const prepared = await prepareOne(work, withService(work, folder, one), isNamed)
      if (prepared !== undefined) services.push(prepared)
    } catch (error) {
      if (error instanceof Fault && error.code === 'breaking_change') breaking = error
      else problems.push({ file: one.files[0] ?? '', line: 1, message: toSentence(error) })
    }
  }
  const all = [...has, ...services.map(({ after }) => after)]
  const secret = secretFiles(folder, services)
  return { services, all, problems, notes: work.notes, secret, own, breaking }
}

async function prepareOwn(work: Work, one: FolderService): Promise<PreparedOwn | undefined> {
  const { options, solution, has } = work
  const before = find(has, one.alias)
  if (before !== undefined && before.parameters.own !== true) {
    noteStaying(work, one, before)
    return undefined
  }
  const prepared = await options.services.own(one.alias)?.prepare({
    businessId: solution.businessId,
    solutionName: solution.name,
    current: before?.service,
    body: one.body,
    note: makeNoter(work, one),
  })
  return prepared && { described: one, isNew: before === undefined, ...prepared }
}

/** Prepares the link to a connector that the push makes. */
async function prepareMade(
  { options, solution, has }: Work,
  folder: Folder,
  { service, described }: PreparedOwn,
): Promise<PreparedConfiguration> {
  const { businessId, id } = solution
  const wanted = { alias: described.alias, body: ownBody(has, folder) }
  return prepareGiven(options, businessId, id, service, wanted)
}

/** The settings of the link to its own connector: all else is the connector's. */
function ownBody(has: readonly Configuration[], { services }: Folder): Fields {
  const exposed = services.find(isExposing)?.body ?? has.find(isExposing)?.parameters
  return { parameters: { own: true, forward_events: exposed?.type === 'P' } }
}

function isExposing({ alias }: { readonly alias: string }): boolean {
  return alias.toLowerCase() === 'interface'
}

/**
 * Connectors of the field expose the operations of their devices without saying so: a script for
 * one of them, which no file lists, shows that a solution with its own connector is one.
 */
function withExposed(
  services: RegistryOptions['services'],
  has: readonly Configuration[],
  folder: Folder,
  notes: PushNote[],
): Folder {
  const own = folder.services.map(({ alias }) => services.own(alias)).find((one) => one)
  const file = folder.services.find(isExposing)
  const isSettled = file === undefined ? has.some(isExposing) : file.body.type !== undefined
  if (own === undefined || isSettled) return folder
  const { operations } = file?.body ?? {}
  const isListed = (name: string) =>
    Array.isArray(operations) && operations.some((one) => isJsonObject(one) && one.name === name)
  const shows = folder.scripts.find(({ kind, name }) => {
    const [alias = '', operation = ''] = kind === 'handler' ? name.split('_') : []
    return isExposing({ alias }) && own.outline.operation(operation) && !isListed(operation)
  })
  if (shows === undefined) return folder
  const { files, alias, service, body } = file ?? {
    files: [shows.file],
    alias: 'interface',
    service: undefined,
    body: {},
  }
  const message = `a connector: ${shows.name} is exposed as by type: P`
  notes.push({ file: files[0] ?? shows.file, message })
  const exposed = { files, alias, service, body: { ...body, type: 'P' } }
  return { ...folder, services: [...folder.services.filter((one) => one !== file), exposed] }
}

function withService({ options, has }: Work, folder: Folder, one: FolderService): Wanted {
  const { service = one.alias } = one
  if (one.service !== undefined || options.services.own(one.alias) === undefined) {
    return { ...one, service }
  }
  const current = find(has, one.alias)?.service ?? service
  return { ...one, service: current, body: ownBody(has, folder) }
}

/** @returns undefined if there is no such service, and the file does not name one. */
async function prepareOne(
  work: Work,
  one: Wanted,
  isNamed: boolean,
): Promise<PreparedConfiguration | undefined> {
  const { options, solution, has, allowBreaking } = work
  const { businessId, id } = solution
  const before = find(has, one.alias)
  // In the service config it is a setting of the solution, which the push stores.
  const { reuse_vm: _, ...rest } = one.body
  const body = one.alias.toLowerCase() === 'config' ? rest : one.body
  const wanted = { ...one, allowBreaking, note: makeNoter(work, one), body }
  try {
    if (before !== undefined && !isNamed && isEmptyFor(before, one)) {
      noteStaying(work, one, before)
      return undefined
    }
    const prepared =
      before === undefined
        ? await prepareAdded(options, businessId, id, wanted)
        : await prepareUpdated(options, sameService(before, one), wanted)
    prepared.notes?.forEach(makeNoter(work, one))
    return prepared
  } catch (error) {
    const isGone = error instanceof Fault && error.code === 'not_found'
    if (!isGone || isNamed) throw error
    makeNoter(work, one)(`there is no service ${one.service}: the file is kept and has no effect`)
    return undefined
  }
}

function makeNoter({ notes }: Work, { files }: FolderService): (message: string) => void {
  return (message) => notes.push({ file: files[0] ?? '', message })
}

function noteStaying(work: Work, one: FolderService, { service }: Configuration): void {
  makeNoter(work, one)(`${one.alias} is ${service} in the solution already: its settings stay`)
}

function find(has: readonly Configuration[], alias: string): Configuration | undefined {
  return has.find((one) => one.alias.toLowerCase() === alias.toLowerCase())
}

/** A project may have had an empty file before it had the description of the service. */
function isEmptyFor(before: Configuration, { service, body }: Wanted): boolean {
  return Object.keys(body).length === 0 && service.toLowerCase() !== before.service.toLowerCase()
}

function sameService(before: Configuration, { service }: Wanted): Configuration {
  if (service.toLowerCase() === before.service.toLowerCase()) return before
  throw invalidField('service', `is ${before.service} in the solution: remove that one first`)
}

/** A service that hides settings got secrets from its files. */
function secretFiles(
  { services }: Folder,
  prepared: readonly PreparedConfiguration[],
): ReadonlySet<string> {
  const hiding = prepared.filter(({ after }) => Object.keys(after.hidden).length > 0)
  const aliases = new Set(hiding.map(({ after }) => after.alias.toLowerCase()))
  const secret = services.filter(({ alias }) => aliases.has(alias.toLowerCase()))
  return new Set(secret.flatMap(({ files }) => files.filter((path) => !isProjectFile(path))))
}

export function isChange({ before, after, handlers }: PreparedConfiguration): boolean {
  if (before === undefined || handlers.length > 0) return true
  return (['alias', 'parameters', 'triggers', 'hidden'] as const).some((part) => {
    return !isDeepStrictEqual(before[part], after[part])
  })
}

export function listNames({ services, own }: PreparedServices): Pushed['services'] {
  const alias = own?.described.alias
  const names = (which: (one: PreparedConfiguration) => boolean) =>
    services.filter(which).map(({ after }) => after.alias)
  const isChanged = (one: PreparedConfiguration) =>
    isChange(one) || (own?.isChange === true && one.after.alias === alias)
  return {
    added: names(({ before }) => before === undefined),
    changed: names((one) => one.before !== undefined && isChanged(one)),
    unchanged: names((one) => one.before !== undefined && !isChanged(one)),
  }
}
