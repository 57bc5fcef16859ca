import { AnyValue, limits, RecordOf, StrictObject, Type } from '../../kernel/index.ts'
import { createShownDefinition } from '../../services/interface/index.ts'
import {
  component,
  json,
  Offset,
  PageSize,
  PathText,
  SearchText,
  solutionParams,
} from './common.ts'
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

const createOfferedService = () => {
  const { default_script_key, name, description, contact, tags } = createShownDefinition()
  const parameter = StrictObject({ name: Type.String(), type: Type.String() })
  return component(
    'OfferedService',
    {
      solution_id: Type.String(),
      own: Type.Boolean({ description: 'It is a solution of the own business.' }),
      default_script_key,
      name,
      description,
      contact,
      tags,
      parameters: Type.Array(parameter, { description: 'Settings of a subscription.' }),
    },
    { description: 'A solution that the business may use as a service.' },
  )
}

export const listServices = contract(
  {
    id: 'listServices',
    method: 'GET',
    path: '/api:1/services',
    permission: 'Setup',
    tag: 'interface',
    summary: 'List the exposed solutions that the business may use, oldest first.',
    description: 'Its own, and those of other businesses whose whitelist names it.',
  },
  () => ({
    query: StrictObject({
      text: Type.Optional(
        SearchText('Letters of an id, a script key, a name, a description or a tag, in any case.'),
      ),
      tag: Type.Optional(
        Type.String({ description: 'A whole tag.', maxLength: limits.interfaceTagCharsMax }),
      ),
      limit: PageSize(limits.servicesPageMax),
      offset: Offset(),
    }),
    answers: {
      200: json(
        'A page.',
        StrictObject({
          items: Type.Array(createOfferedService()),
          total: Type.Integer({ description: 'The number of all that fit.' }),
        }),
      ),
    },
  }),
)

const usableParams = StrictObject({
  solution: PathText('The id or the script key of a solution that the business may use.'),
})

const path = '/api:1/solution/:solution/definition'

export const getDefinition = contract(
  {
    id: 'getDefinition',
    method: 'GET',
    path,
    permission: 'Setup',
    tag: 'interface',
    summary: 'Show the service that a solution exposes.',
    description: 'Another business gets neither the scripts of operations nor the whitelist.',
  },
  () => ({
    params: usableParams,
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
    params: usableParams,
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
