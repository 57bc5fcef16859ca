import { type components, unwrap } from '@millrace/client'
import type { Client } from './client.ts'
import { get, patch, post } from './endpoint.ts'
import { findAll } from './find-all.ts'

export type Group = components['schemas']['Group']

/** All groups that the caller sees, parents before their children. */
export const listGroups = findAll('/api:1/groups', 'groups')

export const createGroup = post('/api:1/groups')

/** With another parent it moves with all that lies below it. */
export const changeGroup = patch('/api:1/groups/{group}')

export const readGroupDependants = get('/api:1/groups/{group}/dependants', 'dependants')

/** Deletes a group; what lies in it moves to its parent. */
export async function removeGroup(client: Client, group: string): Promise<void> {
  const params = { path: { group }, query: { confirm: group } }
  await unwrap(client.DELETE('/api:1/groups/{group}', { params }))
}
