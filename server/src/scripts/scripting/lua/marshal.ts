import { isUtf8 } from 'node:buffer'
import { scriptingLimits } from '../limits.ts'
import type { ScriptValue } from '../runtime/value.ts'
import { Budget, ValueRejected } from './budget.ts'
import { notEnoughMemory } from './ends.ts'
import type { Instance } from './instance.ts'
import { type LuaState, luaTypes, registry } from './wasm/api.ts'

/** The light userdata that is `json.null` in scripts. */
export const nullPointer = 0

const slotsPerTable = 8
const numberBytes = 8
const wordBytes = 5
const quotesBytes = 3
/** A letter of UTF-8 has four bytes at most. */
const textBytes = 4 * (scriptingLimits.scriptErrorCharsMax + 1)

/** Small integers as `bigint`, made once: indices of arrays, counters, statuses. */
const small = Array.from({ length: 1_024 }, (_, value) => BigInt(value))

function integer(value: number): bigint {
  return small[value] ?? BigInt(value)
}

/** The types of values that cannot leave. */
const leavingNames: Readonly<Record<number, string>> = {
  [luaTypes.function]: 'function',
  [luaTypes.thread]: 'coroutine',
}

type Fields = { [key: string]: ScriptValue }

/**
 * Values between Lua and the platform, both ways; the one place that knows how each looks there.
 *
 * An array carries the metatable whose `__type` is `slice`, so that an empty one stays an array. A
 * null within an array is `json.null`, which keeps its length, and undefined is nil; within a map
 * neither is an entry. Objects
 * have no prototype, so no key of a script reaches one.
 */
export class Marshal {
  readonly #instance: Instance
  #sliceRef = 0n
  #typeKeyRef = 0n
  #textOnly = false

  constructor(instance: Instance) {
    this.#instance = instance
    const { api, main } = instance
    const anchored = instance.mustDo(() => {
      instance.pushText(main, '__type')
      this.#typeKeyRef = BigInt(api.luaL_ref(main, registry))
      api.lua_createtable(main, 0, 1)
      api.lua_rawgeti(main, registry, this.#typeKeyRef)
      instance.pushText(main, 'slice')
      api.lua_rawset(main, -3)
      this.#sliceRef = BigInt(api.luaL_ref(main, registry))
      return 0
    })
    if (!anchored) throw new Error(notEnoughMemory)
  }

  budget(bytesMax: number): Budget {
    return new Budget(this.#instance.meter, bytesMax)
  }

  /** Checks a value before it is pushed. @throws ValueRefused */
  weigh(value: ScriptValue, budget: Budget, depth = 0): void {
    budget.take(ownBytes(value), depth)
    if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return
    if (Array.isArray(value)) for (const item of value) this.weigh(item, budget, depth + 1)
    else {
      for (const [key, field] of Object.entries(value)) {
        budget.take(key.length + quotesBytes, depth)
        this.weigh(field, budget, depth + 1)
      }
    }
  }

  /** Pushes a value that was weighed. Only inside of what Lua called: it may need memory. */
  push(state: LuaState, value: ScriptValue): void {
    const { api } = this.#instance
    switch (typeof value) {
      case 'number':
        if (Number.isSafeInteger(value) && !Object.is(value, -0)) {
          api.lua_pushinteger(state, integer(value))
        } else api.lua_pushnumber(state, value)
        break
      case 'string':
        this.#instance.pushText(state, value)
        break
      case 'boolean':
        api.lua_pushboolean(state, value ? 1 : 0)
        break
      case 'object':
        this.#pushObject(state, value)
        break
      default:
        api.lua_pushnil(state)
    }
  }

  #pushObject(state: LuaState, value: Exclude<ScriptValue, undefined> & (object | null)): void {
    if (value === null) this.#instance.api.lua_pushnil(state)
    else if (value instanceof Uint8Array) this.#instance.pushBytes(state, value)
    else {
      this.#instance.needStack(state, slotsPerTable)
      if (Array.isArray(value)) this.#pushArray(state, value)
      else this.#pushFields(state, value as Fields)
    }
  }

  #pushArray(state: LuaState, items: readonly ScriptValue[]): void {
    const { api } = this.#instance
    api.lua_createtable(state, items.length, 0)
    api.lua_rawgeti(state, registry, this.#sliceRef)
    api.lua_setmetatable(state, -2)
    for (const [index, item] of items.entries()) {
      if (item === undefined) continue
      if (item === null) api.lua_pushlightuserdata(state, nullPointer)
      else this.push(state, item)
      api.lua_rawseti(state, -2, integer(index + 1))
    }
  }

  #pushFields(state: LuaState, fields: Fields): void {
    const { api } = this.#instance
    const keys = Object.keys(fields)
    api.lua_createtable(state, 0, keys.length)
    for (const key of keys) {
      const field = fields[key]
      if (field === null || field === undefined) continue
      this.#instance.pushText(state, key)
      this.push(state, field)
      api.lua_rawset(state, -3)
    }
  }

