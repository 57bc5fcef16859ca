import { limits, Nullable, RecordOf, type Static, StrictObject, Type } from '../../kernel/index.ts'
import { component, json, solutionParams } from './common.ts'
import { contract } from './contract.ts'

const variableSchema = component(
  'Variable',
  {
    name: Type.String(),
    description: Type.String(),
    required: Type.Boolean({ description: 'True if `env_schema` names it as required.' }),
    has_default: Type.Boolean({ description: 'True if `env_schema` has a default for it.' }),
    is_set: Type.Boolean({ description: 'True if it has a value, which is shown to nobody.' }),
  },
  { description: 'A variable that scripts read with `os.getenv`.' },
)

export type VariableBody = Static<typeof variableSchema>

const variables = StrictObject({ variables: Type.Array(variableSchema) })
const path = '/api:1/solution/:solution/env'
const token: VariableBody = {
  name: 'TOKEN',
  description: 'Of the weather service.',
  required: true,
  has_default: false,
  is_set: true,
}

export const listVariables = contract(
  {
    id: 'listVariables',
    method: 'GET',
    path,
    permission: 'Setup',
    tag: 'solutions',
    summary: 'List the variables of a solution, without their values.',
  },
  () => ({
    params: solutionParams,
    answers: { 200: json('By name.', variables) },
    example: { answer: { variables: [token] } },
  }),
)

export const changeVariables = contract(
  {
    id: 'changeVariables',
    method: 'PATCH',
    path,
    permission: 'Setup',
    tag: 'solutions',
    summary: 'Set or remove variables of a solution.',
    description:
      'Values are stored encrypted, and are shown to nobody: only scripts read them, with ' +
      '`os.getenv`. A call that begins after the change has the new values.',
  },
  () => ({
    params: solutionParams,
    body: StrictObject({
      values: RecordOf(Nullable(Type.String()), {
        description:
          'By name. Null removes a value. A name has letters, digits and `_`; a value at most ' +
          `${limits.environmentValueBytesMax} bytes.`,
      }),
    }),
    answers: { 200: json('All variables, by name.', variables) },
    example: {
      request: { values: { TOKEN: 'f00', REGION: null } },
      answer: { variables: [token] },
    },
  }),
)
