import { limits, withoutMark } from '../../../foundation/kernel/thread/index.ts'
import type { Chunk, SyntaxProblem } from '../registry/program.ts'
import type { Instance } from './instance.ts'
import { type LuaState, luaStatus } from './wasm/api.ts'

const textMode = 't'
const identifier = /^[A-Za-z_]\w*$/

/** Pushes the compiled text, or the error: its status. Bytecode is refused. */
export function loadText(instance: Instance, state: LuaState, name: string, text: string): number {
  const bytes = Buffer.byteLength(text)
  const nameBytes = Buffer.byteLength(name) + 1
  return instance.withRoom(state, bytes + nameBytes + textMode.length + 1, (at) => {
    const nameAt = at + bytes
    const modeAt = nameAt + nameBytes
    instance.writeText(`${text}${name}\0${textMode}\0`, at)
    return instance.api.luaL_loadbufferx(state, at, bytes, nameAt, modeAt)
  })
}

/**
 * As `loadText`. A handler's parameters are declared on the first line of its source, before what
 * stands there, so that lines keep their numbers.
 */
export function loadChunk(instance: Instance, state: LuaState, chunk: Chunk): number {
  return loadText(instance, state, `@${chunk.name}`, wrapSource(chunk))
}

/** A function around the source receives last what it made of a parameter, or put in its place. */
function wrapSource(chunk: Chunk): string {
  const parameters = formatParameters(chunk)
  const source = plainSource(chunk)
  const { returns = '' } = chunk.role.kind === 'handler' ? chunk.role : {}
  if (returns === '') return parameters + source
  return (
    `${parameters}local value = (function(...) ${source}\nend)(...) ` +
    `if value == ${returns} then value = nil end return {value = value, ${returns} = ${returns}}`
  )
}

/** Pushes the compiled chunk. Raises Lua's error where it cannot be compiled. */
export function mustLoadChunk(instance: Instance, state: LuaState, chunk: Chunk): void {
  if (loadChunk(instance, state, chunk) !== luaStatus.ok) instance.api.lua_error(state)
}

function plainSource(chunk: Chunk): string {
  return withoutMark(chunk.source)
}

function formatParameters({ role }: Chunk): string {
  if (role.kind !== 'handler' || role.parameters.length === 0) return ''
  const also = role.also === undefined ? '' : `local ${role.also} = ${role.parameters[0]} `
  const socket = role.socket === true ? socketText : ''
  return `local ${role.parameters.join(', ')} = ... ${also}${socket}`
}

/**
 * Scripts of the field call the table by either name. Its functions stand behind it, so that it
 * stays a value that can be sent and logged.
 */
const socketText =
  'websocketInfo = websocketInfo or {} ' +
  'local websocket_info, request = websocketInfo, websocketInfo ' +
  'do local id, call = websocketInfo.socket_id, murano.service_call ' +
  'setmetatable(websocketInfo, {__index = {send = function(message, kind) ' +
  "return call('websocket', 'send', {socket_id = id, message = message, type = kind}) end, " +
  'close = function(code, reason) ' +
  "return call('websocket', 'close', {socket_id = id, code = code, reason = reason}) end}}) end "

/** Returns the fault of a chunk before Lua compiles it. */
export function chunkProblem(chunk: Chunk): SyntaxProblem | undefined {
  const at = (message: string) => ({ file: chunk.name, line: 1, message })
  const max = limits.scriptSourceBytesMax
  if (Buffer.byteLength(chunk.source) > max) return at(`the script has more than ${max} bytes`)
  if (chunk.role.kind !== 'handler') return undefined
  const odd = chunk.role.parameters.find((name) => !identifier.test(name))
  return odd === undefined ? undefined : at(`"${odd}" cannot be the name of a parameter`)
}

/** Lua's `file:line: message` in its parts; the file's name may have been shortened by Lua. */
export function parseProblem(chunk: Chunk, text: string): SyntaxProblem {
  const rest = text.startsWith(chunk.name) ? text.slice(chunk.name.length) : text
  const [, line = '1', message = text] = /^.*?:(\d+): ([\s\S]*)$/.exec(rest) ?? []
  return { file: chunk.name, line: Number(line), message }
}
