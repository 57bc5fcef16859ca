import { limits } from '../../../foundation/kernel/thread/index.ts'
import { debugBytes, debugWords, LuaCallStack } from './call-stack.ts'
import { notEnoughMemory } from './ends.ts'
import type { Meter } from './meter.ts'
import {
  allResults,
  firstUpvalue,
  globalsKey,
  type LuaApi,
  type LuaState,
  luaStatus,
  luaTypes,
  registry,
} from './wasm/api.ts'
import { asTableEntries, importsFor, longJump } from './wasm/imports.ts'
import type { CompiledLua } from './wasm/module.ts'

export type InstanceOptions = {
  readonly compiled: CompiledLua
  readonly meter: Meter
  readonly memoryBytesMax: number
  readonly seed: () => number
}

/** A function for Lua: takes its arguments from the stack, gives the number of its results. */
export type HostFunction = (state: LuaState) => number

const pageBytes = 65_536
const growth = 1.25
const scratchBytes = 4_096
const lengthBytes = 16
const shortChars = 64

/**
 * A Lua in its own WebAssembly memory: its stack and its memory, with strings in and out. It knows
 * no values beyond strings, and no calls.
 *
 * Only Lua's own long jump may pass through Lua's C code and leave it whole. Whatever else is
 * thrown by a host function goes through everything, and the instance must not be used again.
 */
export class Instance {
  readonly api: LuaApi
  readonly meter: Meter
  /** The main coroutine. Between two steps its stack is empty. */
  readonly main: LuaState
  /** The coroutine that runs. */
  running: LuaState
  /** The functions that scripts are in. */
  readonly callStack: LuaCallStack
  /** The address at which `lua_resume` and `lua_tolstring` write a number. */
  readonly lengthAt: number
  readonly #memoryBytesMax: number
  readonly #functionSlot: number
  readonly #functions: HostFunction[] = []
  readonly #entries = new Map<number, (a: number, b: number) => void>()
  readonly #scratch: number
  #body: HostFunction | undefined
  #bytes = new Uint8Array()
  #words = new Uint32Array()
  #buffer = Buffer.alloc(0)

  constructor(options: InstanceOptions) {
    this.#memoryBytesMax = Math.min(options.memoryBytesMax, limits.scriptMemoryBytesMax)
    this.meter = options.meter
    const world = {
      grow: (bytes: number) => this.#grow(bytes),
      call: (slot: number, a: number, b: number) => this.#call(slot, a, b),
      seed: options.seed,
    }
    const imports = importsFor(world, () => this.api.setThrew(1, 0))
    const instance = new WebAssembly.Instance(options.compiled.module, imports)
    this.api = instance.exports as unknown as LuaApi
    this.#functionSlot = this.#fillTable(options.compiled.tickSlot)
    this.#look()
    this.api.__wasm_call_ctors()
    const debugAt = scratchBytes + lengthBytes
    this.#scratch = this.#reserve(debugAt + debugBytes + debugWords.length)
    this.lengthAt = this.#scratch + scratchBytes
    this.main = this.api.luaL_newstate()
    if (this.main === 0) throw new Error('Lua did not start')
    this.running = this.main
    this.callStack = this.#openCallStack(this.#scratch + debugAt)
    this.meter.callStack = this.callStack
  }

  get memoryBytes(): number {
    return this.#bytes.length
  }

  get length(): number {
    return this.#words[this.lengthAt >> 2] ?? 0
  }

