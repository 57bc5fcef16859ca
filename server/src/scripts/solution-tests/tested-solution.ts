import { basename } from 'node:path'
import type { Provisioning } from '../../devices/provisioning/index.ts'
import {
  isJsonObject,
  limits,
  newId,
  parseYaml,
  type Random,
} from '../../foundation/kernel/index.ts'
import type { Activity, SolutionLine } from '../../log/activity/index.ts'
import type { Accounts } from '../../people/accounts/index.ts'
import type { FolderFile, Scripting, Service } from '../scripting/index.ts'
import type { OtherSolution } from './schema.ts'

/** A temporary instance, for the tests of one run. */
export type TestInstance = {
  /** The address of its HTTP listener. */
  readonly httpUrl: string
  readonly accounts: Pick<Accounts, 'createBusiness'>
  readonly activity: Pick<Activity, 'solutions'>
  readonly provisioning: { readonly connectors: Pick<Provisioning['connectors'], 'create'> }
  readonly scripting: Pick<Scripting, 'solutions' | 'scripts' | 'folders' | 'api'>
  readonly random: Random
  /** Ends it, and removes all that it has stored. */
  close(): Promise<void>
}

/** A solution as a test finds it: pushed just now, in a business in which nothing else is. */
export type TestedSolution = {
  readonly businessId: string
  readonly solutionId: string
  /** Its log, oldest line first. */
  lines(): Promise<readonly SolutionLine[]>
  /** Removes its solutions, and with them what they would do later. */
  remove(): Promise<void>
}

export type TestedFolders = {
  readonly files: readonly FolderFile[]
  readonly others: readonly OtherSolution[]
  /** Scripts beside the folder's. */
  readonly extra: readonly FolderFile[]
}

const resources = {
  data_in: { format: 'string' },
  config_io: { format: 'string', settable: true },
}

/** Ids are new for each test: nothing of the one before can be met again. @throws Fault */
export async function createTestedSolution(
  instance: TestInstance,
  folders: TestedFolders,
): Promise<TestedSolution> {
  const { accounts, scripting, random } = instance
  const { files, others, extra } = folders
  const { id: businessId } = await accounts.createBusiness({ name: `Test ${newId(random)}` })
  const known = new Map(others.map(({ id }) => [id, newId(random)]))
  for (const name of findConnectors([...files, ...others.flatMap((other) => other.files)])) {
    known.set(name, await connectorFor(instance, businessId))
  }
  const made: string[] = []
  const make = async (id: string, folder: readonly FolderFile[]) => {
    await scripting.solutions.create(businessId, { id, name: 'Test' })
    made.push(id)
    await scripting.folders.push(businessId, id, renamed(folder, known))
    return id
  }
  const remove = async () => {
    for (const id of made) await scripting.solutions.remove(businessId, id)
  }
  try {
    for (const other of others) await make(known.get(other.id) ?? other.id, other.files)
    const solutionId = await make(newId(random), files)
    for (const { path, text } of extra) {
      await scripting.scripts.put(businessId, solutionId, { kind: 'plain', name: path }, text)
    }
    return {
      businessId,
      solutionId,
      lines: () => readLines(instance, businessId, solutionId),
      remove,
    }
  } catch (error) {
    await remove()
    throw error
  }
}

async function readLines({ activity }: TestInstance, businessId: string, solutionId: string) {
  const { solutions } = activity
  await solutions.flush()
  const { lines } = await solutions.lines(businessId, solutionId, { limit: limits.pageMax })
  return [...lines].reverse()
}

async function connectorFor({ provisioning }: TestInstance, businessId: string): Promise<string> {
  const settings = { name: 'Test', devmode: true, selfRegistration: true, resources }
  return (await provisioning.connectors.create(businessId, settings)).id
}

type OfService = { readonly alias: string; readonly body: Readonly<Record<string, unknown>> }

/** Undefined for a file that configures no service. A push reports what cannot be read. */
function readService({ path, text }: FolderFile): OfService | undefined {
  if (!/\.(?:json|ya?ml)$/.test(path) || /^murano\./.test(path)) return undefined
  return { alias: basename(path).replace(/\.\w+$/, ''), body: bodyIn(text) }
}

function bodyIn(text: string): OfService['body'] {
  const { definitionAliasesMax, definitionValuesMax, jsonDepthMax } = limits
  const most = {
    aliasesMax: definitionAliasesMax,
    valuesMax: definitionValuesMax,
    depthMax: jsonDepthMax,
  }
  try {
    const body = parseYaml(text, most)
    return isJsonObject(body) ? body : {}
  } catch {
    return {}
  }
}

/** A connector is what a solution calls device2, or so. */
function findConnectors(files: readonly FolderFile[]): ReadonlySet<string> {
  const names = files.flatMap((file) => {
    const { alias = '', body = {} } = readService(file) ?? {}
    return /^device/i.test(alias) && typeof body.service === 'string' ? [body.service] : []
  })
  return new Set(names)
}

/** The files, with the services named as they are called in this test. */
function renamed(
  files: readonly FolderFile[],
  known: ReadonlyMap<string, string>,
): readonly FolderFile[] {
  return files.map((file) => {
    const { body = {} } = readService(file) ?? {}
    const name = known.get(String(body.service))
    if (name === undefined) return file
    return { path: file.path, text: JSON.stringify({ ...body, service: name }) }
  })
}

/**
 * Replaces a service that is missing: another solution, a connector of another name. It
 * takes any configuration, and each operation fails with the advice to fake it.
 */
export function missingService(name: string): Service {
  return {
    name,
    always: false,
    events: [{ name: 'event', title: 'event' }],
    operation: (operation) => async (call) => ({
      type: 'ServerError',
      error:
        `The service ${name} is not there in a test: ` +
        `fake("${call.alias}", "${operation}", …) answers in its place.`,
      status: 501,
    }),
    configure: async () => ({ alias: 'service', parameters: {} }),
  }
}
