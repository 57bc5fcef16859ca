import type { Queryable } from '../../../foundation/database/index.ts'
import {
  component,
  type Fields,
  isJsonObject,
  parseOwnJson,
  type StaticResult,
  Type,
} from '../../../foundation/kernel/index.ts'
import type { ServiceSecrets } from '../configurations/service.ts'
import { scriptingLimits } from '../limits.ts'
import { readSealedEnvironment } from '../store/environment.ts'
import { readProject } from '../store/solutions.ts'

/** A variable of a solution. Its value is shown to nobody but the scripts. */
export const variableSchema = component(
  'Variable',
  {
    name: Type.String(),
    description: Type.String(),
    isRequired: Type.Boolean({
      description: 'True if `env_schema` names it as required.',
      wire: 'required',
    }),
    hasDefault: Type.Boolean({ description: 'True if `env_schema` has a default for it.' }),
    isSet: Type.Boolean({ description: 'True if it has a value, which is shown to nobody.' }),
  },
  { description: 'A variable that scripts read with `os.getenv`.' },
)
export type Variable = StaticResult<typeof variableSchema>

/** A variable as `env_schema` of a project declares it. */
export type Declared = Omit<Variable, 'isSet' | 'hasDefault'> & {
  readonly initial: string | undefined
}

type Values = Readonly<Record<string, string>>

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
 * names; or of objects with a `name`. An entry that cannot be a variable is passed over.
 */
export function declaredIn(project: Fields | null): Declared[] {
  const { env_schema: given } = project ?? {}
  const schema = isJsonObject(given) && isJsonObject(given.properties) ? given.properties : given
  const needed = isJsonObject(given) && Array.isArray(given.required) ? given.required : []
  const all = Array.isArray(schema) ? schema.map(toEntry) : Object.entries(toFields(schema))
  const declared = all
    .filter(([name]) => variableName.test(name))
    .map(([name, value]) => declare(name, toFields(value), needed.includes(name)))
  const byName = new Map(declared.map((one) => [one.name, one]))
  return [...byName.values()].slice(0, scriptingLimits.environmentVariablesMax)
}

function toEntry(one: unknown): readonly [string, unknown] {
  return typeof one === 'string' ? [one, {}] : [String(toFields(one).name ?? ''), one]
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

function toFields(value: unknown): Fields {
  return isJsonObject(value) ? value : {}
}

/** The possible names of a variable. */
export const variableName = /^[A-Za-z_]\w{0,99}$/

/** The values that are set. */
export async function readValues(
  secrets: ServiceSecrets,
  queryable: Queryable,
  businessId: string,
  solutionId: string,
): Promise<Values> {
  const sealed = await readSealedEnvironment(queryable, businessId, solutionId)
  if (sealed === null) return {}
  return parseOwnJson<Values>(secrets.open(sealed, sealContext(solutionId)))
}

/** The context in which values are sealed. */
export function sealContext(solutionId: string): string {
  return `scripting/environment/${solutionId}`
}
