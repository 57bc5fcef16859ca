import type { UseQueryResult } from '@tanstack/react-query'
import { type Group, listGroups } from '../../api/groups.ts'
import { useLive } from '../../ui/live-queries.ts'
import { useMay, useSignedIn } from '../../ui/session.tsx'

/** The groups that the caller sees; not read by a role that may not. */
export function useGroups(): UseQueryResult<Group[]> {
  const enabled = useMay('View Asset')
  return useLive(['groups'], listGroups, { enabled })
}

/** Returns whether the caller sees the whole business. */
export function useSeesAll(): boolean {
  return useSignedIn().caller.groups === null
}

/** The names of a group and of those above it, but the root. */
export function formatPath(group: Group, byId: ReadonlyMap<string, Group>): string {
  const names: string[] = []
  let at: Group | undefined = group
  while (at !== undefined && (at.depth > 0 || names.length === 0)) {
    names.unshift(at.name)
    at = at.parent_id === null ? undefined : byId.get(at.parent_id)
  }
  return names.join(' / ')
}

/** Groups by their ids. */
export function indexById(groups: readonly Group[] | undefined): ReadonlyMap<string, Group> {
  return new Map((groups ?? []).map((group) => [group.id, group]))
}

/** Groups as choices of a field, by the names of their paths. */
export function toChoices(
  groups: readonly Group[] | undefined,
  isOffered: (group: Group) => boolean = () => true,
) {
  const byId = indexById(groups)
  const offered = (groups ?? []).filter(isOffered)
  return offered.map((group) => ({ value: group.id, label: formatPath(group, byId) }))
}

/** The groups whose parent the caller does not see. */
export function findTop(groups: readonly Group[]): Group[] {
  const byId = indexById(groups)
  return groups.filter(({ parent_id: parent }) => parent === null || !byId.has(parent))
}

/** Groups by the id of the one that they lie in. */
export function groupChildren(groups: readonly Group[]): ReadonlyMap<string, Group[]> {
  return Map.groupBy(groups, ({ parent_id: parent }) => parent ?? '')
}
