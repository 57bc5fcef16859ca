import { AnyValue, limits, RecordOf, StrictObject, Type } from '../../kernel/index.ts'
import { createShownDefinition } from '../../services/interface/index.ts'
import { component, json, PathText, solutionParams } from './common.ts'
import { contract } from './contract.ts'

/** The definition of an exposed solution, with the defaults of all its fields. */
const createDefinition = () =>
  component('InterfaceDefinition', createShownDefinition(), {
    description: 'The service that a solution exposes.',
  })

const breakingChange = component(
  'BreakingChange',
  {
    part: Type.Enum(['operation', 'event', 'parameter', 'mode']),
    name: Type.String({ description: 'Of the operation, the event or the parameter.' }),
    change: Type.String({ description: 'A sentence for people.' }),
    subscribers: Type.Array(
      StrictObject({
        instance_id: Type.String({ description: 'The id of the subscription.' }),
        solution_id: Type.String(),
      }),
      { description: 'Those that it breaks.' },
    ),
  },
  { description: 'A difference on which a subscriber may rely.' },
)

const path = '/api:1/solution/:solution/definition'

export const getDefinition = contract(
  {
    id: 'getDefinition',
    method: 'GET',
    path,
    permission: 'Setup',
    tag: 'interface',
    summary: 'Show the service that a solution exposes.',
  },
  () => ({
    params: solutionParams,
    answers: { 200: json('Its definition.', createDefinition()) },
  }),
)

export const checkDefinition = contract(
  {
    id: 'checkDefinition',
    method: 'POST',
    path: `${path}/check`,
    permission: 'Setup',
    tag: 'interface',
    summary: 'Compare a definition with the live one, and change nothing.',
    description: 'A change is refused if it breaks a subscriber, unless it allows that.',
  },
  () => ({
    params: solutionParams,
    body: RecordOf(AnyValue<unknown>(), {
      component: 'NewInterfaceDefinition',
      description:
        'The fields of a definition, or `parameters` with them. The service checks them.',
    }),
    answers: {
      200: json(
        'What the definition takes away.',
        StrictObject({ changes: Type.Array(breakingChange) }),
      ),
    },
    example: {
      request: { operations: [{ name: 'ping', script: 'return 1' }] },
      answer: {
        changes: [
          {
            part: 'operation',
            name: 'fill',
            change: 'is gone',
            subscribers: [
              { instance_id: '0b8f4c1e-5d0a-4f6c-9a37-2b1c7d9e6f10', solution_id: 'garden' },
            ],
          },
        ],
      },
    },
  }),
)

export const getInterfaceClient = contract(
  {
    id: 'getInterfaceClient',
    method: 'GET',
    path: `${path}/client`,
    permission: 'Setup',
    tag: 'interface',
    summary: 'Generate a typed client of an exposed solution.',
  },
  () => ({
    params: StrictObject({
      solution: PathText('The id or the script key of a solution that the business may use.'),
    }),
    query: StrictObject({
      language: Type.Enum(['typescript', 'lua'], {
        description: '`typescript`: for programs that call the API; `lua`: for scripts.',
      }),
      key: Type.Optional(
        Type.String({
          description: "Of Lua: its name in these scripts. Left out: the service's own.",
          maxLength: limits.nameCharsMax,
        }),
      ),
    }),
    answers: {
      200: json('The client.', StrictObject({ text: Type.String({ description: 'A module.' }) })),
    },
  }),
)
