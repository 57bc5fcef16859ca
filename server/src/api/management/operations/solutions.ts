import {
  limits,
  PageSize,
  SearchText,
  StrictObject,
  Type,
} from '../../../foundation/kernel/index.ts'
import {
  createNewSolutionSchema,
  createPushSchema,
  createSolutionChangeSchema,
  pulledSchema,
  pushedSchema,
  pushQuerySchema,
  solutionSchema,
  solutionUseSchema,
} from '../../../scripts/scripting/index.ts'
import { solutionArguments } from '../calls.ts'
import { confirm, does, largeBody, lists, makes, shows } from '../contract/common.ts'
import { managementLimits } from '../limits.ts'
import { operations } from '../operation.ts'

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
    return all.map((one) => ({ ...one, behind: waiting.get(one.id) }))
  },
)

export const createSolution = on.post(
  '',
  'Create a solution.',
  () => ({
    body: createNewSolutionSchema(),
    ...makes('The solution.', solutionSchema),
    refuses: ['already_exists'],
    example: {
      request: { id: 'pump', name: 'Pump station', limits: { wall_ms: 5_000 } },
      answer: exampleSolution,
    },
  }),
  ({ scripting: { solutions } }, { businessId, body }) => solutions.create(businessId, body),
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
    const [businessId, id] = solutionArguments(call)
    const solution = await solutions.get(businessId, id)
    return { ...solution, behind: (await behind(businessId)).get(id) }
  },
)

export const getSolutionUsage = on.get(
  '/:solution/usage',
  'Show what a solution uses of its limits now.',
  () => lists('items', solutionUseSchema, 'The limits.'),
  ({ scripting: { usage } }, call) => usage(...solutionArguments(call)),
)

export const updateSolution = on.patch(
  '/:solution',
  'Change the settings that the body names.',
  () => ({
    description: 'A call that begins after the change has the new limits.',
    body: createSolutionChangeSchema(),
    ...shows('The solution.', solutionSchema),
    example: { request: { limits: { wall_ms: 5_000 } }, answer: exampleSolution },
  }),
  ({ scripting: { solutions } }, call) => solutions.patch(...solutionArguments(call), call.body),
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
  ({ deletion }, call) => deletion.removeSolution(...solutionArguments(call), call.query.confirm),
)

const files = [{ path: 'device2_event.lua', text: 'log.info(event.identity)' }]

export const pullSolution = on.get(
  '/:solution/pull',
  'Return the scripts and services of a solution as a folder of files.',
  () => ({
    description:
      'Files are as they were pushed, byte for byte, if nothing of them was changed since. ' +
      'Secrets are left out. The same files, pushed, change nothing.',
    ...shows('The files.', pulledSchema),
    example: { answer: { files, static_files: [] } },
  }),
  ({ scripting: { folders } }, call) => folders.pull(...solutionArguments(call)),
)

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
    query: pushQuerySchema,
    body: largeBody(managementLimits.solutionPushBytesMax, createPushSchema()),
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
    const { files, ...rest } = call.body
    return folders.push(...solutionArguments(call), files, { ...call.query, ...rest })
  },
)
