import type { Clock, Random } from '../../../foundation/kernel/thread/index.ts'
import type { ScriptEngine } from '../runtime/engine.ts'
import type { ThreadTime } from '../runtime/thread/thread-time.ts'
import { checkChunk } from './check.ts'
import { openMachine } from './open.ts'
import { assertStops } from './self-test.ts'
import { compileLua } from './wasm/module.ts'

export { progressCells, ThreadTime, ticksAt } from '../runtime/thread/thread-time.ts'

export type LuaEngineOptions = {
  /** The clock of `os.time`. */
  readonly clock: Clock
  readonly random: Random
  readonly time: ThreadTime
  /** Called with errors of the platform, not of the script: they are logged in full. */
  readonly onFault: (error: unknown) => void
}

/**
 * Creates Lua as scripts in the field expect it. It is compiled, and tested that it can be
 * stopped, which takes some 40 ms.
 */
export function createLuaEngine(options: LuaEngineOptions): ScriptEngine {
  const all = { ...options, compiled: compileLua() }
  assertStops(all)
  return {
    check: (chunk) => checkChunk(all, chunk),
    open: (program, hooks) => openMachine(all, program, hooks),
  }
}
