export { createTimers, type Timers } from './create.ts'
