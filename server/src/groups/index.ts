export { createGroups } from './groups.ts'
export {
  type Group,
  type Groups,
  type View,
  wholeView,
} from './types.ts'
