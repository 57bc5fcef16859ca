import { limits, type Static, StrictObject, Type } from '../../kernel/index.ts'
import {
  createFilesSchema,
  createNewSolutionSchema,
  createSolutionSchema,
  createStaticSchema,
  scriptKinds,
} from '../../scripting/index.ts'
import {
  component,
  json,
  Microseconds,
  nothing,
  PageSize,
  SearchText,
  solutionParams,
} from './common.ts'
import { contract } from './contract.ts'
import { confirm } from './schemas/dependants.ts'

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
  reuse_vm: Type.Boolean({ description: 'True if calls share one machine.' }),
  behind: Type.Optional(
    StrictObject(
      {
        pending: Type.Integer({
          description: 'The events that wait; more may wait than are counted.',
        }),
        oldest_at: Microseconds(),
      },
      {
        description:
          'When a solution is read, if its scripts are slower than its devices: the events of ' +
          'the business that wait in the log, and when the oldest of them was taken.',
      },
    ),
  ),
  created_at: Microseconds(),
  updated_at: Microseconds(),
})

export type SolutionBody = Static<typeof solutionSchema>

export const listSolutions = contract(
  {
    id: 'listSolutions',
    method: 'GET',
    path: '/api:1/solution',
    permission: 'Setup',
    tag: 'solutions',
    summary: 'List the solutions of the business, oldest first.',
  },
  () => ({
    query: StrictObject({
      text: Type.Optional(SearchText('Letters of the id or the name, in any case.')),
      limit: PageSize(limits.solutionsMax),
    }),
    answers: {
      200: json('The solutions.', StrictObject({ solutions: Type.Array(solutionSchema) })),
    },
  }),
)

export const createSolution = contract(
  {
    id: 'createSolution',
    method: 'POST',
    path: '/api:1/solution',
    permission: 'Setup',
    tag: 'solutions',
    summary: 'Create a solution.',
  },
  () => ({
    body: component('NewSolution', createNewSolutionSchema().properties),
    answers: { 201: json('The solution.', solutionSchema) },
    refuses: ['already_exists'],
    example: {
      request: { id: 'pump', name: 'Pump station', limits: { wall_ms: 5_000 } },
      answer: exampleSolution,
    },
  }),
)

const exampleSolution: SolutionBody = {
  id: 'pump',
  name: 'Pump station',
  description: '',
  version: 1,
  limits: { wall_ms: 5_000 },
  reuse_vm: true,
  created_at: 1_767_225_600_000_000,
  updated_at: 1_767_225_600_000_000,
}

export const getSolution = contract(
  {
    id: 'getSolution',
    method: 'GET',
    path: '/api:1/solution/:solution',
    permission: 'Setup',
    tag: 'solutions',
    summary: 'Show a solution.',
  },
  () => ({
    params: solutionParams,
    answers: { 200: json('The solution.', solutionSchema) },
  }),
)

const useSchema = component('SolutionUse', {
  limit: Type.String({ description: 'As the reference of limits names it.' }),
  used: Type.Integer(),
  max: Type.Integer(),
})

export const getSolutionUsage = contract(
  {
    id: 'getSolutionUsage',
    method: 'GET',
    path: '/api:1/solution/:solution/usage',
    permission: 'Setup',
    tag: 'solutions',
    summary: 'Show what a solution uses of its limits now.',
  },
  () => ({
    params: solutionParams,
    answers: { 200: json('The limits.', StrictObject({ items: Type.Array(useSchema) })) },
  }),
)

export const updateSolution = contract(
  {
    id: 'updateSolution',
    method: 'PATCH',
    path: '/api:1/solution/:solution',
    permission: 'Setup',
    tag: 'solutions',
    summary: 'Change the settings that the body names.',
    description: 'A call that begins after the change has the new limits.',
  },
  () => ({
    params: solutionParams,
    body: component('SolutionChange', createSolutionSchema().properties),
    answers: { 200: json('The solution.', solutionSchema) },
    example: { request: { limits: { wall_ms: 5_000 } }, answer: exampleSolution },
  }),
)

export const deleteSolution = contract(
  {
    id: 'deleteSolution',
    method: 'DELETE',
    path: '/api:1/solution/:solution',
    permission: 'Setup',
    tag: 'solutions',
    summary: 'Delete a solution with its scripts, services, keys and failures.',
    description:
      'A solution that has it as a service loses that service, and has a line in its log. If ' +
      'anything depends on it, it is refused unless `confirm` is its name or its id.',
  },
  () => ({
    params: solutionParams,
    query: StrictObject({ confirm }),
    answers: { 204: nothing('It is deleted.') },
    refuses: ['in_use'],
  }),
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
  static_files: Type.Optional(
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

export type PushedBody = Static<typeof pushedSchema>

const files = [{ path: 'device2_event.lua', text: 'log.info(event.identity)' }]

export const pullSolution = contract(
  {
    id: 'pullSolution',
    method: 'GET',
    path: '/api:1/solution/:solution/pull',
    permission: 'Setup',
    tag: 'solutions',
    summary: 'Return the scripts and services of a solution as a folder of files.',
    description:
      'Files are as they were pushed, byte for byte, if nothing of them was changed since. ' +
      'Secrets are left out. The same files, pushed, change nothing.',
  },
  () => ({
    params: solutionParams,
    answers: {
      200: json(
        'The files.',
        StrictObject({
          files: Type.Array(StrictObject({ path: Type.String(), text: Type.String() })),
          static_files: Type.Array(StrictObject({ path: Type.String(), etag: Type.String() }), {
            description: 'The bytes of each: `getStaticFile`.',
          }),
        }),
      ),
    },
    example: { answer: { files, static_files: [] } },
  }),
)

const flag = (description: string) => Type.Optional(Type.Boolean({ description }))

/** Whether a change may take away what subscribers rely on. */
export const allowBreaking = flag('The change is made even if it breaks subscribers.')

export const pushSolution = contract(
  {
    id: 'pushSolution',
    method: 'POST',
    path: '/api:1/solution/:solution/push',
    permission: 'Setup',
    tag: 'solutions',
    summary: 'Make the scripts of a solution those of a folder, all or nothing.',
    description:
      'Services of the folder are added or changed; others stay. Scripts that the folder does ' +
      'not have are removed, except handlers that a service supplied and nobody changed. ' +
      'Settings and services that are unknown are kept, and listed as notes. Static files are ' +
      'named by the SHA-256 of their bytes, which `uploadStaticFile` takes before; they are ' +
      'replaced in the same transaction.',
  },
  () => ({
    params: solutionParams,
    query: StrictObject({
      allow_breaking: allowBreaking,
      dry_run: flag('Nothing is changed.'),
      keep: flag('Scripts that the folder does not have stay, and are listed as `kept`.'),
    }),
    body: {
      stream: ['application/json'],
      bytesMax: limits.solutionPushBytesMax,
      schema: StrictObject({
        files: createFilesSchema(),
        static_files: Type.Optional(createStaticSchema()),
      }),
    },
    answers: { 200: json('What has changed.', pushedSchema) },
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
)
