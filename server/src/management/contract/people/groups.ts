import { limits, Nullable, StrictObject, Type } from '../../../kernel/index.ts'
import { component, json, nothing, Offset, PageSize, PathText } from '../common.ts'
import { contract } from '../contract.ts'
import { confirm } from '../schemas/dependants.ts'

const group = component('Group', {
  id: Type.String(),
  name: Type.String(),
  description: Type.String(),
  custom_id: Nullable(Type.String(), { description: 'What other systems call it.' }),
  parent_id: Nullable(Type.String(), {
    description: 'The group in which it lies; null for the root, and for the first that is seen.',
  }),
  depth: Type.Integer({ description: '0 for the root.' }),
})

const groupParams = StrictObject({ group: PathText('The id of a group.') })

const described = {
  description: Type.Optional(Nullable(Type.String())),
  custom_id: Type.Optional(Nullable(Type.String())),
  parent_id: Type.Optional(
    Nullable(Type.String(), { description: 'The id of the group in which it lies.' }),
  ),
}

export const listGroups = contract(
  {
    id: 'listGroups',
    method: 'GET',
    path: '/api:1/groups',
    permission: 'View Asset',
    tag: 'accounts',
    summary: 'List the groups that the caller sees, parents before their children.',
  },
  () => ({
    query: StrictObject({
      text: Type.Optional(Type.String({ description: 'Letters of the name or description.' })),
      limit: PageSize(limits.pageMax),
      offset: Offset(),
    }),
    answers: { 200: json('The groups.', StrictObject({ groups: Type.Array(group) })) },
  }),
)

export const createGroup = contract(
  {
    id: 'createGroup',
    method: 'POST',
    path: '/api:1/groups',
    permission: 'Group Management',
    tag: 'accounts',
    summary: 'Create a group.',
  },
  () => ({
    body: StrictObject({ name: Type.String(), ...described }),
    answers: { 201: json('The group.', group) },
    example: { request: { name: 'Plant 2' } },
  }),
)

export const changeGroup = contract(
  {
    id: 'changeGroup',
    method: 'PATCH',
    path: '/api:1/groups/:group',
    permission: 'Group Management',
    tag: 'accounts',
    summary: 'Change a group, or move it with all that lies below it.',
  },
  () => ({
    params: groupParams,
    body: StrictObject({ name: Type.Optional(Type.String()), ...described }),
    answers: { 200: json('The group.', group) },
    example: { request: { name: 'Plant 3' } },
  }),
)

export const deleteGroup = contract(
  {
    id: 'deleteGroup',
    method: 'DELETE',
    path: '/api:1/groups/:group',
    permission: 'Group Management',
    tag: 'accounts',
    summary: 'Delete a group.',
    description:
      'What lies in it moves to its parent if `confirm` is its name or id; else `in_use` names ' +
      'it. Users, API tokens and invitations that have the group block it.',
  },
  () => ({
    params: groupParams,
    query: StrictObject({ confirm }),
    answers: { 204: nothing('It is deleted.') },
    refuses: ['in_use'],
  }),
)
