import type { Trace } from '../runtime/engine.ts'
import type { CallStack } from './meter.ts'
import { type LuaApi, type LuaState, luaTypes } from './wasm/api.ts'

/** The offsets of the fields of a `lua_Debug`, and its size. */
const fields = { name: 4, nameWhat: 8, what: 12, line: 24, lineDefined: 28, file: 44 }
export const debugBytes = 112
const fileBytes = 60
const nameBytes = 100
const countHook = 8
const letterC = 0x43
/** Coroutines within one another, and functions of each, that are looked at. */
const statesLookedAt = 8
const levelsLookedAt = 20

export type LuaCallStackOptions = {
  readonly api: LuaApi
  /** The coroutine that the host has running. */
  readonly running: () => LuaState
  /** The memory as it is now. */
  readonly bytes: () => Buffer
  /** `debugBytes` for what Lua tells, and behind them the words of what it is asked. */
  readonly at: number
  /** The slot of the function that Lua is to call at its next instruction. */
  readonly hookSlot: number
}

/** The request to Lua: the file, the line, the name; Lua needs no memory for that. */
export const debugWords = Buffer.from('Sln\0', 'latin1')

/**
 * Finds the place of scripts from within a tick: nothing here takes memory of Lua's, or changes
 * what it works on.
 */
export class LuaCallStack implements CallStack {
  readonly #options: LuaCallStackOptions

  constructor(options: LuaCallStackOptions) {
    this.#options = options
  }

  /**
   * The interpreter stores its place only before it calls something; a hook receives the exact one.
   * C code stores its place, and may run for long before the next instruction.
   */
  stopAtInstruction(): boolean {
    const { api, hookSlot } = this.#options
    const state = this.#states().at(-1) ?? 0
    if (state === 0 || !this.#look(state, 0) || this.#isC()) return false
    api.lua_sethook(state, hookSlot, countHook, 1)
    return true
  }

  trace(): Trace {
    return this.#states()
      .toReversed()
      .flatMap((state) => this.readTrace(state))
  }

  /** The places of a coroutine, the innermost first. */
  readTrace(state: LuaState): Trace {
    const places: string[] = []
    let inner = ''
    for (let level = 0; level < levelsLookedAt && this.#look(state, level); level += 1) {
      const line = this.#number(fields.line)
      if (line <= 0) continue
      const file = this.#text(this.#options.at + fields.file, fileBytes)
      const isMain = this.#byte(this.#number(fields.what)) === 'm'.charCodeAt(0)
      const isOurs = file === '[lua]' || (isMain && inner === wrapperName(file))
      inner = `function <${file}:${this.#number(fields.lineDefined)}>`
      if (!isOurs) places.push(`${file}:${line}${isMain ? '' : this.#name()}`)
    }
    return places
  }

  /** The running coroutine, and in it those of scripts that wait for one another. */
  #states(): LuaState[] {
    const states = [this.#options.running()]
    for (;;) {
      const inner = states.length < statesLookedAt ? this.#resumedBy(states.at(-1) ?? 0) : 0
      if (inner === 0 || states.includes(inner)) return states
      states.push(inner)
    }
  }

  /** The coroutine that is the first argument of a C function: `coroutine.resume` has it so. */
  #resumedBy(state: LuaState): LuaState {
    const { api, at } = this.#options
    if (!this.#look(state, 0) || !this.#isC() || api.lua_getlocal(state, at, 1) === 0) return 0
    const isThread = api.lua_type(state, -1) === luaTypes.thread
    const inner = isThread ? api.lua_tothread(state, -1) : 0
    api.lua_settop(state, -2)
    return inner
  }

  #look(state: LuaState, level: number): boolean {
    const { api, at } = this.#options
    return (
      api.lua_getstack(state, level, at) !== 0 && api.lua_getinfo(state, at + debugBytes, at) !== 0
    )
  }

  #isC(): boolean {
    return this.#byte(this.#number(fields.what)) === letterC
  }

  #name(): string {
    const what = this.#text(this.#number(fields.nameWhat), nameBytes)
    return what === '' ? '' : ` in ${what} '${this.#text(this.#number(fields.name), nameBytes)}'`
  }

  #number(field: number): number {
    return this.#options.bytes().readInt32LE(this.#options.at + field)
  }

  #byte(at: number): number {
    return this.#options.bytes()[at] ?? 0
  }

  #text(at: number, bytesMax: number): string {
    const bytes = this.#options.bytes().subarray(at, at + bytesMax)
    const end = bytes.indexOf(0)
    return bytes.toString('utf8', 0, end < 0 ? bytesMax : end)
  }
}

/** Names the function that chunks.ts wraps around a source that returns a parameter as well. */
export function wrapperName(file: string): string {
  return `function <${file}:1>`
}
