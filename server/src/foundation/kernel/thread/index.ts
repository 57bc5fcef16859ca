/**
 * The part of the kernel for worker threads. A thread loads all its files anew: index.ts, with
 * the packages of schemas and of the log, is 700 of them, and most of the time of its start.
 */
import '../limits/relations.ts'

export { type Clock, elapsedMs, systemClock, threadMs } from '../clock.ts'
export { Fault } from '../errors.ts'
export { type Random, systemRandom } from '../ids.ts'
export { applyLimits, limits } from '../limits.ts'
export type { Logger } from '../logger.ts'
export { anyJson, parseJson, parseOwnJson } from '../text/json.ts'
export { readableText, withoutMark } from '../text/text.ts'
