/** A `lua_State *`: the machine's own, or a coroutine. */
export type State = number

/** What is used of Lua's C interface. Integers of 64 bits are `bigint`. */
export type LuaApi = {
  readonly memory: WebAssembly.Memory
  readonly __indirect_function_table: WebAssembly.Table
  __wasm_call_ctors(): void
  malloc(bytes: number): number
  free(pointer: number): void
  stackSave(): number
  stackRestore(pointer: number): void
  setThrew(threw: number, value: number): void

  luaL_newstate(): State
  lua_newthread(state: State): State
  lua_resetthread(state: State): number
  lua_resume(thread: State, from: State, args: number, results: number): number
  lua_isyieldable(state: State): number
  lua_xmove(from: State, to: State, count: number): void
  lua_pcallk(
    state: State,
    args: number,
    results: number,
    handler: number,
    context: number,
    continuation: number,
  ): number
  lua_error(state: State): never
  luaL_loadbufferx(state: State, text: number, bytes: number, name: number, mode: number): number
  /** Pushes onto `state` where `thread` is; `message` may be 0. */
  luaL_traceback(state: State, thread: State, message: number, level: number): void
  lua_getstack(state: State, level: number, debug: number): number
  lua_getinfo(state: State, what: number, debug: number): number
  /** Gives 0 where there is none, else pushes it. */
  lua_getlocal(state: State, debug: number, index: number): number
  lua_sethook(state: State, slot: number, mask: number, count: number): void
  luaL_ref(state: State, table: number): number
  luaL_unref(state: State, table: number, ref: number): void

  lua_checkstack(state: State, slots: number): number
  lua_absindex(state: State, index: number): number
  lua_gettop(state: State): number
  lua_settop(state: State, index: number): void
  lua_pushvalue(state: State, index: number): void
  lua_type(state: State, index: number): number
  lua_toboolean(state: State, index: number): number
  lua_tonumberx(state: State, index: number, isNumber: number): number
  lua_tolstring(state: State, index: number, length: number): number
  lua_tothread(state: State, index: number): State
  lua_touserdata(state: State, index: number): number
  lua_rawequal(state: State, a: number, b: number): number
  lua_rawlen(state: State, index: number): number

  lua_pushnil(state: State): void
  lua_pushboolean(state: State, value: number): void
  lua_pushnumber(state: State, value: number): void
  lua_pushinteger(state: State, value: bigint): void
  lua_pushlstring(state: State, text: number, bytes: number): number
  lua_pushlightuserdata(state: State, pointer: number): void
  lua_pushcclosure(state: State, slot: number, upvalues: number): void

  lua_createtable(state: State, items: number, fields: number): void
  lua_rawget(state: State, table: number): number
  lua_rawgeti(state: State, table: number, index: bigint): number
  lua_rawset(state: State, table: number): void
  lua_rawseti(state: State, table: number, index: bigint): void
  lua_next(state: State, table: number): number
  lua_getmetatable(state: State, index: number): number
  lua_setmetatable(state: State, index: number): number

  luaopen_base(state: State): number
  luaopen_coroutine(state: State): number
  luaopen_debug(state: State): number
  luaopen_math(state: State): number
  luaopen_string(state: State): number
  luaopen_table(state: State): number
  luaopen_utf8(state: State): number
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
