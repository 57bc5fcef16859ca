import { limits, Nullable, RecordOf, StrictObject, Type } from '../../../foundation/kernel/index.ts'
import { variableSchema } from '../../../scripts/scripting/index.ts'
import { solutionArguments } from '../calls.ts'
import { lists } from '../contract/common.ts'
import { operations } from '../operation.ts'

const token = {
  name: 'TOKEN',
  description: 'Of the weather service.',
  required: true,
  has_default: false,
  is_set: true,
}

const on = operations('solutions', 'Setup', '/api:1/solution/:solution/env', { everyProcess: true })

export const listVariables = on.get(
  '',
  'List the variables of a solution, without their values.',
  () => ({
    ...lists('variables', variableSchema, 'By name.'),
    example: { answer: { variables: [token] } },
  }),
  ({ scripting: { environments } }, call) => environments.list(...solutionArguments(call)),
)

export const changeVariables = on.patch(
  '',
  'Set or remove variables of a solution.',
  () => ({
    description:
      'Values are stored encrypted, and are shown to nobody: only scripts read them, with ' +
      '`os.getenv`. A call that begins after the change has the new values.',
    body: StrictObject({
      values: RecordOf(Nullable(Type.String()), {
        description:
          'By name. Null removes a value. A name has letters, digits and `_`; a value at most ' +
          `${limits.environmentValueBytesMax} bytes.`,
      }),
    }),
    ...lists('variables', variableSchema, 'All variables, by name.'),
    example: {
      request: { values: { TOKEN: 'f00', REGION: null } },
      answer: { variables: [token] },
    },
  }),
  ({ scripting: { environments } }, call) =>
    environments.change(...solutionArguments(call), call.body.values),
)
