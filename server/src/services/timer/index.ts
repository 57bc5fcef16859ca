export { createTimers, type Timers } from './create.ts'
export { timerOperations } from './operations.ts'
