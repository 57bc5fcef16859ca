import type { Clock, Random } from '../../../foundation/kernel/thread/index.ts'
import type { Chunk, Program } from '../registry/program.ts'
import type { Ended, Machine, MachineHooks } from '../runtime/engine.ts'
import type { ThreadTime } from '../runtime/thread/thread-time.ts'
import { chunkProblem, mustLoadChunk } from './chunks.ts'
import { failedWith, notEnoughMemory, stoppedBy } from './ends.ts'
import { endOfError, endOfThrown } from './failures.ts'
import { Instance } from './instance.ts'
import { LuaMachine } from './machine.ts'
import { Marshal } from './marshal.ts'
import { allow, Meter } from './meter.ts'
import { hostFunctions } from './prelude/functions.ts'
import { runPrelude } from './prelude/prelude.ts'
import { luaStatus } from './wasm/api.ts'
import type { CompiledLua } from './wasm/module.ts'

export type OpenOptions = {
  readonly compiled: CompiledLua
  readonly clock: Clock
  readonly random: Random
  readonly time: ThreadTime
  /** Called with errors of the platform, not of the script. */
  readonly onFault: (error: unknown) => void
}

const seedBytes = 6

export function newInstance(options: OpenOptions, memoryBytesMax: number): Instance {
  const { compiled, time, random } = options
  const seed = () => random(seedBytes).readUIntLE(0, seedBytes)
  return new Instance({ compiled, meter: new Meter(time), memoryBytesMax, seed })
}

/** A machine with its prelude and its chunks run, or what was wrong with them. */
export function openMachine(
  options: OpenOptions,
  program: Program,
  hooks: MachineHooks,
): Machine | { readonly problem: Ended } {
  const instance = newInstance(options, program.limits.memoryBytesMax)
  const marshal = new Marshal(instance)
  const { clock, random } = options
  const functions = hostFunctions({ instance, marshal, program, clock, random, log: hooks.log })
  if (!runPrelude({ instance, marshal, functions, services: program.services })) {
    return { problem: stoppedBy('memory', notEnoughMemory) }
  }
  const problem = runChunks(options, program, instance, marshal, hooks.log)
  if (problem !== undefined) return { problem }
  return new LuaMachine({ instance, marshal, onFault: options.onFault })
}

/** Under the limits of a call: a chunk may spin as well as a handler. */
function runChunks(
  { onFault }: OpenOptions,
  program: Program,
  instance: Instance,
  marshal: Marshal,
  log: MachineHooks['log'],
): Ended | undefined {
  const { limits } = program
  const allowance = allow(undefined, limits, instance.meter.nowMs, limits.wallMsMax)
  try {
    return instance.meter.run(allowance, () => {
      for (const chunk of program.chunks) {
        const problem = runChunk(chunk, instance, marshal)
        if (problem === undefined) continue
        if (problem.kind !== 'failed' || chunk.role.kind !== 'module') return problem
        log(undefined, 'warn', notRun(chunk.role.module, problem.error.error))
      }
      return undefined
    })
  } catch (thrown) {
    return endOfThrown(thrown, onFault)
  }
}

/** A module that calls services cannot run yet: its first `require` in a call runs it. */
function notRun(module: string, text: string): string {
  return `module ${module} could not run at the start; require runs it: ${text}`
}

function runChunk(chunk: Chunk, instance: Instance, marshal: Marshal): Ended | undefined {
  const refusal = chunkProblem(chunk)
  if (refusal !== undefined) return failedWith(500, `${chunk.name}:1: ${refusal.message}`)
  const { role } = chunk
  const { api, main } = instance
  const status = instance.protect(() => {
    if (role.kind === 'module') {
      instance.pushGlobals(main)
      instance.pushText(main, 'require')
      api.lua_rawget(main, -2)
      instance.pushText(main, role.module)
      if (api.lua_pcallk(main, 1, 0, 0, 0, 0) !== luaStatus.ok) api.lua_error(main)
      return 0
    }
    if (role.kind === 'plain') {
      mustLoadChunk(instance, main, chunk)
      if (api.lua_pcallk(main, 0, 0, 0, 0, 0) !== luaStatus.ok) api.lua_error(main)
      return 0
    }
    instance.pushGlobals(main)
    instance.pushText(main, role.defines)
    mustLoadChunk(instance, main, chunk)
    api.lua_rawset(main, -3)
    return 0
  })
  if (status === luaStatus.ok) return undefined
  const end = endOfError(marshal, main, status)
  api.lua_settop(main, 0)
  return end
}
