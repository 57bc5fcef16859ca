import {
  component,
  limits,
  Microseconds,
  omitUndefined,
  StrictObject,
  Type,
} from '../../kernel/index.ts'
import {
  createFilesSchema,
  createNewSolutionSchema,
  createSolutionSchema,
  createStaticSchema,
  limitWords,
  type Solution,
  scriptKinds,
} from '../../scripting/index.ts'
import { solutionOf } from '../calls.ts'
import {
  confirm,
  does,
  largeBody,
  lists,
  makes,
  PageSize,
  SearchText,
  shows,
} from '../contract/common.ts'
import { operations } from '../operation.ts'

const limitsDescription = 'The limits that differ from the defaults.'

const solutionSchema = component('Solution', {
  id: Type.String({ description: 'Also the label of its host.' }),
  name: Type.String(),
  description: Type.String(),
  version: Type.Integer({
    description: 'It grows with each change of scripts, services or limits.',
  }),
  limits: StrictObject(
    {
      memory_bytes: Type.Optional(Type.Integer()),
      cpu_ms: Type.Optional(Type.Integer()),
      wall_ms: Type.Optional(Type.Integer()),
      value_bytes: Type.Optional(Type.Integer()),
      service_calls: Type.Optional(Type.Integer()),
      log_bytes: Type.Optional(Type.Integer()),
    },
    { description: limitsDescription },
  ),
  reuseVm: Type.Boolean({ description: 'True if calls share one machine.' }),
  behind: Type.Optional(
    StrictObject(
      {
        pending: Type.Integer({
          description: 'The events that wait; more may wait than are counted.',
        }),
        oldestAt: Microseconds(),
      },
      {
        description:
          'When a solution is read, if its scripts are slower than its devices: the events of ' +
          'the business that wait in the log, and when the oldest of them was taken.',
      },
    ),
  ),
  createdAt: Microseconds(),
  updatedAt: Microseconds(),
})

const on = operations('solutions', 'Setup', '/api:1/solution', { everyProcess: true })

export const listSolutions = on.get(
  '',
  'List the solutions of the business, oldest first.',
  () => ({
    query: StrictObject({
      text: Type.Optional(SearchText('Letters of the id or the name, in any case.')),
      limit: PageSize(limits.solutionsMax),
    }),
    ...lists('solutions', solutionSchema, 'The solutions.'),
  }),
  async ({ scripting: { solutions, behind } }, { businessId, query }) => {
    const all = await solutions.list(businessId, query)
    const waiting = await behind(businessId)
    return { solutions: all.map((one) => solutionBody(one, waiting.get(one.id))) }
  },
)

export const createSolution = on.post(
  '',
  'Create a solution.',
  () => ({
    body: component('NewSolution', createNewSolutionSchema().properties),
    ...makes('The solution.', solutionSchema),
    refuses: ['already_exists'],
    example: {
      request: { id: 'pump', name: 'Pump station', limits: { wall_ms: 5_000 } },
      answer: exampleSolution,
    },
  }),
  async ({ scripting: { solutions } }, { businessId, body }) =>
    solutionBody(await solutions.create(businessId, body)),
)

const exampleSolution = {
  id: 'pump',
  name: 'Pump station',
  description: '',
  version: 1,
  limits: { wall_ms: 5_000 },
  reuse_vm: true,
  created_at: 1_767_225_600_000_000,
  updated_at: 1_767_225_600_000_000,
}

export const getSolution = on.get(
  '/:solution',
  'Show a solution.',
  () => shows('The solution.', solutionSchema),
  async ({ scripting: { solutions, behind } }, call) => {
    const [businessId, id] = solutionOf(call)
    const solution = await solutions.get(businessId, id)
    return solutionBody(solution, (await behind(businessId)).get(id))
  },
)

const useSchema = component('SolutionUse', {
  limit: Type.String({ description: 'As the reference of limits names it.' }),
  used: Type.Integer(),
  max: Type.Integer(),
})

export const getSolutionUsage = on.get(
  '/:solution/usage',
  'Show what a solution uses of its limits now.',
  () => lists('items', useSchema, 'The limits.'),
  async ({ scripting: { usage } }, call) => ({ items: await usage(...solutionOf(call)) }),
)

export const updateSolution = on.patch(
  '/:solution',
  'Change the settings that the body names.',
  () => ({
    description: 'A call that begins after the change has the new limits.',
    body: component('SolutionChange', createSolutionSchema().properties),
    ...shows('The solution.', solutionSchema),
    example: { request: { limits: { wall_ms: 5_000 } }, answer: exampleSolution },
  }),
  async ({ scripting: { solutions } }, call) =>
    solutionBody(await solutions.patch(...solutionOf(call), call.body)),
)

