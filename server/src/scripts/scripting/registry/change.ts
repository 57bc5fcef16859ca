import type { Queryable, Transaction } from '../../../foundation/database/index.ts'
import { Fault, limits } from '../../../foundation/kernel/index.ts'
import { scriptingLimits } from '../limits.ts'
import type { Solution } from '../schema.ts'
import { measureScripts } from '../store/scripts.ts'
import { lockSolution, raiseVersion, readVersion } from '../store/solutions.ts'
import type { RegistryOptions } from './options.ts'
import { isSolutionId } from './solution.ts'

/**
 * Changes what a solution's machine is built from, in one transaction that holds the solution:
 * changes of one solution go one after another. If `work` returns false nothing has changed.
 * @throws Fault not_found
 */
export async function changeSolution(
  { database, programs, clock }: RegistryOptions,
  businessId: string,
  solutionId: string,
  work: (transaction: Transaction, solution: Solution, at: number) => Promise<boolean>,
): Promise<void> {
  await database.transaction(async (transaction) => {
    const solution = await lockSolution(transaction, businessId, solutionId)
    if (solution === undefined) throw unknownSolution()
    const at = Math.max(clock.nowUs(), solution.updatedAt + 1)
    if (!(await work(transaction, solution, at))) return
    await checkTotalSize(transaction, businessId, solutionId)
    await raiseVersion(transaction, businessId, solutionId, at)
  })
  programs.forget(businessId, solutionId)
}

/** @throws Fault not_found where the business has no such solution. */
export async function requireSolution(
  queryable: Queryable,
  businessId: string,
  solutionId: string,
): Promise<void> {
  const known = isSolutionId(solutionId) && (await readVersion(queryable, businessId, solutionId))
  if (typeof known !== 'number') throw unknownSolution()
}

export function unknownSolution(): Fault {
  return new Fault('not_found', 'The business has no such solution.')
}

async function checkTotalSize(
  transaction: Transaction,
  businessId: string,
  solutionId: string,
): Promise<void> {
  const { count, bytes } = await measureScripts(transaction, businessId, solutionId)
  const { scriptsMax } = limits
  const { solutionSourceBytesMax } = scriptingLimits
  if (count > scriptsMax) {
    throw new Fault('invalid_argument', `A solution has at most ${scriptsMax} scripts.`)
  }
  if (bytes > solutionSourceBytesMax) {
    const most = `${solutionSourceBytesMax} bytes`
    throw new Fault('invalid_argument', `All scripts of a solution have at most ${most} together.`)
  }
}
