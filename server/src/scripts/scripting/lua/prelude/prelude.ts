import { readFileSync } from 'node:fs'
import { loadText } from '../chunks.ts'
import { notEnoughMemory } from '../ends.ts'
import type { HostFunction, Instance } from '../instance.ts'
import { type Marshal, nullPointer } from '../marshal.ts'
import { type LuaApi, type LuaState, luaStatus } from '../wasm/api.ts'

export type PreludeOptions = {
  readonly instance: Instance
  readonly marshal: Marshal
  readonly functions: Readonly<Record<string, HostFunction>>
  readonly services: readonly string[]
}

/** The light userdata that a coroutine yields when it calls a service. No script ever holds it. */
export const serviceCallMarker = 1

const libraries = {
  coroutine: 'luaopen_coroutine',
  math: 'luaopen_math',
  string: 'luaopen_string',
  table: 'luaopen_table',
  utf8: 'luaopen_utf8',
} as const satisfies Record<string, keyof LuaApi>

const parts = ['compat', 'bits', 'coroutines', 'platform'].map((name) =>
  readFileSync(new URL(`./${name}.lua`, import.meta.url), 'utf8'),
)

/** Opens the libraries and makes them Lua 5.1. False: there is no memory for it. */
export function runPrelude(options: PreludeOptions): boolean {
  const { instance, marshal } = options
  const { api, main } = instance
  const status = instance.protect(() => {
    openLibraries(instance)
    pushHost(options)
    const host = api.lua_gettop(main)
    for (const part of parts) {
      if (loadText(instance, main, '=[lua]', part) !== luaStatus.ok) api.lua_error(main)
      api.lua_pushvalue(main, host)
      if (api.lua_pcallk(main, 1, 0, 0, 0, 0) !== luaStatus.ok) api.lua_error(main)
    }
    return 0
  })
  if (status === luaStatus.ok) return true
  const text = marshal.readText(main, -1)
  if (text === notEnoughMemory) return false
  throw new Error(`the prelude failed: ${text}`)
}

function openLibraries(instance: Instance): void {
  const { api, main } = instance
  api.luaopen_base(main)
  for (const [name, open] of Object.entries(libraries)) {
    instance.pushGlobals(main)
    setField(instance, main, name, () => api[open](main))
  }
  api.lua_settop(main, 0)
}

function pushHost({ instance, marshal, functions, services }: PreludeOptions): void {
  const { api, main } = instance
  api.lua_createtable(main, 0, 0)
  setField(instance, main, 'debug', () => api.luaopen_debug(main))
  setField(instance, main, 'marker', () => api.lua_pushlightuserdata(main, serviceCallMarker))
  setField(instance, main, 'null', () => api.lua_pushlightuserdata(main, nullPointer))
  setField(instance, main, 'services', () => marshal.push(main, services))
  for (const [name, call] of Object.entries(functions)) {
    setField(instance, main, name, () => instance.pushFunction(main, call))
  }
}

/** Sets a field of the table on top. */
function setField(instance: Instance, state: LuaState, name: string, push: () => void): void {
  instance.pushText(state, name)
  push()
  instance.api.lua_rawset(state, -3)
}
