/** A `lua_State *`: the machine's own, or a coroutine. */
export type LuaState = number

/** The used part of Lua's C interface. Integers of 64 bits are `bigint`. */
export type LuaApi = {
  readonly memory: WebAssembly.Memory
  readonly __indirect_function_table: WebAssembly.Table
  __wasm_call_ctors(): void
  malloc(bytes: number): number
  free(pointer: number): void
  stackSave(): number
  stackRestore(pointer: number): void
  setThrew(threw: number, value: number): void

  luaL_newstate(): LuaState
  lua_newthread(state: LuaState): LuaState
  lua_resetthread(state: LuaState): number
  lua_resume(thread: LuaState, from: LuaState, args: number, results: number): number
  lua_isyieldable(state: LuaState): number
  lua_xmove(from: LuaState, to: LuaState, count: number): void
  lua_pcallk(
    state: LuaState,
    args: number,
    results: number,
    handler: number,
    context: number,
    continuation: number,
  ): number
  lua_error(state: LuaState): never
  luaL_loadbufferx(state: LuaState, text: number, bytes: number, name: number, mode: number): number
  /** Pushes onto `state` where `thread` is; `message` may be 0. */
  luaL_traceback(state: LuaState, thread: LuaState, message: number, level: number): void
  lua_getstack(state: LuaState, level: number, debug: number): number
  lua_getinfo(state: LuaState, what: number, debug: number): number
  /** Gives 0 where there is none, else pushes it. */
  lua_getlocal(state: LuaState, debug: number, index: number): number
  lua_sethook(state: LuaState, slot: number, mask: number, count: number): void
  luaL_ref(state: LuaState, table: number): number
  luaL_unref(state: LuaState, table: number, ref: number): void

  lua_checkstack(state: LuaState, slots: number): number
  lua_absindex(state: LuaState, index: number): number
  lua_gettop(state: LuaState): number
  lua_settop(state: LuaState, index: number): void
  lua_pushvalue(state: LuaState, index: number): void
  lua_type(state: LuaState, index: number): number
  lua_toboolean(state: LuaState, index: number): number
  lua_tonumberx(state: LuaState, index: number, isNumber: number): number
  lua_tolstring(state: LuaState, index: number, length: number): number
  lua_tothread(state: LuaState, index: number): LuaState
  lua_touserdata(state: LuaState, index: number): number
  lua_rawequal(state: LuaState, a: number, b: number): number
  lua_rawlen(state: LuaState, index: number): number

  lua_pushnil(state: LuaState): void
  lua_pushboolean(state: LuaState, value: number): void
  lua_pushnumber(state: LuaState, value: number): void
  lua_pushinteger(state: LuaState, value: bigint): void
  lua_pushlstring(state: LuaState, text: number, bytes: number): number
  lua_pushlightuserdata(state: LuaState, pointer: number): void
  lua_pushcclosure(state: LuaState, slot: number, upvalues: number): void

  lua_newuserdatauv(state: LuaState, bytes: number, values: number): number
  lua_createtable(state: LuaState, items: number, fields: number): void
  lua_rawget(state: LuaState, table: number): number
  lua_rawgeti(state: LuaState, table: number, index: bigint): number
  lua_rawset(state: LuaState, table: number): void
  lua_rawseti(state: LuaState, table: number, index: bigint): void
  lua_next(state: LuaState, table: number): number
  lua_getmetatable(state: LuaState, index: number): number
  lua_setmetatable(state: LuaState, index: number): number

  luaopen_base(state: LuaState): number
  luaopen_coroutine(state: LuaState): number
  luaopen_debug(state: LuaState): number
  luaopen_math(state: LuaState): number
  luaopen_string(state: LuaState): number
  luaopen_table(state: LuaState): number
  luaopen_utf8(state: LuaState): number
}

export const luaTypes = {
  none: -1,
  nil: 0,
  boolean: 1,
  lightUserdata: 2,
  number: 3,
  string: 4,
  table: 5,
  function: 6,
  thread: 8,
} as const

export const luaStatus = { ok: 0, yield: 1, memory: 4 } as const

/** Pseudo-index of the registry, where what the host keeps is anchored. */
export const registry = -1_001_000
export const globalsKey = 2n

/** Pseudo-index of the first upvalue of the running C function. */
export const firstUpvalue = registry - 1

/** `lua_pcallk` gives back all that was left on the stack. */
export const allResults = -1