  /**
   * Runs something that may need memory. Its results stand on the main stack; where it fails,
   * Lua's error does.
   */
  protect(body: HostFunction): number {
    this.#body = body
    this.api.lua_pushcclosure(this.main, this.#functionSlot, 0)
    return this.api.lua_pcallk(this.main, 0, allResults, 0, 0, 0)
  }

  /** As `protect`, for what can fail only for lack of memory. */
  mustDo(body: HostFunction): boolean {
    const status = this.protect(body)
    if (status !== luaStatus.ok) this.api.lua_settop(this.main, 0)
    return status === luaStatus.ok
  }

  pushFunction(state: LuaState, call: HostFunction): void {
    this.api.lua_pushnumber(state, this.#functions.push(call) - 1)
    this.api.lua_pushcclosure(state, this.#functionSlot, 1)
  }

  pushGlobals(state: LuaState): void {
    this.api.lua_rawgeti(state, registry, globalsKey)
  }

  /** Raises an error in Lua; only inside of what Lua called. */
  raise(state: LuaState, text: string): never {
    this.pushText(state, text)
    return this.api.lua_error(state)
  }

  needStack(state: LuaState, slots: number): void {
    if (this.api.lua_checkstack(state, slots) === 0) this.raise(state, notEnoughMemory)
  }

  /** Gives the bytes that the text took. Lone surrogates become U+FFFD. */
  pushText(state: LuaState, text: string): number {
    const short = text.length <= shortChars && this.#writeAscii(text)
    if (short) {
      this.api.lua_pushlstring(state, this.#scratch, text.length)
      return text.length
    }
    const bytes = Buffer.byteLength(text)
    this.withRoom(state, bytes, (at) => {
      this.#buffer.write(text, at, bytes, 'utf8')
      this.api.lua_pushlstring(state, at, bytes)
    })
    return bytes
  }

  pushBytes(state: LuaState, bytes: Uint8Array): void {
    this.withRoom(state, bytes.length, (at) => {
      this.#bytes.set(bytes, at)
      this.api.lua_pushlstring(state, at, bytes.length)
    })
  }

  /** Lends memory for the time of a call. */
  withRoom<T>(state: LuaState, bytes: number, use: (at: number) => T): T {
    if (bytes <= scratchBytes) return use(this.#scratch)
    const at = this.api.malloc(bytes)
    if (at === 0) return this.raise(state, notEnoughMemory)
    try {
      return use(at)
    } finally {
      this.api.free(at)
    }
  }

  writeText(text: string, at: number): void {
    this.#buffer.write(text, at, 'utf8')
  }

  /** The bytes of the string at an index, as a view that the next call of Lua may spoil. */
  viewString(state: LuaState, index: number): Buffer {
    const at = this.api.lua_tolstring(state, index, this.lengthAt)
    return this.#buffer.subarray(at, at + this.length)
  }

  /** A short text of ASCII alone; undefined where it is none. */
  readAscii(at: number, length: number): string | undefined {
    if (length > shortChars) return undefined
    let text = ''
    for (let index = at; index < at + length; index += 1) {
      const byte = this.#bytes[index] ?? 0
      if (byte > 0x7f) return undefined
      text += String.fromCharCode(byte)
    }
    return text
  }

  #writeAscii(text: string): boolean {
    for (let index = 0; index < text.length; index += 1) {
      const code = text.charCodeAt(index)
      if (code > 0x7f) return false
      this.#bytes[this.#scratch + index] = code
    }
    return true
  }

  #fillTable(tickSlot: number): number {
    const table = this.api.__indirect_function_table
    const { meter } = this
    const entries = asTableEntries({
      tick: meter.tick,
      function: (state: LuaState) => this.#dispatch(state),
      hook: () => meter.stop(),
    })
    if (table.grow(3) !== tickSlot) throw new Error('the tick has another slot than was compiled')
    table.set(tickSlot, entries.tick)
    table.set(tickSlot + 1, entries.function)
    table.set(tickSlot + 2, entries.hook)
    return tickSlot + 1
  }

  #openCallStack(at: number): LuaCallStack {
    this.#bytes.set(debugWords, at + debugBytes)
    return new LuaCallStack({
      api: this.api,
      at,
      hookSlot: this.#functionSlot + 1,
      running: () => this.running,
      bytes: () => this.#buffer,
    })
  }

  /** Every function of the host arrives here; its upvalue selects the one. */
  #dispatch(state: LuaState): number {
    if (this.api.lua_type(state, firstUpvalue) === luaTypes.none) return this.#body?.(state) ?? 0
    this.meter.charge(1, 0)
    return this.#functions[this.api.lua_tonumberx(state, firstUpvalue, 0)]?.(state) ?? 0
  }

  #call(slot: number, a: number, b: number): boolean {
    const stack = this.api.stackSave()
    try {
      this.#entry(slot)(a, b)
      return false
    } catch (thrown) {
      if (thrown !== longJump) throw thrown
      this.api.stackRestore(stack)
      return true
    }
  }

  #entry(slot: number): (a: number, b: number) => void {
    const known = this.#entries.get(slot)
    if (known !== undefined) return known
    const table = this.api.__indirect_function_table
    const entry = table.get(slot) as (a: number, b: number) => void
    this.#entries.set(slot, entry)
    return entry
  }

  #reserve(bytes: number): number {
    const at = this.api.malloc(bytes)
    if (at === 0) throw new Error('Lua has no memory to start with')
    return at
  }

  /** Refused above the limit; Lua then collects garbage, and raises "not enough memory". */
  #grow(bytes: number): boolean {
    const { memory } = this.api
    const now = memory.buffer.byteLength
    if (bytes > this.#memoryBytesMax) return false
    const wanted = Math.min(this.#memoryBytesMax, Math.max(bytes, now * growth))
    try {
      memory.grow(Math.ceil((wanted - now) / pageBytes))
    } catch {
      return false // The process has none left: the same to Lua.
    }
    this.#look()
    return true
  }

  #look(): void {
    const { buffer } = this.api.memory
    this.#bytes = new Uint8Array(buffer)
    this.#words = new Uint32Array(buffer)
    this.#buffer = Buffer.from(buffer)
  }
}
