import type { components } from '@millrace/client'
import { get, patch, post, removeWith } from './endpoint.ts'
import { findAll } from './find-all.ts'

export type Group = components['schemas']['Group']

/** All groups that the caller sees, parents before their children. */
export const listGroups = findAll('/api:1/groups', 'groups')

export const createGroup = post('/api:1/groups')

/** With another parent it moves with all that lies below it. */
export const changeGroup = patch('/api:1/groups/{group}')

export const readGroupDependants = get('/api:1/groups/{group}/dependants', 'dependants')

/** Deletes a group; what lies in it moves to its parent. */
export const removeGroup = removeWith('/api:1/groups/{group}')
