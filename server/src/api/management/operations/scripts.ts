import { StrictObject, Type } from '../../../foundation/kernel/index.ts'
import {
  kindOfName,
  type Script,
  type ScriptKey,
  type ScriptKind,
  scriptKindSchema,
  scriptLineSchema,
  scriptSchema,
  sourceSchema,
} from '../../../scripts/scripting/index.ts'
import { solutionArguments } from '../calls.ts'
import { does, lists, shows } from '../contract/common.ts'
import { operations } from '../operation.ts'

const kindQuery = StrictObject({ kind: Type.Optional(scriptKindSchema) })

const on = operations('solutions', 'Setup', '/api:1/solution/:solution/script', {
  everyProcess: true,
})

export const listScripts = on.get(
  '',
  'List the scripts of a solution, without their sources.',
  () => lists('scripts', scriptLineSchema, 'The scripts.'),
  async ({ scripting: { scripts } }, call) =>
    (await scripts.list(...solutionArguments(call))).map(withSize),
)

export const getScript = on.get(
  '/:name',
  'Show a script.',
  () => ({
    query: kindQuery,
    ...shows('The script.', scriptSchema),
  }),
  ({ scripting: { scripts } }, call) => scripts.get(...solutionArguments(call), scriptKey(call)),
)

export const putScript = on.put(
  '/:name',
  'Add a script, or replace it.',
  () => ({
    query: kindQuery,
    body: StrictObject({ source: sourceSchema }),
    ...shows('The script.', scriptSchema),
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
  ({ scripting: { scripts } }, call) =>
    scripts.put(...solutionArguments(call), scriptKey(call), call.body.source),
)

export const deleteScript = on.remove(
  '/:name',
  'Delete a script.',
  () => ({
    query: kindQuery,
    ...does('It is deleted.'),
  }),
  ({ scripting: { scripts } }, call) => scripts.remove(...solutionArguments(call), scriptKey(call)),
)

/** Finds by the name alone, or by `kind` if the name has the shape of another one. */
function scriptKey(call: {
  readonly params: { readonly name: string }
  readonly query: { readonly kind?: ScriptKind }
}): ScriptKey {
  const { name } = call.params
  const { kind = kindOfName(name) } = call.query
  return { kind, name }
}

function withSize(script: Script) {
  return { ...script, size: Buffer.byteLength(script.source) }
}
