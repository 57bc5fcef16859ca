import { Fault, limits } from '../../../../foundation/kernel/index.ts'
import { interfaceLimits } from '../limits.ts'

/** The state of one check: the current path, and the steps that are left. */
export type CheckState = {
  steps: number
  readonly path: (string | number)[]
  readonly emptyTables: boolean
}

/** Counts steps. @throws Fault too_complex */
export function spend(state: CheckState, steps: number): void {
  state.steps -= steps
  if (state.steps >= 0) return
  const most = interfaceLimits.payloadStepsMax
  throw new Fault(
    'too_complex',
    `${formatPlace(state)} takes more than ${most} steps to be checked`,
  )
}

export function within<Result>(
  state: CheckState,
  key: string | number,
  work: () => Result,
): Result {
  state.path.push(key)
  const result = work()
  // After a refusal the path is not restored: the check has ended.
  state.path.pop()
  return result
}

/** Returns the fault for a value that breaks a keyword, with the value's path. */
export function breach(state: CheckState, keyword: string, rule: string): Fault {
  return new Fault('invalid_argument', `${formatPlace(state)} ${rule} (${keyword})`)
}

const plain = /^[A-Za-z_][A-Za-z0-9_]{0,99}$/

function formatPlace({ path: [name, ...keys] }: CheckState): string {
  const rest = keys.map((key) => {
    if (typeof key === 'string' && plain.test(key)) return `.${key}`
    const shown = typeof key === 'string' ? key.slice(0, limits.nameCharsMax) : key
    return `[${JSON.stringify(shown)}]`
  })
  return `${name}${rest.join('')}`
}
