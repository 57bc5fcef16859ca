import { type Static, StrictObject, Type } from '../../kernel/index.ts'
import { scriptKinds, sourceSchema } from '../../scripting/index.ts'
import { component, json, Microseconds, nothing, PathText, solutionParams } from './common.ts'
import { contract } from './contract.ts'

const shownFields = {
  kind: Type.Enum([...scriptKinds]),
  name: Type.String({ description: '`<service>_<event>`, `<METHOD> /path`, `a.b` or a file.' }),
  file: Type.String({ description: "Its file in its author's folder, as errors name it." }),
  created_at: Microseconds(),
  updated_at: Microseconds(),
}

const scriptSchema = component('Script', { ...shownFields, source: Type.String() })

const scriptLineSchema = component(
  'ScriptLine',
  { ...shownFields, size: Type.Integer({ description: 'The bytes of its source.' }) },
  { description: 'A script without its source.' },
)

export type ScriptBody = Static<typeof scriptSchema>
export type ScriptLineBody = Static<typeof scriptLineSchema>

const scriptParams = StrictObject({
  solution: PathText('The id of a solution.'),
  name: PathText('The name of a script, percent-encoded.'),
})

const kindQuery = StrictObject({
  kind: Type.Optional(
    Type.Enum([...scriptKinds], {
      description: 'Needed if the name has the shape of another kind.',
    }),
  ),
})

const path = '/api:1/solution/:solution/script/:name'

export const listScripts = contract(
  {
    id: 'listScripts',
    method: 'GET',
    path: '/api:1/solution/:solution/script',
    permission: 'Setup',
    tag: 'solutions',
    summary: 'List the scripts of a solution, without their sources.',
  },
  () => ({
    params: solutionParams,
    answers: {
      200: json('The scripts.', StrictObject({ scripts: Type.Array(scriptLineSchema) })),
    },
  }),
)

export const getScript = contract(
  {
    id: 'getScript',
    method: 'GET',
    path,
    permission: 'Setup',
    tag: 'solutions',
    summary: 'Show a script.',
  },
  () => ({
    params: scriptParams,
    query: kindQuery,
    answers: { 200: json('The script.', scriptSchema) },
  }),
)

export const putScript = contract(
  {
    id: 'putScript',
    method: 'PUT',
    path,
    permission: 'Setup',
    tag: 'solutions',
    summary: 'Add a script, or replace it.',
  },
  () => ({
    params: scriptParams,
    query: kindQuery,
    body: StrictObject({ source: sourceSchema }),
    answers: { 200: json('The script.', scriptSchema) },
    refuses: ['script_refused'],
    example: {
      request: { source: 'return event.level * 2' },
      answer: {
        kind: 'handler',
        name: 'user_double',
        file: 'user_double.lua',
        source: 'return event.level * 2',
        created_at: 1_767_225_600_000_000,
        updated_at: 1_767_225_600_000_000,
      },
    },
  }),
)

export const deleteScript = contract(
  {
    id: 'deleteScript',
    method: 'DELETE',
    path,
    permission: 'Setup',
    tag: 'solutions',
    summary: 'Delete a script.',
  },
  () => ({
    params: scriptParams,
    query: kindQuery,
    answers: { 204: nothing('It is deleted.') },
  }),
)
