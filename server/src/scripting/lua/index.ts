import type { Clock, Random } from '../../kernel/index.ts'
import type { Engine } from '../runtime/engine.ts'
import type { ThreadTime } from '../runtime/thread/thread-time.ts'
import { checkChunk } from './check.ts'
import { openMachine } from './open.ts'
import { assertStops } from './self-test.ts'
import { compileLua } from './wasm/module.ts'

export { progressCells, ThreadTime, ticksAt } from '../runtime/thread/thread-time.ts'

export type LuaEngineOptions = {
  /** What `os.time` tells. */
  readonly clock: Clock
  readonly random: Random
  readonly time: ThreadTime
  /** Told of what is our fault and not the script's: it goes into the log with all of it. */
  readonly onFault: (error: unknown) => void
}

/** Lua as scripts in the field expect it. Making one compiles it, and sees that it can
 * be stopped: some 40 ms. */
export function createLuaEngine(options: LuaEngineOptions): Engine {
  const all = { ...options, compiled: compileLua() }
  assertStops(all)
  return {
    check: (chunk) => checkChunk(all, chunk),
    open: (program, hooks) => openMachine(all, program, hooks),
  }
}