  /** Reads without a need of memory, so that it may stand outside of what Lua called. */
  read(state: LuaState, index: number, budget: Budget, depth = 0): ScriptValue {
    const { api } = this.#instance
    const type = api.lua_type(state, index)
    switch (type) {
      case luaTypes.none:
      case luaTypes.nil:
        budget.take(wordBytes, depth)
        return undefined
      case luaTypes.boolean:
        budget.take(wordBytes, depth)
        return api.lua_toboolean(state, index) !== 0
      case luaTypes.number:
        budget.take(numberBytes, depth)
        return api.lua_tonumberx(state, index, 0)
      case luaTypes.string:
        return this.#readString(state, index, budget, depth)
      case luaTypes.table:
        return this.#readTable(state, api.lua_absindex(state, index), budget, depth)
      case luaTypes.lightUserdata:
        budget.take(wordBytes, depth)
        return null
      default:
        throw new ValueRejected(`a ${leavingNames[type] ?? 'userdata'}`, false)
    }
  }

  /** A value as JSON: strings that are not UTF-8 with U+FFFD for what is none. */
  readJson(state: LuaState, index: number, budget: Budget): string {
    this.#textOnly = true
    try {
      return JSON.stringify(this.read(state, index, budget) ?? null)
    } finally {
      this.#textOnly = false
    }
  }

  isText(state: LuaState, index: number): boolean {
    return this.#instance.api.lua_type(state, index) === luaTypes.string
  }

  /** A text, whatever bytes it has, for messages and names, cut to their greatest length. */
  readText(state: LuaState, index: number): string {
    const view = this.#instance.viewString(state, index)
    return view.toString('utf8', 0, textBytes)
  }

  #readString(state: LuaState, index: number, budget: Budget, depth: number): string | Uint8Array {
    const view = this.#instance.viewString(state, index)
    budget.take(view.length + quotesBytes, depth)
    const short = this.#instance.readAscii(view.byteOffset, view.length)
    if (short !== undefined) return short
    return this.#textOnly || isUtf8(view) ? view.toString('utf8') : Uint8Array.from(view)
  }

  #readTable(state: LuaState, table: number, budget: Budget, depth: number): ScriptValue {
    budget.take(quotesBytes, depth)
    const { api } = this.#instance
    if (api.lua_checkstack(state, slotsPerTable) === 0) {
      throw new ValueRejected(notEnoughMemory, false)
    }
    const content = new Content()
    api.lua_pushnil(state)
    while (api.lua_next(state, table) !== 0) {
      const isIndex = api.lua_type(state, -2) === luaTypes.number
      const key = isIndex ? api.lua_tonumberx(state, -2, 0) : this.#readKey(state, budget, depth)
      content.add(key, this.read(state, -1, budget, depth + 1))
      api.lua_settop(state, -2)
    }
    return content.value(this.#isSlice(state, table))
  }

  #readKey(state: LuaState, budget: Budget, depth: number): string {
    const { api } = this.#instance
    const type = api.lua_type(state, -2)
    if (type === luaTypes.boolean) return String(api.lua_toboolean(state, -2) !== 0)
    if (type !== luaTypes.string) throw new ValueRejected('a key that is not a string', false)
    const view = this.#instance.viewString(state, -2)
    budget.take(view.length + quotesBytes, depth)
    return this.#instance.readAscii(view.byteOffset, view.length) ?? view.toString('utf8')
  }

  #isSlice(state: LuaState, table: number): boolean {
    const { api } = this.#instance
    if (api.lua_getmetatable(state, table) === 0) return false
    api.lua_rawgeti(state, registry, this.#typeKeyRef)
    const isText = api.lua_rawget(state, -2) === luaTypes.string
    const isSlice = isText && this.readText(state, -1) === 'slice'
    api.lua_settop(state, -3)
    return isSlice
  }
}

/** Returns the size of a value without what lies in it, about as JSON counts. */
function ownBytes(value: ScriptValue): number {
  if (typeof value === 'string') return Buffer.byteLength(value) + quotesBytes
  if (value instanceof Uint8Array) return value.length + quotesBytes
  return typeof value === 'number' ? numberBytes : wordBytes
}

/** The content of a table that is being read, until it is known whether it is an array. */
class Content {
  readonly #items: ScriptValue[] = []
  /** Keys 1, 2, 3 … that did not come in their order. */
  #late: [number, ScriptValue][] = []
  #fields: Fields | undefined

  add(key: number | string, value: ScriptValue): void {
    if (typeof key === 'string') this.#field(key, value)
    else if (key === this.#items.length + 1) this.#items.push(value)
    else this.#late.push([key, value])
  }

  value(isSlice: boolean): ScriptValue {
    this.#order(isSlice)
    if (this.#fields === undefined && this.#late.length === 0) {
      if (isSlice || this.#items.length > 0) return this.#items
    }
    for (const [index, item] of this.#items.entries()) this.#field(String(index + 1), item)
    for (const [key, item] of this.#late) this.#field(String(key), item)
    return this.#fields ?? Object.create(null)
  }

  /** Appends what came late; in an array a hole is a null. */
  #order(isSlice: boolean): void {
    if (this.#late.length === 0) return
    const late = this.#late.sort(([a], [b]) => a - b)
    const holesMax = isSlice ? late.length + this.#items.length : 0
    let taken = 0
    let holes = 0
    for (const [key, item] of late) {
      holes += key - this.#items.length - 1
      if (!Number.isInteger(key) || key < 1 || holes > holesMax) break
      while (this.#items.length < key - 1) this.#items.push(null)
      this.#items.push(item)
      taken += 1
    }
    this.#late = late.slice(taken)
  }

  #field(key: string, value: ScriptValue): void {
    this.#fields ??= Object.create(null) as Fields
    this.#fields[key] = value
  }
}
