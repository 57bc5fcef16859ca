import { scriptingLimits } from '../limits.ts'
import { wrapperName } from './call-stack.ts'
import type { Instance } from './instance.ts'
import { type LuaState, luaStatus } from './wasm/api.ts'

const place = /^\t(.+?):(\d+): in (.*)$/gm
/** A function without a name in Lua is described by its first line, which the place shows, too. */
const nameless = /^(?:main chunk|function <)/

/**
 * Returns the place of a coroutine when its error was raised, the innermost place first:
 * `file.lua:3 in local 'f'`. Places outside of the scripts are left out. Empty where there is no
 * memory for it.
 */
export function readTrace(instance: Instance, state: LuaState): readonly string[] {
  const { api, main } = instance
  const status = instance.protect(() => {
    api.luaL_traceback(main, state, 0, 0)
    return 1
  })
  const said = status === luaStatus.ok ? instance.viewString(main, -1) : Buffer.alloc(0)
  const text = said.toString('utf8', 0, scriptingLimits.scriptErrorCharsMax)
  api.lua_settop(main, 0)
  const places: string[] = []
  let inner = ''
  for (const [, file = '', line = '', what = ''] of text.matchAll(place)) {
    const isOurs = file === '[lua]' || (what === 'main chunk' && inner === wrapperName(file))
    inner = what
    if (isOurs) continue
    places.push(nameless.test(what) ? `${file}:${line}` : `${file}:${line} in ${what}`)
  }
  return places
}
