import {
  component,
  type OperationSchema,
  type StaticResult,
  Type,
} from '../../../foundation/kernel/index.ts'
import type { ServiceOutline } from '../configurations/service.ts'
import type { ScriptText } from '../registry/script.ts'
import type { LuaCall, LuaCalls } from './lua-calls.ts'

/** A difference between this instance and the one for which a folder was written. */
export const findingSchema = component('SolutionFinding', {
  severity: Type.Enum(['error', 'warning'], {
    description: 'error: something of it does not work as it is.',
  }),
  kind: Type.Enum(['problem', 'absent', 'superseded', 'argument', 'handler', 'setting'], {
    description:
      'problem: a push is refused; absent: a service or an operation that the solution does not ' +
      'have; superseded: one that is no longer served; argument: one that an operation does not ' +
      'have, or lacks; handler: no service raises its event; setting: kept without an effect.',
  }),
  file: Type.String(),
  line: Type.Union([Type.Integer(), Type.Null()], { description: 'null: the whole file.' }),
  message: Type.String(),
})
export type Finding = StaticResult<typeof findingSchema>

/** The services of a solution by their script keys in lower case. */
export type Outlines = ReadonlyMap<string, ServiceOutline>

/** A script with the calls that it makes; without them if it could not be read. */
export type ScriptCalls = { readonly script: ScriptText; readonly found: LuaCalls | undefined }

/**
 * Compares the calls of all scripts with the operations that there are. A global that a script sets
 * is the script's own, whatever its name is.
 */
export function findInCalls(scripts: readonly ScriptCalls[], services: Outlines): Finding[] {
  const globals = new Set(scripts.flatMap(({ found }) => [...(found?.globals ?? [])]))
  return scripts.flatMap(({ script, found }) => {
    if (found === undefined) return [unread(script)]
    const calls = found.calls.filter(({ table }) => !globals.has(table))
    return calls.flatMap((call) => findInCall(script, call, services))
  })
}

function unread({ file, firstLine }: ScriptText): Finding {
  const message = 'the calls of this script could not be read, so they were not checked'
  return { severity: 'warning', kind: 'problem', file, line: firstLine, message }
}

function findInCall(script: ScriptText, call: LuaCall, services: Outlines): Finding[] {
  const { table, name } = call
  const line = script.firstLine + call.line - 1
  const where = { file: script.file, line }
  const error = (kind: Finding['kind'], message: string): Finding[] => [
    { severity: 'error', kind, ...where, message },
  ]
  const service = services.get(table.toLowerCase())
  if (service === undefined) {
    // The libraries of Lua begin with a small letter, services of scripts with a capital.
    if (!/^[A-Z][A-Za-z0-9]+$/.test(table)) return []
    return error('absent', `${table}.${name}: the solution has no service ${table}`)
  }
  const operation = service.operation(name)
  if (operation === undefined) {
    return error('absent', `${table}.${name}: the service ${table} has no operation ${name}`)
  }
  const { schema } = operation
  if (schema?.superseded !== undefined) return error('superseded', schema.superseded)
  if (schema === undefined || call.arguments === undefined) return []
  return findInArguments(schema, call.arguments).map(({ severity, message }) => {
    return { severity, kind: 'argument', ...where, message: `${table}.${name}: ${message}` }
  })
}

type ArgumentsNode = {
  readonly properties?: Readonly<Record<string, { readonly default?: unknown }>>
  readonly required?: readonly string[]
  readonly additionalProperties?: unknown
  readonly patternProperties?: unknown
}

function findInArguments(
  { args, strict }: OperationSchema,
  given: readonly string[],
): Pick<Finding, 'severity' | 'message'>[] {
  const {
    properties = {},
    required = [],
    additionalProperties,
    patternProperties,
  } = args as ArgumentsNode
  const isOpen = patternProperties !== undefined || additionalProperties !== false
  const unknown = isOpen ? [] : given.filter((name) => !Object.hasOwn(properties, name))
  const missing = required.filter((name) => {
    return !given.includes(name) && properties[name]?.default === undefined
  })
  const fate = strict ? 'the call is refused' : 'it is passed over'
  return [
    ...unknown.map((name) => ({
      severity: strict ? ('error' as const) : ('warning' as const),
      message: `there is no argument ${name}: ${fate}`,
    })),
    ...missing.map((name) => ({
      severity: 'error' as const,
      message: `the argument ${name} is missing`,
    })),
  ]
}
