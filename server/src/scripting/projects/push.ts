import { isDeepStrictEqual } from 'node:util'
import type { Queryable } from '../../database/index.ts'
import { Fault, invalidField } from '../../kernel/index.ts'
import {
  type ChangeNotification,
  prepareNotification,
  withNotifications,
} from '../configurations/change-notification.ts'
import type { Configuration } from '../configurations/configuration.ts'
import { usedService } from '../registry/build.ts'
import { changeSolution, requireSolution } from '../registry/change.ts'
import { findProblems, throwProblems } from '../registry/check.ts'
import type { RegistryOptions } from '../registry/options.ts'
import type { SyntaxProblem } from '../registry/program.ts'
import { findRouteConflicts } from '../registry/route-conflicts.ts'
import { readConfigurations } from '../store/configurations.ts'
import { deleteScripts, readScripts, writeScripts } from '../store/scripts.ts'
import { readProject, writeProject } from '../store/solutions.ts'
import { type FolderFile, type FolderService, readFolder, sentenceOf } from './folder.ts'
import {
  type PreparedConfiguration,
  prepareAdded,
  prepareUpdated,
  storePrepared,
  type WantedService,
} from './prepare.ts'
import { readFiles } from './pull.ts'
import { type ContentDiff, compare, type Pushed, type Wanted } from './push-diff.ts'

/** A folder of files as a solution's scripts, and back. */
export type Folders = {
  /**
   * Makes the solution's scripts those of the folder, all or nothing. Services of the folder are
   * added or changed; others stay. @throws Fault not_found, invalid_argument, script_refused with
   * all that is wrong, by file and line, and breaking_change where that is not allowed
   */
  push(
    businessId: string,
    solutionId: string,
    files: readonly FolderFile[],
    options?: PushOptions,
  ): Promise<Pushed>
  /** The files of the scripts, as they were pushed, and of the services and the project.
   * @throws Fault not_found */
  pull(businessId: string, solutionId: string): Promise<FolderFile[]>
}

export type PushOptions = Pick<WantedService, 'allowBreaking'> & {
  /** Returns the changes that a push would make, and makes none. */
  readonly dryRun?: boolean
  /** Scripts that the folder does not have stay, and are listed as `kept`. */
  readonly keep?: boolean
}

export function createFolders(options: RegistryOptions): Folders {
  const { database, host } = options
  return {
    async push(businessId, solutionId, files, how = {}) {
      await requireSolution(database, businessId, solutionId)
      const folder = readFolder(files)
      const found = await findProblems(host, solutionId, folder.scripts)
      const { allowBreaking = false, dryRun = false, keep = false } = how
      const wanted = folder.services.map((one) => ({ ...one, allowBreaking }))
      const prepared = await prepareServices(options, businessId, solutionId, wanted)
      throwProblems([...folder.problems, ...found, ...prepared.problems])
      if (prepared.breaking !== undefined) throw prepared.breaking
      const changes = prepared.services.filter(isChange)
      const given = await suppliedHandlers(options, prepared.all)
      const where = { businessId, solutionId }
      const { scripts, project } = folder
      const content = { scripts, project, given, changes, keep }
      if (dryRun) {
        const before = await readContent(database, where)
        const { pushed } = compareWhole(before, content)
        return { ...pushed, services: namesOf(prepared.services) }
      }
      const notifications = await prepareNotifications(options, changes)
      const pushed = await withNotifications([...notifications.values()], () =>
        store(options, where, { ...content, notifications }),
      )
      return { ...pushed, services: namesOf(prepared.services) }
    },
    async pull(businessId, solutionId) {
      await requireSolution(database, businessId, solutionId)
      return readFiles(options, businessId, solutionId)
    },
  }
}

/** `all`: what the solution has once these are stored. */
type PreparedServices = {
  readonly services: readonly PreparedConfiguration[]
  readonly all: readonly Configuration[]
  readonly problems: readonly SyntaxProblem[]
  /** Nothing is wrong with the file, but it takes something away from others. */
  readonly breaking: Fault | undefined
}

