import {
  AnyValue,
  component,
  Fault,
  limits,
  RecordOf,
  StrictObject,
  Type,
} from '../../kernel/index.ts'
import { createShownDefinition } from '../../services/interface/index.ts'
import { solutionOf } from '../calls.ts'
import { Offset, PageSize, PathText, SearchText, shows } from '../contract/common.ts'
import { operations } from '../operation.ts'

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

const on = operations('interface', 'Setup', '/api:1', { everyProcess: true })
const usable = operations('interface', 'Setup', '/api:1/solution/:solution/definition', {
  everyProcess: true,
  params: {
    solution: PathText('The id or the script key of a solution that the business may use.'),
  },
})

export const listServices = on.get(
  '/services',
  'List the exposed solutions that the business may use, oldest first.',
  () => ({
    description: 'Its own, and those of other businesses whose whitelist names it.',
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
    ...shows(
      'A page.',
      StrictObject({
        items: Type.Array(createOfferedService()),
        total: Type.Integer({ description: 'The number of all that fit.' }),
      }),
    ),
  }),
  async ({ interfaces: { definitions } }, { businessId, query }) => {
    const { limit = limits.servicesPageDefault, offset = 0, text, tag } = query
    return await definitions.list(businessId, { text, tag, offset, limit })
  },
)

export const getDefinition = usable.get(
  '',
  'Show the service that a solution exposes.',
  () => ({
    description: 'Another business gets neither the scripts of operations nor the whitelist.',
    ...shows('Its definition.', createDefinition()),
  }),
  ({ interfaces: { definitions } }, call) => definitions.get(...solutionOf(call)),
)

export const checkDefinition = on.post(
  '/solution/:solution/definition/check',
  'Compare a definition with the live one, and change nothing.',
  () => ({
    description: 'A change is refused if it breaks a subscriber, unless it allows that.',
    body: RecordOf(AnyValue<unknown>(), {
      component: 'NewInterfaceDefinition',
      description:
        'The fields of a definition, or `parameters` with them. The service checks them.',
    }),
    ...shows(
      'What the definition takes away.',
      StrictObject({ changes: Type.Array(breakingChange) }),
    ),
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
  async ({ scripting: { solutions }, interfaces: { definitions } }, call) => {
    await solutions.get(...solutionOf(call))
    return { changes: await definitions.check(...solutionOf(call), call.body) }
  },
)

export const getInterfaceClient = usable.get(
  '/client',
  'Generate a typed client of an exposed solution.',
  () => ({
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
    ...shows('The client.', StrictObject({ text: Type.String({ description: 'A module.' }) })),
  }),
  async ({ interfaces: { clients } }, call) => {
    const { language, key } = call.query
    const where = solutionOf(call)
    if (language === 'lua') return { text: await clients.lua(...where, key) }
    if (key === undefined) return { text: await clients.typescript(...where) }
    throw new Fault('invalid_argument', 'key is for the language lua')
  },
)
