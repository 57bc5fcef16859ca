import type { Transaction } from '../../../foundation/database/index.ts'
import { holdStates, readStates } from '../store.ts'
import type { Link } from '../types.ts'
import { builtinId, isStateful, type LinkState, readLinkState } from './registry.ts'

/** Returns the links that keep something between their calls. */
export function statefulLinks<L extends Link>(links: readonly L[]): L[] {
  return links.filter((link) => link.moduleId === builtinId && isStateful(link))
}

/** Loads the states of functions for a run whose asset no other one runs meanwhile. */
export async function loadStates(
  queryable: Parameters<typeof readStates>[0],
  links: readonly Link[],
): Promise<Map<string, LinkState>> {
  const stateful = statefulLinks(links)
  return stateful.length === 0 ? new Map() : parsed(await readStates(queryable, stateful))
}

/** The same, held until the transaction ends: devices of one asset may be in several partitions. */
export async function holdLinkStates(
  transaction: Transaction,
  stateful: readonly Link[],
): Promise<Map<string, LinkState>> {
  return stateful.length === 0 ? new Map() : parsed(await holdStates(transaction, stateful))
}

function parsed(stored: ReadonlyMap<string, string>): Map<string, LinkState> {
  const states = new Map<string, LinkState>()
  for (const [id, text] of stored) {
    const state = readLinkState(text)
    if (state !== undefined) states.set(id, state)
  }
  return states
}
