export { createGroups } from './groups.ts'
export { groupLimits } from './limits.ts'
export { andSeen, groupDependants, groupRows, movesRows, seenValues } from './store.ts'
export {
  type Group,
  type Groups,
  groupChangeSchema,
  groupSchema,
  newGroupSchema,
  requireWhole,
  toView,
  type View,
  type Viewer,
  wholeView,
} from './types.ts'
