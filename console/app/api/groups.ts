import { type components, unwrap } from '@millrace/client'
import type { Client } from './client.ts'
import type { Dependants } from './people/people.ts'

export type Group = components['schemas']['Group']

/** What one gives a group; absent fields stay as they are. */
type GroupPart = {
  readonly name?: string
  readonly description?: string
  readonly parent_id?: string
}

const pageSize = 500

/** All groups that the caller sees, parents before their children. */
export async function listGroups(
  client: Client,
  signal: AbortSignal | null = null,
): Promise<Group[]> {
  const all: Group[] = []
  for (;;) {
    const params = { query: { limit: pageSize, offset: all.length } }
    const { groups } = await unwrap(client.GET('/api:1/groups', { params, signal }))
    all.push(...groups)
    if (groups.length < pageSize) return all
  }
}

export async function createGroup(
  client: Client,
  body: GroupPart & { readonly name: string },
): Promise<void> {
  await unwrap(client.POST('/api:1/groups', { body }))
}

/** With another parent it moves with all that lies below it. */
export async function changeGroup(client: Client, group: string, body: GroupPart): Promise<void> {
  await unwrap(client.PATCH('/api:1/groups/{group}', { params: { path: { group } }, body }))
}

export async function readGroupDependants(
  client: Client,
  group: string,
  signal: AbortSignal | null = null,
): Promise<Dependants[]> {
  const params = { path: { group } }
  const { dependants } = await unwrap(
    client.GET('/api:1/groups/{group}/dependants', { params, signal }),
  )
  return dependants
}

/** Deletes a group; what lies in it moves to its parent. */
export async function removeGroup(client: Client, group: string): Promise<void> {
  const params = { path: { group }, query: { confirm: group } }
  await unwrap(client.DELETE('/api:1/groups/{group}', { params }))
}
