import { isDeepStrictEqual } from 'node:util'
import type { Queryable, Transaction } from '../../../foundation/database/index.ts'
import { Fault } from '../../../foundation/kernel/index.ts'
import {
  type ChangeNotification,
  prepareNotification,
  withNotifications,
} from '../configurations/change-notification.ts'
import type { Configuration } from '../configurations/configuration.ts'
import type { InlineDelivery } from '../events/delivery-runs.ts'
import { listHandlers, usedService } from '../registry/build.ts'
import { changeSolution, requireSolution, unknownSolution } from '../registry/change.ts'
import { findProblems, throwProblems } from '../registry/check.ts'
import { missingVariables } from '../registry/environment.ts'
import type { RegistryOptions } from '../registry/options.ts'
import { findRouteConflicts } from '../registry/route-conflicts.ts'
import { isSolutionId } from '../registry/solution.ts'
import type { Pulled, Pushed, Solution, StaticDiff } from '../schema.ts'
import { markInitialised } from '../store/environment.ts'
import { deleteScripts, readScripts, writeScripts } from '../store/scripts.ts'
import { readProject, readSolution, updateSolution, writeProject } from '../store/solutions.ts'
import { type Folder, type FolderFile, readFolder } from './folder.ts'
import { type PreparedConfiguration, storePrepared } from './prepare.ts'
import { readFiles } from './pull.ts'
import { type ContentDiff, compare, type Wanted } from './push-diff.ts'
import { isChange, listNames, type PreparedServices, prepareServices } from './push-services.ts'
import {
  compareStatic,
  findStaticFiles,
  type PreparedStatic,
  type PushOptions,
  prepareStatic,
  refuseMissing,
} from './push-static.ts'
import { readPushed, writePushed } from './pushed-files.ts'

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
  /** The files of the solution, as they were pushed, with what was changed since.
   * @throws Fault not_found */
  pull(businessId: string, solutionId: string): Promise<Pulled>
}

export function createFolders(options: RegistryOptions): Folders {
  const { database, host } = options
  return {
    async push(businessId, solutionId, files, how = {}) {
      const solution = await mustRead(database, businessId, solutionId)
      const folder = await readFolder(files)
      const found = await findProblems(host, solutionId, folder.scripts)
      const { allowBreaking = false, dryRun = false, keep = false } = how
      const fixed = prepareStatic(options.services, how.staticFiles, keep)
      const prepared = await prepareServices(options, solution, folder, allowBreaking)
      throwProblems([...folder.problems, ...found, ...prepared.problems])
      if (prepared.breaking !== undefined) throw prepared.breaking
      const given = await suppliedHandlers(options, prepared.all)
      const missing = await missingVariables(options, solution, folder.project)
      const notes = [...folder.notes, ...missing, ...prepared.notes]
      const work = { options, solution, folder, prepared, given, keep, fixed }
      const pushed = dryRun ? await wouldBe(work) : await store(work)
      return { ...pushed, services: listNames(prepared), ...(notes.length > 0 && { notes }) }
    },
    async pull(businessId, solutionId) {
      await requireSolution(database, businessId, solutionId)
      const files = await readFiles(options, businessId, solutionId)
      const staticFiles =
        (await findStaticFiles(options.services)?.list(database, solutionId)) ?? []
      return { files, staticFiles }
    },
  }
}

type Work = {
  readonly options: RegistryOptions
  readonly solution: Solution
  readonly folder: Folder
  readonly prepared: PreparedServices
  readonly given: Wanted['given']
  readonly keep: boolean
  readonly fixed: PreparedStatic | undefined
}

type Changed = ContentDiff['pushed'] & { readonly staticFiles?: StaticDiff }

