import { Fault, limits } from '../../kernel/index.ts'
import type { Configuration, ScriptingApi } from '../../scripting/index.ts'
import { type Breaking, compareDefinitions } from './compare/definitions.ts'
import type { Definition } from './definition.ts'
import { definitionOf, mayUse } from './exposed.ts'

/** A breaking change, and the subscribers that rely on what it takes away. */
export type Impact = Breaking & { readonly subscribers: readonly Hit[] }

/** A subscriber as `trigger` names it. */
export type Hit = { readonly instance_id: string; readonly solution_id: string }

/** What a definition in place of the live one would break, and for whom: every one of them. */
export async function impactOf(
  scripts: ScriptingApi,
  live: Configuration,
  after: Definition,
): Promise<Impact[]> {
  const found = compareDefinitions(definitionOf(live), after)
  if (found.length === 0) return []
  const users = await usersOf(scripts, live)
  const hits = new Map<string, Hit[]>()
  for (const one of found) {
    if (hits.has(placeOf(one))) continue
    const hit = []
    for (const user of users) if (await isHit(scripts, one, user)) hit.push(hitOf(user))
    hits.set(placeOf(one), hit)
  }
  return found.map((one) => ({ ...one, subscribers: hits.get(placeOf(one)) ?? [] }))
}

/** @throws Fault breaking_change, naming what and whom, where somebody relies on it */
export async function refuseBreaking(
  scripts: ScriptingApi,
  live: Configuration,
  after: Definition,
): Promise<void> {
  const impacts = await impactOf(scripts, live, after)
  const hitting = impacts.filter(({ subscribers }) => subscribers.length > 0)
  if (hitting.length === 0) return
  const sentence = shortList(hitting, '; ', impactLine)
  const way = 'allow_breaking=true, or --allow-breaking, publishes it all the same.'
  throw new Fault('breaking_change', `The change breaks subscribers: ${sentence}. ${way}`)
}

/** An operation, an event or a parameter with its name; the mode has none. */
export function placeOf({ part, name }: Breaking): string {
  return part === 'mode' ? part : `${part} ${name}`
}

function impactLine(impact: Impact): string {
  const hit = shortList(impact.subscribers, ', ', ({ solution_id }) => solution_id)
  return `${placeOf(impact)}: ${impact.change} (${hit})`
}

function shortList<One>(all: readonly One[], between: string, line: (one: One) => string): string {
  const shown = all.slice(0, limits.breakingNamedMax).map(line).join(between)
  const more = all.length - limits.breakingNamedMax
  return more > 0 ? `${shown}${between}and ${more} more` : shown
}

/** One that was taken from the whitelist cannot use what it would lose. */
async function usersOf(scripts: ScriptingApi, live: Configuration): Promise<Configuration[]> {
  const { businessId, solutionId } = live
  const users: Configuration[] = []
  for (let offset = 0; offset < limits.subscribersMax; offset += limits.triggerBatchMax) {
    const asked = { offset, limit: limits.triggerBatchMax }
    const { items, total } = await scripts.configurations.ofService(solutionId, asked)
    users.push(...items.filter((one) => mayUse(businessId, definitionOf(live), one.businessId)))
    if (offset + items.length >= total) break
  }
  return users
}

/**
 * Who calls which operation cannot be told, so each may. An event hits those who handle it, and a
 * parameter those who have set it.
 */
async function isHit(scripts: ScriptingApi, { part, name }: Breaking, user: Configuration) {
  const { businessId, solutionId, alias, parameters } = user
  if (part === 'event') return scripts.handles(businessId, solutionId, alias, name)
  return part === 'parameter' ? Object.hasOwn(parameters, name) : true
}

function hitOf({ id, solutionId }: Configuration): Hit {
  return { instance_id: id, solution_id: solutionId }
}
