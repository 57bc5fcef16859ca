import { type Fields, invalidField, limits } from '../../../foundation/kernel/index.ts'
import { scriptingLimits } from '../limits.ts'
import type { Solution } from '../schema.ts'
import { writeSealedEnvironment } from '../store/environment.ts'
import { readProject } from '../store/solutions.ts'
import { changeSolution, requireSolution } from './change.ts'
import type { RegistryOptions } from './options.ts'
import {
  type Declared,
  declaredIn,
  readValues,
  sealContext,
  type Variable,
  variableName,
} from './variables.ts'

/** The values of `os.getenv` for the scripts of a solution. */
export type Environments = {
  /** The variables of its `env_schema`, and those that are set, by name. @throws Fault not_found */
  list(businessId: string, solutionId: string): Promise<Variable[]>
  /** Sets what is named; null removes a value. @throws Fault not_found, invalid_argument */
  change(
    businessId: string,
    solutionId: string,
    values: Readonly<Record<string, string | null>>,
  ): Promise<Variable[]>
}

/** Returns a note for each variable that a project needs and nobody has set. */
export async function missingVariables(
  { database, secrets }: Pick<RegistryOptions, 'database' | 'secrets'>,
  { businessId, id }: Pick<Solution, 'businessId' | 'id'>,
  project: Fields | null,
): Promise<{ readonly file: string; readonly message: string }[]> {
  const needed = declaredIn(project).filter(({ isRequired, initial }) => {
    return isRequired && initial === undefined
  })
  if (needed.length === 0) return []
  const values = await readValues(secrets, database, businessId, id)
  const missing = needed.filter(({ name }) => !Object.hasOwn(values, name))
  return missing.map(({ name }) => {
    return { file: 'murano.yaml', message: `the variable ${name} is required and not set yet` }
  })
}

export function createEnvironments(options: RegistryOptions): Environments {
  const { database, secrets } = options

  async function list(businessId: string, solutionId: string): Promise<Variable[]> {
    await requireSolution(database, businessId, solutionId)
    const declared = declaredIn(await readProject(database, businessId, solutionId))
    const values = await readValues(secrets, database, businessId, solutionId)
    const known = new Set(declared.map(({ name }) => name))
    const others = Object.keys(values).filter((name) => !known.has(name))
    return [...declared, ...others.map(undeclared)]
      .map(({ initial, ...variable }) => {
        const isSet = Object.hasOwn(values, variable.name)
        return Object.assign(variable, { hasDefault: initial !== undefined, isSet })
      })
      .sort((one, other) => (one.name < other.name ? -1 : 1))
  }

  return {
    list,
    async change(businessId, solutionId, given) {
      await requireSolution(database, businessId, solutionId)
      for (const [name, value] of Object.entries(given)) checkVariable(name, value)
      await changeSolution(options, businessId, solutionId, async (transaction) => {
        const before = await readValues(secrets, transaction, businessId, solutionId)
        const merged = Object.entries({ ...before, ...given }).filter(isGiven)
        if (merged.length > scriptingLimits.environmentVariablesMax) {
          throw invalidField('values', `must be at most ${scriptingLimits.environmentVariablesMax}`)
        }
        const text = JSON.stringify(Object.fromEntries(merged))
        const sealed = merged.length === 0 ? null : secrets.seal(text, sealContext(solutionId))
        await writeSealedEnvironment(transaction, businessId, solutionId, sealed)
        return true
      })
      return list(businessId, solutionId)
    },
  }
}

const undeclared = (name: string): Declared => {
  return { name, description: '', isRequired: false, initial: undefined }
}

/** @throws Fault invalid_argument */
function checkVariable(name: string, value: string | null): void {
  const shown = name.slice(0, limits.nameCharsMax)
  if (!variableName.test(name)) {
    throw invalidField(shown, 'must be letters, digits and _, a letter or _ first')
  }
  const bytes = Buffer.byteLength(value ?? '')
  if (bytes > limits.environmentValueBytesMax || value?.isWellFormed() === false) {
    throw invalidField(shown, `must be a text of at most ${limits.environmentValueBytesMax} bytes`)
  }
}

function isGiven(entry: readonly [string, string | null]): entry is [string, string] {
  return entry[1] !== null
}
