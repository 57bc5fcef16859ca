export { createGroups } from './groups.ts'
export { andSeen, groupDependants, groupRows, movesRows, seenValues } from './store.ts'
export {
  type Group,
  type Groups,
  groupChangeSchema,
  groupSchema,
  newGroupSchema,
  requireWhole,
  type View,
  type Viewer,
  viewOf,
  wholeView,
} from './types.ts'
