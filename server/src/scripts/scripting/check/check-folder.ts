import { newId } from '../../../foundation/kernel/index.ts'
import type { ServiceOutline } from '../configurations/service.ts'
import { type FolderFile, readFolder } from '../projects/folder.ts'
import { type PreparedServices, prepareServices } from '../projects/push-services.ts'
import { toChunk, usedService } from '../registry/build.ts'
import { unknownSolution } from '../registry/change.ts'
import { findProblems } from '../registry/check.ts'
import type { RegistryOptions } from '../registry/options.ts'
import type { ScriptText } from '../registry/script.ts'
import { isSolutionId } from '../registry/solution.ts'
import type { Solution } from '../schema.ts'
import { readSolution } from '../store/solutions.ts'
import { type Finding, findInCalls, type ScriptCalls } from './call-findings.ts'

/**
 * Says what differs for a folder of scripts on this instance: all that a push says, the calls of
 * operations that are not there, and handlers that no service calls. Nothing is run or changed.
 */
export type CheckFolder = (
  businessId: string,
  /** The solution whose services count, too; undefined for none. @throws Fault not_found */
  solutionId: string | undefined,
  files: readonly FolderFile[],
) => Promise<Finding[]>

export function createCheckFolder(options: RegistryOptions): CheckFolder {
  return async (businessId, solutionId, files) => {
    const solution = await solutionFor(options, businessId, solutionId)
    const folder = await readFolder(files)
    const compiled = await findProblems(options.host, solution.id, folder.scripts)
    const prepared = await prepareServices(options, solution, folder, true)
    const services = await makeOutlines(options, prepared)
    const problems = [...folder.problems, ...compiled, ...prepared.problems]
    const broken = new Set(problems.map(({ file }) => file))
    const readable = folder.scripts.filter(({ file }) => !broken.has(file))
    const notes = [...folder.notes, ...prepared.notes]
    const findings: Finding[] = [
      ...problems.map((one) => ({ severity: 'error' as const, kind: 'problem' as const, ...one })),
      ...notes.map(({ file, message }) => {
        return { severity: 'warning', kind: 'setting', file, line: null, message } as const
      }),
      ...findInCalls(await readCalls(options.host, solution.id, readable), services),
      ...folder.scripts.flatMap((script) => findInHandler(script, services)),
    ]
    return findings.sort(byPlace)
  }
}

/** The calls of each script, read by the workers: one source may take a second. */
function readCalls(
  host: RegistryOptions['host'],
  solutionId: string,
  scripts: readonly ScriptText[],
): Promise<ScriptCalls[]> {
  return Promise.all(
    scripts.map(async (script) => {
      return { script, found: await host.readCalls(solutionId, toChunk(script, new Map())) }
    }),
  )
}

function byPlace(a: Finding, b: Finding): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1
  return (a.line ?? 0) - (b.line ?? 0)
}

/** Without a solution, one that is not stored: its folder is checked as a new solution's. */
async function solutionFor(
  { database, random, clock }: RegistryOptions,
  businessId: string,
  id: string | undefined,
): Promise<Solution> {
  if (id !== undefined) {
    const found = isSolutionId(id) ? await readSolution(database, businessId, id) : undefined
    if (found === undefined) throw unknownSolution()
    return found
  }
  const nowUs = clock.nowUs()
  return {
    id: newId(random),
    businessId,
    name: 'Checked',
    description: '',
    version: 1,
    limits: {},
    reuseVm: true,
    createdAt: nowUs,
    updatedAt: nowUs,
  }
}

async function makeOutlines(
  { services }: RegistryOptions,
  { all, own }: PreparedServices,
): Promise<Map<string, ServiceOutline>> {
  const outlines = new Map<string, ServiceOutline>()
  for (const service of services.always()) outlines.set(service.name.toLowerCase(), service)
  for (const configuration of all) {
    const service = await services.of(configuration)
    if (service === undefined) continue
    const { events, eventTitle } = usedService(service, configuration)
    const own = service.makeOutline?.(configuration) ?? service
    const operation = (name: string) => own.operation(name)
    const titled = eventTitle === undefined ? {} : { eventTitle }
    outlines.set(configuration.alias.toLowerCase(), { operation, events, ...titled })
  }
  const alias = own?.isNew === true ? own.described.alias : undefined
  const outline = alias === undefined ? undefined : services.own(alias)?.outline
  if (alias !== undefined && outline !== undefined) outlines.set(alias.toLowerCase(), outline)
  return outlines
}

function findInHandler(
  { kind, name, file, firstLine: line }: ScriptText,
  services: ReadonlyMap<string, ServiceOutline>,
): Finding[] {
  if (kind !== 'handler') return []
  const at = name.lastIndexOf('_')
  const [alias, event] = [name.slice(0, at), name.slice(at + 1)]
  const service = services.get(alias.toLowerCase())
  // A service with a title for all its events raises those that scripts name.
  if (service?.eventTitle !== undefined) return []
  if (service?.events.some((one) => one.name === event)) return []
  const what =
    service === undefined
      ? `the solution has no service ${alias}`
      : `the service ${alias} has no event ${event}`
  const message = `${what}: the handler ${name} runs only if a script or a person calls it`
  return [{ severity: 'warning', kind: 'handler', file, line, message }]
}
