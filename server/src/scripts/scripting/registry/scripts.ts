import { Fault, invalidField } from '../../../foundation/kernel/index.ts'
import type { Script, ScriptKey } from '../schema.ts'
import { deleteScripts, readScript, readScripts, writeScripts } from '../store/scripts.ts'
import { changeSolution, requireSolution } from './change.ts'
import { findProblems, headerProblems, throwProblems } from './check.ts'
import type { RegistryOptions } from './options.ts'
import { findRouteConflicts } from './route-conflicts.ts'
import { checkName, defaultPath, refuseSource } from './script.ts'

/** The scripts of a solution, one by one; a whole folder of them is pushed. */
export type SolutionScripts = {
  /** In the order of their files. @throws Fault not_found */
  list(businessId: string, solutionId: string): Promise<Script[]>
  /** @throws Fault not_found */
  get(businessId: string, solutionId: string, key: ScriptKey): Promise<Script>
  /** Adds it, or takes the place of the one before. @throws Fault not_found, invalid_argument,
   * script_refused with file and line where it cannot be compiled */
  put(businessId: string, solutionId: string, key: ScriptKey, source: string): Promise<Script>
  /** @throws Fault not_found */
  remove(businessId: string, solutionId: string, key: ScriptKey): Promise<void>
}

export function createSolutionScripts(options: RegistryOptions): SolutionScripts {
  const { database, host } = options

  async function get(businessId: string, solutionId: string, key: ScriptKey): Promise<Script> {
    await requireSolution(database, businessId, solutionId)
    const script = await readScript(database, businessId, solutionId, key)
    if (script === undefined) throw unknownScript()
    return script
  }

  return {
    async list(businessId, solutionId) {
      await requireSolution(database, businessId, solutionId)
      return readScripts(database, businessId, solutionId)
    },
    get,
    async put(businessId, solutionId, key, source) {
      await requireSolution(database, businessId, solutionId)
      checkName(key)
      const rule = refuseSource(source)
      if (rule !== undefined) throw invalidField('source', rule)
      const script = { ...key, file: defaultPath(key), firstLine: 1, source }
      throwProblems([
        ...headerProblems(script),
        ...(await findProblems(host, solutionId, [script])),
      ])
      await changeSolution(options, businessId, solutionId, async (transaction, _, at) => {
        const before = await readScript(transaction, businessId, solutionId, key)
        if (before?.source === source) return false
        if (before === undefined && key.kind === 'endpoint') {
          const others = await readScripts(transaction, businessId, solutionId)
          throwProblems(findRouteConflicts([...others, script]))
        }
        await writeScripts(transaction, businessId, solutionId, [script], at)
        return true
      })
      return get(businessId, solutionId, key)
    },
    async remove(businessId, solutionId, key) {
      await requireSolution(database, businessId, solutionId)
      await changeSolution(options, businessId, solutionId, async (transaction) => {
        const removed = await deleteScripts(transaction, businessId, solutionId, [key])
        if (removed === 0) throw unknownScript()
        return true
      })
    },
  }
}

function unknownScript(): Fault {
  return new Fault('not_found', 'The solution has no such script.')
}
