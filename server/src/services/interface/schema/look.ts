import { Fault, limits } from '../../../kernel/index.ts'

/** One look at one value: where it is, and how much more it may do. */
export type Look = {
  steps: number
  readonly path: (string | number)[]
  readonly emptyTables: boolean
}

/** @throws Fault too_complex */
export function spend(look: Look, steps: number): void {
  look.steps -= steps
  if (look.steps >= 0) return
  const most = limits.payloadStepsMax
  throw new Fault('too_complex', `${placeOf(look)} takes more than ${most} steps to be checked`)
}

export function within<Result>(look: Look, key: string | number, work: () => Result): Result {
  look.path.push(key)
  const result = work()
  // A refusal leaves the path as it is: nothing more is looked at.
  look.path.pop()
  return result
}

/** What is wrong, with the path of the value and the keyword of the schema. */
export function breach(look: Look, keyword: string, rule: string): Fault {
  return new Fault('invalid_argument', `${placeOf(look)} ${rule} (${keyword})`)
}

const plain = /^[A-Za-z_][A-Za-z0-9_]{0,99}$/

function placeOf({ path: [name, ...keys] }: Look): string {
  const rest = keys.map((key) => {
    if (typeof key === 'string' && plain.test(key)) return `.${key}`
    const shown = typeof key === 'string' ? key.slice(0, limits.nameCharsMax) : key
    return `[${JSON.stringify(shown)}]`
  })
  return `${name}${rest.join('')}`
}
