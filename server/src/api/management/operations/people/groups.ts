import { StrictObject } from '../../../../foundation/kernel/index.ts'
import { groupChangeSchema, groupSchema, newGroupSchema } from '../../../../people/groups/index.ts'
import { wholePage } from '../../calls.ts'
import { confirm, does, LettersOfName, lists, makes, paging, shows } from '../../contract/common.ts'
import { operations } from '../../operation.ts'

const views = operations('accounts', 'View Asset', '/api:1/groups')
const changes = operations('accounts', 'Group Management', '/api:1/groups')

export const listGroups = views.get(
  '',
  'List the groups that the caller sees, parents before their children.',
  () => ({
    query: StrictObject({ text: LettersOfName(), ...paging() }),
    ...lists('groups', groupSchema, 'The groups.'),
  }),
  ({ groups }, { view, query: { text, ...page } }) => groups.list(view, { text }, wholePage(page)),
)

export const createGroup = changes.post(
  '',
  'Create a group.',
  () => ({
    body: newGroupSchema,
    ...makes('The group.', groupSchema),
    example: { request: { name: 'Plant 2' } },
  }),
  ({ groups }, { view, body }) => groups.create(view, body),
)

export const changeGroup = changes.patch(
  '/:group',
  'Change a group, or move it with all that lies below it.',
  () => ({
    body: groupChangeSchema,
    ...shows('The group.', groupSchema),
    example: { request: { name: 'Plant 3' } },
  }),
  ({ groups }, { view, params, body }) => groups.update(view, params.group, body),
)

export const deleteGroup = changes.remove(
  '/:group',
  'Delete a group.',
  () => ({
    description:
      'What lies in it moves to its parent if `confirm` is its name or id; else `in_use` names ' +
      'it. Users, API tokens and invitations that have the group block it.',
    query: StrictObject({ confirm }),
    ...does('It is deleted.'),
    refuses: ['in_use'],
  }),
  ({ groups }, { view, params, query }) => groups.remove(view, params.group, query.confirm),
)
