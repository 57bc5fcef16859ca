import {
  AnyValue,
  Fault,
  limits,
  PageSize,
  RecordOf,
  SearchText,
  StrictObject,
  Type,
} from '../../../foundation/kernel/index.ts'
import {
  breakingSchema,
  createOfferedSchema,
  createShownSchema,
} from '../../../scripts/services/interface/index.ts'
import { solutionArguments } from '../calls.ts'
import { holds, lists, Offset, PathText, shows } from '../contract/common.ts'
import { operations } from '../operation.ts'

/** Exposed solutions that one page of the services of a business lists if nothing is set. */
const servicesPageDefault = 20
/** Exposed solutions that one page of the services of a business lists. */
const servicesPageMax = 100

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
      limit: PageSize(servicesPageMax),
      offset: Offset(),
    }),
    ...shows(
      'A page.',
      StrictObject({
        items: Type.Array(createOfferedSchema()),
        total: Type.Integer({ description: 'The number of all that fit.' }),
      }),
    ),
  }),
  async ({ interfaces: { definitions } }, { businessId, query }) => {
    const { limit = servicesPageDefault, offset = 0, text, tag } = query
    return await definitions.list(businessId, { text, tag, offset, limit })
  },
)

export const getDefinition = usable.get(
  '',
  'Show the service that a solution exposes.',
  () => ({
    description: 'Another business gets neither the scripts of operations nor the whitelist.',
    ...shows('Its definition.', createShownSchema()),
  }),
  ({ interfaces: { definitions } }, call) => definitions.get(...solutionArguments(call)),
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
    ...lists('changes', breakingSchema, 'What the definition takes away.'),
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
    await solutions.get(...solutionArguments(call))
    return definitions.check(...solutionArguments(call), call.body)
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
    ...holds('text', Type.String({ description: 'A module.' }), 'The client.'),
  }),
  async ({ interfaces: { clients } }, call) => {
    const { language, key } = call.query
    const where = solutionArguments(call)
    if (language === 'lua') return clients.lua(...where, key)
    if (key === undefined) return clients.typescript(...where)
    throw new Fault('invalid_argument', 'key is for the language lua')
  },
)