async function wouldBe(work: Work): Promise<Changed> {
  const { options, solution, folder, given, keep, fixed } = work
  const { scripts, project } = folder
  const before = await readContent(options.database, solution)
  const { pushed } = compareWhole(before, { scripts, project, given, keep })
  if (fixed === undefined) return pushed
  const { diff: staticFiles } = await compareStatic(options.database, solution.id, fixed)
  return { ...pushed, staticFiles }
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

async function store(work: Work): Promise<Changed> {
  const { services, own } = work.prepared
  const changes = services.filter(isChange)
  const notifications = await prepareNotifications(work.options, changes)
  const all = [...notifications.values()]
  const { pushed, staticFiles, init } = await withNotifications(all, async () => {
    const stored = await storeAll(work, changes, notifications)
    if (own?.isChange) own.stored()
    return stored
  })
  // Here, because another process may not have the scripts yet.
  await init?.run(undefined, async () => {})
  return { ...pushed, ...(staticFiles && { staticFiles }) }
}

async function storeAll(
  { options, solution, folder, prepared, given, keep, fixed }: Work,
  changes: readonly PreparedConfiguration[],
  notifications: ChangeNotifications,
): Promise<Stored> {
  const { businessId, id } = solution
  const { scripts, project } = folder
  let compared: ContentDiff | undefined
  let staticFiles: StaticDiff | undefined
  let init: InlineDelivery | undefined
  await changeSolution(options, businessId, id, async (transaction, current, at) => {
    const before = await readContent(transaction, current)
    const diff = compareWhole(before, { scripts, project, given, keep })
    compared = diff
    const { pushed, written } = diff
    await deleteScripts(transaction, businessId, id, pushed.removed)
    await writeScripts(transaction, businessId, id, written, at)
    if (prepared.own?.isChange) await prepared.own.storeIn(transaction)
    for (const one of changes) {
      if (!(await storePrepared(transaction, one, at))) {
        throw new Fault('overloaded', 'A service of the solution was changed meanwhile; try again.')
      }
      await notifications.get(one)?.storeIn(transaction, one.after)
    }
    const files = folder.files.filter(({ path }) => !prepared.secret.has(path))
    const pushedBefore = await readPushed(options, transaction, businessId, id)
    if (!isDeepStrictEqual(pushedBefore, files)) {
      await writePushed(options, transaction, { businessId, solutionId: id }, files, keep)
    }
    staticFiles = fixed && (await changeStatic(transaction, id, fixed, at))
    const isSet = await setReuse(transaction, current, folder)
    const isProject = pushed.project === 'changed'
    if (isProject) await writeProject(transaction, businessId, id, project)
    init = await addInit(options, transaction, solution, folder)
    return isSet || isProject || written.length + pushed.removed.length + changes.length > 0
  })
  if (compared === undefined) throw new Error('a transaction ended without its work')
  return { pushed: compared.pushed, staticFiles, init }
}

/** Replaces the static files, of bytes that were uploaded before. @throws Fault */
async function changeStatic(
  transaction: Transaction,
  solutionId: string,
  fixed: PreparedStatic,
  at: number,
): Promise<StaticDiff> {
  const compared = await compareStatic(transaction, solutionId, fixed)
  refuseMissing(compared)
  const { put, diff } = compared
  await fixed.files.changeIn(transaction, solutionId, { put, removed: diff.removed }, at)
  return diff
}

type Stored = {
  readonly pushed: ContentDiff['pushed']
  readonly staticFiles: StaticDiff | undefined
  readonly init: InlineDelivery | undefined
}

const initEvent = { service: 'config', event: 'init' } as const

/** The call of the solution's `config_init`, once: at the first push that has one. */
async function addInit(
  { deliveries }: RegistryOptions,
  transaction: Transaction,
  { businessId, id: solutionId, name }: Solution,
  { scripts }: Folder,
): Promise<InlineDelivery | undefined> {
  const has = scripts.flatMap(listHandlers).some(([one]) => one === 'handle_config_init')
  if (!has || !(await markInitialised(transaction, businessId, solutionId))) return undefined
  const argument = { type: 'init', solution_id: solutionId, name }
  return deliveries.addInlineIn(transaction, { businessId, solutionId, ...initEvent, argument })
}

/** `reuse_vm` of the service `config` is a setting of the solution. @returns whether it changed. */
async function setReuse(
  transaction: Parameters<typeof updateSolution>[0],
  solution: Solution,
  { services }: Folder,
): Promise<boolean> {
  const config = services.find(({ alias }) => alias.toLowerCase() === 'config')
  const reuseVm = config?.body.reuse_vm
  if (typeof reuseVm !== 'boolean' || reuseVm === solution.reuseVm) return false
  await updateSolution(transaction, solution.businessId, { ...solution, reuseVm })
  return true
}

/** As `compare`. @throws Fault script_refused where a script that stays is in the way of one. */
function compareWhole(before: Parameters<typeof compare>[0], content: Wanted): ContentDiff {
  const diff = compare(before, content)
  const kept = new Set(diff.pushed.kept?.map(({ kind, name }) => `${kind} ${name}`))
  const staying = before.scripts.filter(({ kind, name }) => kept.has(`${kind} ${name}`))
  throwProblems(findRouteConflicts([...staying, ...content.scripts]))
  return diff
}

async function readContent(queryable: Queryable, { businessId, id }: Solution) {
  const scripts = await readScripts(queryable, businessId, id)
  const project = await readProject(queryable, businessId, id)
  return { scripts, project }
}

async function mustRead(queryable: Queryable, businessId: string, id: string): Promise<Solution> {
  const solution = isSolutionId(id) ? await readSolution(queryable, businessId, id) : undefined
  if (solution === undefined) throw unknownSolution()
  return solution
}

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