/** Gives the services their files; what they reject is a problem of the file. */
async function prepareServices(
  options: RegistryOptions,
  businessId: string,
  solutionId: string,
  wanted: readonly (FolderService & PushOptions)[],
): Promise<PreparedServices> {
  const services: PreparedConfiguration[] = []
  const problems: SyntaxProblem[] = []
  let breaking: Fault | undefined
  const has = await readConfigurations(options.database, businessId, solutionId)
  for (const one of wanted) {
    try {
      const before = has.find(({ alias }) => alias.toLowerCase() === one.alias.toLowerCase())
      const prepared =
        before === undefined
          ? await prepareAdded(options, businessId, solutionId, one)
          : await prepareUpdated(options, sameService(before, one), one)
      services.push(prepared)
    } catch (error) {
      if (error instanceof Fault && error.code === 'breaking_change') breaking = error
      else problems.push({ file: one.file, line: 1, message: sentenceOf(error) })
    }
  }
  const all = [...has, ...services.map(({ after }) => after)]
  return { services, all, problems, breaking }
}

function sameService(before: Configuration, { service }: FolderService): Configuration {
  if (service.toLowerCase() === before.service.toLowerCase()) return before
  throw invalidField('service', `is ${before.service} in the solution: remove that one first`)
}

function isChange({ before, after, handlers }: PreparedConfiguration): boolean {
  if (before === undefined || handlers.length > 0) return true
  return (['alias', 'parameters', 'triggers', 'hidden'] as const).some((part) => {
    return !isDeepStrictEqual(before[part], after[part])
  })
}

function namesOf(services: readonly PreparedConfiguration[]): Pushed['services'] {
  const names = (which: (one: PreparedConfiguration) => boolean) =>
    services.filter(which).map(({ after }) => after.alias)
  return {
    added: names(({ before }) => before === undefined),
    changed: names((one) => one.before !== undefined && isChange(one)),
    unchanged: names((one) => !isChange(one)),
  }
}

type ChangeNotifications = ReadonlyMap<PreparedConfiguration, ChangeNotification>

async function prepareNotifications(
  options: RegistryOptions,
  changes: readonly PreparedConfiguration[],
): Promise<ChangeNotifications> {
  const notifications = new Map<PreparedConfiguration, ChangeNotification>()
  for (const one of changes) {
    const kind = one.before === undefined ? 'added' : 'updated'
    notifications.set(one, await prepareNotification(options, kind, one.after))
  }
  return notifications
}

async function store(
  options: RegistryOptions,
  { businessId, solutionId }: Where,
  content: Wanted & {
    readonly changes: readonly PreparedConfiguration[]
    readonly notifications: ChangeNotifications
  },
): Promise<ContentDiff['pushed']> {
  let compared: ContentDiff | undefined
  await changeSolution(options, businessId, solutionId, async (transaction, _, at) => {
    const diff = compareWhole(await readContent(transaction, { businessId, solutionId }), content)
    compared = diff
    const { pushed, written } = diff
    await deleteScripts(transaction, businessId, solutionId, pushed.removed)
    await writeScripts(transaction, businessId, solutionId, written, at)
    for (const prepared of content.changes) {
      if (!(await storePrepared(transaction, prepared, at))) {
        throw new Fault('overloaded', 'A service of the solution was changed meanwhile; try again.')
      }
      await content.notifications.get(prepared)?.storeIn(transaction, prepared.after)
    }
    if (pushed.project === 'changed') {
      await writeProject(transaction, businessId, solutionId, content.project)
      return true
    }
    return written.length + pushed.removed.length + content.changes.length > 0
  })
  if (compared === undefined) throw new Error('a transaction ended without its work')
  return compared.pushed
}

/** As `compare`. @throws Fault script_refused where a script that stays is in the way of one. */
function compareWhole(before: Parameters<typeof compare>[0], content: Wanted): ContentDiff {
  const diff = compare(before, content)
  const kept = new Set(diff.pushed.kept?.map(({ kind, name }) => `${kind} ${name}`))
  const staying = before.scripts.filter(({ kind, name }) => kept.has(`${kind} ${name}`))
  throwProblems(findRouteConflicts([...staying, ...content.scripts]))
  return diff
}

async function readContent(queryable: Queryable, { businessId, solutionId }: Where) {
  const scripts = await readScripts(queryable, businessId, solutionId)
  const project = await readProject(queryable, businessId, solutionId)
  return { scripts, project }
}

type Where = { readonly businessId: string; readonly solutionId: string }

/** Returns the handlers that services supplied to the solution, with the texts supplied. */
async function suppliedHandlers(
  { services }: RegistryOptions,
  configurations: readonly Configuration[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const given = new Map<string, readonly string[]>()
  for (const configuration of configurations) {
    const service = await services.of(configuration)
    if (service === undefined) continue
    const { alias, events } = usedService(service, configuration)
    for (const { name, script, defaultScript } of events) {
      const texts = [script, defaultScript].flatMap((text) => text ?? [])
      given.set(`${alias}_${name}`, texts)
    }
  }
  return given
}