export const deleteSolution = on.remove(
  '/:solution',
  'Delete a solution with its scripts, services, keys and failures.',
  () => ({
    description:
      'A solution that has it as a service loses that service, and has a line in its log. If ' +
      'anything depends on it, it is refused unless `confirm` is its name or its id.',
    query: StrictObject({ confirm }),
    ...does('It is deleted.'),
    refuses: ['in_use'],
  }),
  ({ deletion }, call) => deletion.removeSolution(...solutionOf(call), call.query.confirm),
)

const scriptKey = StrictObject({ kind: Type.Enum([...scriptKinds]), name: Type.String() })
const scriptKeys = Type.Array(scriptKey)
const paths = Type.Array(Type.String(), { description: 'Paths.' })
const aliases = Type.Array(Type.String(), { description: 'Script keys.' })

const pushedSchema = component('Pushed', {
  added: scriptKeys,
  changed: scriptKeys,
  removed: scriptKeys,
  unchanged: scriptKeys,
  kept: Type.Optional(
    Type.Array(scriptKey, {
      description: 'Scripts that the folder does not have, if they stay.',
    }),
  ),
  project: Type.Optional(
    Type.Literal('changed', { description: 'Present if murano.yaml has changed.' }),
  ),
  notes: Type.Optional(
    Type.Array(StrictObject({ file: Type.String(), message: Type.String() }), {
      description: 'What is kept without an effect, or has another one than might be expected.',
    }),
  ),
  services: StrictObject({ added: aliases, changed: aliases, unchanged: aliases }),
  staticFiles: Type.Optional(
    StrictObject(
      {
        added: paths,
        changed: paths,
        removed: paths,
        kept: Type.Optional(paths),
        missing: Type.Array(Type.String(), {
          description: 'Etags of bytes that have to be uploaded first.',
        }),
      },
      { description: 'Present if the push has static files.' },
    ),
  ),
})

const files = [{ path: 'device2_event.lua', text: 'log.info(event.identity)' }]

export const pullSolution = on.get(
  '/:solution/pull',
  'Return the scripts and services of a solution as a folder of files.',
  () => ({
    description:
      'Files are as they were pushed, byte for byte, if nothing of them was changed since. ' +
      'Secrets are left out. The same files, pushed, change nothing.',
    ...shows(
      'The files.',
      StrictObject({
        files: Type.Array(StrictObject({ path: Type.String(), text: Type.String() })),
        staticFiles: Type.Array(StrictObject({ path: Type.String(), etag: Type.String() }), {
          description: 'The bytes of each: `getStaticFile`.',
        }),
      }),
    ),
    example: { answer: { files, static_files: [] } },
  }),
  ({ scripting: { folders } }, call) => folders.pull(...solutionOf(call)),
)

const flag = (description: string) => Type.Optional(Type.Boolean({ description }))

/** Whether a change may take away what subscribers rely on. */
export const allowBreaking = flag('The change is made even if it breaks subscribers.')

export const pushSolution = on.post(
  '/:solution/push',
  'Make the scripts of a solution those of a folder, all or nothing.',
  () => ({
    description:
      'Services of the folder are added or changed; others stay. Scripts that the folder does ' +
      'not have are removed, except handlers that a service supplied and nobody changed. ' +
      'Settings and services that are unknown are kept, and listed as notes. Static files are ' +
      'named by the SHA-256 of their bytes, which `uploadStaticFile` takes before; they are ' +
      'replaced in the same transaction.',
    query: StrictObject({
      allowBreaking,
      dryRun: flag('Nothing is changed.'),
      keep: flag('Scripts that the folder does not have stay, and are listed as `kept`.'),
    }),
    body: largeBody(
      limits.solutionPushBytesMax,
      StrictObject({
        files: createFilesSchema(),
        staticFiles: Type.Optional(createStaticSchema()),
      }),
    ),
    ...shows('What has changed.', pushedSchema),
    refuses: ['script_refused', 'breaking_change', 'already_exists'],
    example: {
      request: { files },
      answer: {
        added: [{ kind: 'handler', name: 'device2_event' }],
        changed: [],
        removed: [],
        unchanged: [],
        services: { added: [], changed: [], unchanged: [] },
      },
    },
  }),
  async ({ scripting: { folders } }, call) => {
    const { files, staticFiles } = call.body
    const options = omitUndefined({ ...call.query, staticFiles })
    return folders.push(...solutionOf(call), files, options)
  },
)

/** A solution as the API shows it, which has other names of limits. */
function solutionBody(
  solution: Solution,
  behind?: { readonly pending: number; readonly oldestAt: number },
) {
  const limits = Object.entries(solution.limits).map(([limit, value]) => {
    return [limitWords[limit as keyof typeof limitWords], value] as const
  })
  return { ...solution, limits: Object.fromEntries(limits), ...(behind && { behind }) }
}
