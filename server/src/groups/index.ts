export { createGroups } from './groups.ts'
export { andSeen, seenValues } from './store.ts'
export {
  type Group,
  type Groups,
  type View,
  wholeView,
} from './types.ts'
