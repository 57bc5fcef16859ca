import { Fault } from '../../../../foundation/kernel/index.ts'
import type { Configuration, ScriptingApi } from '../../../scripting/index.ts'
import { getDefinition, mayUse } from '../exposed/exposed-definition.ts'
import { interfaceLimits } from '../limits.ts'
import { compareDefinitions } from './compare/definitions.ts'
import type { Breaking, Definition, Impact } from './definition.ts'

/** Returns every breaking change between the live definition and a new one. */
export async function findImpact(
  scripts: ScriptingApi,
  live: Configuration,
  after: Definition,
): Promise<Impact[]> {
  const changes = compareDefinitions(getDefinition(live), after)
  if (changes.length === 0) return []
  const users = await listUsers(scripts, live)
  const affected = new Map<string, Impact['subscribers'][number][]>()
  for (const one of changes) {
    if (affected.has(partLabel(one))) continue
    const found = []
    for (const user of users) if (await isAffected(scripts, one, user)) found.push(toAffected(user))
    affected.set(partLabel(one), found)
  }
  return changes.map((one) => ({ ...one, subscribers: affected.get(partLabel(one)) ?? [] }))
}

/** @throws Fault breaking_change, naming changes and subscribers, if any subscriber is affected */
export async function refuseBreaking(
  scripts: ScriptingApi,
  live: Configuration,
  after: Definition,
): Promise<void> {
  const impacts = await findImpact(scripts, live, after)
  const breaking = impacts.filter(({ subscribers }) => subscribers.length > 0)
  if (breaking.length === 0) return
  const sentence = shortList(breaking, '; ', impactLine)
  const hint = 'allow_breaking=true, or --allow-breaking, publishes it all the same.'
  throw new Fault('breaking_change', `The change breaks subscribers: ${sentence}. ${hint}`)
}

/** Names an operation, an event or a parameter; the mode has no name. */
function partLabel({ part, name }: Breaking): string {
  return part === 'mode' ? part : `${part} ${name}`
}

function impactLine(impact: Impact): string {
  const affected = shortList(impact.subscribers, ', ', ({ solution_id }) => solution_id)
  return `${partLabel(impact)}: ${impact.change} (${affected})`
}

function shortList<One>(all: readonly One[], between: string, line: (one: One) => string): string {
  const shown = all.slice(0, interfaceLimits.breakingNamedMax).map(line).join(between)
  const more = all.length - interfaceLimits.breakingNamedMax
  return more > 0 ? `${shown}${between}and ${more} more` : shown
}

/** Returns the subscribers that may use the service: not those removed from the whitelist. */
async function listUsers(scripts: ScriptingApi, live: Configuration): Promise<Configuration[]> {
  const { businessId, solutionId } = live
  const users: Configuration[] = []
  for (
    let offset = 0;
    offset < interfaceLimits.subscribersMax;
    offset += interfaceLimits.triggerBatchMax
  ) {
    const page = { offset, limit: interfaceLimits.triggerBatchMax }
    const { items, total } = await scripts.configurations.ofService(solutionId, page)
    users.push(...items.filter((one) => mayUse(businessId, getDefinition(live), one.businessId)))
    if (offset + items.length >= total) break
  }
  return users
}

/**
 * Returns true if the change affects the subscriber. An operation affects all, since their calls
 * are unknown; an event those that handle it, and a parameter those that have set it.
 */
async function isAffected(scripts: ScriptingApi, { part, name }: Breaking, user: Configuration) {
  const { businessId, solutionId, alias, parameters } = user
  if (part === 'event') return scripts.handles(businessId, solutionId, alias, name)
  return part === 'parameter' ? Object.hasOwn(parameters, name) : true
}

function toAffected({ id, solutionId }: Configuration): Impact['subscribers'][number] {
  return { instance_id: id, solution_id: solutionId }
}
