import { Type } from 'typebox'
import { invalid } from './checks.ts'
import { type ErrorCode, Fault } from './errors.ts'
import { limits } from './limits.ts'
import type { StaticResult } from './schema/build.ts'
import { component } from './schema/nouns.ts'

/** The kinds of what depends on something that is to be deleted. */
export const dependantKinds = [
  'users',
  'sessions',
  'api_tokens',
  'invitations',
  'groups',
  'connectors',
  'devices',
  'values',
  'contents',
  'solutions',
  'services',
  'assets',
  'signals',
  'modules',
  'links',
  'listings',
  'policies',
  'work_instructions',
  'reports',
  'dashboards',
  'service_users',
  'bindings',
  'keys',
  'timers',
  'series',
  'failures',
] as const
export type DependantKind = (typeof dependantKinds)[number]

/**
 * The effect of a deletion on what depends: it is deleted too; it is moved to another place; it is
 * kept, and does without; or it blocks the deletion.
 */
export const dependantEffects = ['deleted', 'moved', 'kept', 'blocks'] as const

/** Everything of one kind that depends on something. */
const dependantsSchema = component('Dependants', {
  kind: Type.Enum(dependantKinds),
  effect: Type.Enum(dependantEffects, {
    description:
      '`deleted`: it goes, too; `moved`: to the parent group; `kept`: it stays, and does ' +
      'without; `blocks`: it has to be changed first.',
  }),
  count: Type.Integer(),
  names: Type.Array(Type.String(), {
    description: `Of some, in their order: at most ${limits.dependantsNamedMax}.`,
  }),
})
export type Dependants = StaticResult<typeof dependantsSchema>

/** Something with all that depends on it. */
export const previewSchema = component('DeletionPreview', {
  id: Type.String(),
  name: Type.String({ description: 'By it, or by the id, the deletion is confirmed.' }),
  dependants: Type.Array(dependantsSchema),
})
export type Preview = StaticResult<typeof previewSchema>

/** The thing to be deleted, with the names by which a deletion is confirmed. */
export type Confirmation = {
  /** A noun with its article. */
  readonly what: string
  readonly names: readonly string[]
  /** The name that the caller gave; undefined: none was given. */
  readonly given: string | undefined
  /** The refusal of a deletion that is not confirmed; `in_use` if it is left out. */
  readonly code?: ErrorCode
}

/**
 * Checks that a deletion may begin: nothing blocks it, and it is confirmed if anything depends.
 * @throws Fault `in_use`, or the code of the confirmation, with what depends; invalid_argument for
 *   another name.
 */
export function requireConfirmed(
  { what, names, given, code = 'in_use' }: Confirmation,
  found: readonly Dependants[],
): void {
  if (given !== undefined && !names.includes(given)) {
    throw invalid(`"confirm" must be the name of ${what}: ${names.join(' or ')}`)
  }
  const blocking = found.filter(({ effect }) => effect === 'blocks')
  if (blocking.length > 0) {
    throw new Fault(
      'in_use',
      `Cannot delete ${what}: still used by ${formatDependants(blocking)}. Change these first.`,
    )
  }
  if (found.length === 0 || given !== undefined) return
  const how = `Confirm the deletion by its name, ${names[0]}`
  throw new Fault(code, `${formatDependants(found)} would go with ${what}. ${how}.`)
}

function formatDependants(found: readonly Dependants[]): string {
  return found.map(formatPhrase).join('; ')
}

function formatPhrase({ kind, count, names }: Dependants): string {
  const more = count > names.length ? ` and ${count - names.length} more` : ''
  const list = names.length === 0 ? '' : ` (${names.join(', ')}${more})`
  return `${count} ${kind.replaceAll('_', ' ')}${list}`
}
