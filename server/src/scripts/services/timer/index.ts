export { createTimers } from './create.ts'
export { timerLimits } from './limits.ts'
export { timerOperations } from './operations.ts'
export type { Timers } from './timer.ts'
