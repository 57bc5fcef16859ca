import type { Queryable } from '../../database/index.ts'
import { type Fields, invalidField, isJsonObject, limits, parseJson } from '../../kernel/index.ts'
import type { ServiceSecrets } from '../configurations/service.ts'
import { readSealedEnvironment, writeSealedEnvironment } from '../store/environment.ts'
import { readProject } from '../store/solutions.ts'
import { changeSolution, requireSolution } from './change.ts'
import type { RegistryOptions } from './options.ts'
import type { Solution } from './solution.ts'

/** A variable of a solution. Its value is shown to nobody but the scripts. */
export type Variable = {
  readonly name: string
  readonly description: string
  /** True if `env_schema` names it as required. */
  readonly isRequired: boolean
  readonly hasDefault: boolean
  readonly isSet: boolean
}

/** What `os.getenv` gives to the scripts of a solution. */
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

/** A variable as `env_schema` of a project declares it. */
type Declared = Omit<Variable, 'isSet' | 'hasDefault'> & { readonly initial: string | undefined }

type Values = Readonly<Record<string, string>>

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
        if (merged.length > limits.environmentVariablesMax) {
          throw invalidField('values', `must be at most ${limits.environmentVariablesMax}`)
        }
        const text = JSON.stringify(Object.fromEntries(merged))
        const sealed = merged.length === 0 ? null : secrets.seal(text, contextOf(solutionId))
        await writeSealedEnvironment(transaction, businessId, solutionId, sealed)
        return true
      })
      return list(businessId, solutionId)
    },
  }
}

/** The variables of a solution as its machine gets them: what is set, else the default. */
export async function readEnvironment(
  secrets: ServiceSecrets,
  queryable: Queryable,
  businessId: string,
  solutionId: string,
): Promise<Values> {
  const declared = declaredIn(await readProject(queryable, businessId, solutionId))
  const initial = declared.flatMap(({ name, initial: value }) => {
    return value === undefined ? [] : [[name, value] as const]
  })
  const values = await readValues(secrets, queryable, businessId, solutionId)
  return { ...Object.fromEntries(initial), ...values }
}

/**
 * Reads `env_schema`: variables by name, or a JSON schema with them as `properties`; a list of
 * names; or of objects with a `name`. What cannot be a variable is passed over.
 */
export function declaredIn(project: Fields | null): Declared[] {
  const { env_schema: given } = project ?? {}
  const schema = isJsonObject(given) && isJsonObject(given.properties) ? given.properties : given
  const needed = isJsonObject(given) && Array.isArray(given.required) ? given.required : []
  const all = Array.isArray(schema) ? schema.map(entryOf) : Object.entries(fieldsOf(schema))
  const declared = all
    .filter(([name]) => variableName.test(name))
    .map(([name, value]) => declare(name, fieldsOf(value), needed.includes(name)))
  const byName = new Map(declared.map((one) => [one.name, one]))
  return [...byName.values()].slice(0, limits.environmentVariablesMax)
}

function entryOf(one: unknown): readonly [string, unknown] {
  return typeof one === 'string' ? [one, {}] : [String(fieldsOf(one).name ?? ''), one]
}

function declare(name: string, fields: Fields, isNeeded: boolean): Declared {
  const { description = '', required = isNeeded, default: value } = fields
  const isPlain = ['string', 'number', 'boolean'].includes(typeof value)
  return {
    name,
    description: typeof description === 'string' ? description : '',
    isRequired: required === true,
    initial: isPlain ? String(value) : undefined,
  }
}

const undeclared = (name: string): Declared => {
  return { name, description: '', isRequired: false, initial: undefined }
}

function fieldsOf(value: unknown): Fields {
  return isJsonObject(value) ? value : {}
}

const variableName = /^[A-Za-z_]\w{0,99}$/

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

async function readValues(
  secrets: ServiceSecrets,
  queryable: Queryable,
  businessId: string,
  solutionId: string,
): Promise<Values> {
  const sealed = await readSealedEnvironment(queryable, businessId, solutionId)
  if (sealed === null) return {}
  return parseJson(secrets.open(sealed, contextOf(solutionId))) as Values
}

function contextOf(solutionId: string): string {
  return `scripting/environment/${solutionId}`
}
