import { createHash } from 'node:crypto'
import {
  anyJson,
  type Clock,
  parseJson,
  type Random,
  readableText,
} from '../../../../foundation/kernel/thread/index.ts'
import type { LogLevel } from '../../../../log/activity/index.ts'
import type { Program } from '../../registry/program.ts'
import type { MachineHooks } from '../../runtime/engine.ts'
import type { ScriptValue } from '../../runtime/value.ts'
import { ValueRejected } from '../budget.ts'
import { loadChunk } from '../chunks.ts'
import type { HostFunction, Instance } from '../instance.ts'
import type { Marshal } from '../marshal.ts'
import { type LuaState, luaStatus, luaTypes } from '../wasm/api.ts'
import { type DateFields, formatDate, toSeconds } from './dates.ts'

/** Bytes of one call of `rand_bytes`. */
const scriptRandomBytesMax = 64 * 1024
/** The format that a script gives to `os.date`. */
const scriptDateFormatBytesMax = 1_000

export type HostFunctionsOptions = {
  readonly instance: Instance
  readonly marshal: Marshal
  readonly program: Program
  readonly clock: Clock
  readonly random: Random
  readonly log: MachineHooks['log']
}

const msPerS = 1000
/** A letter of a date costs about as much as copying so many bytes. */
const lettersWork = 8
const seedBytes = 4

/**
 * The functions of the host that the prelude calls. Each gives its result, or nil and a sentence:
 * the prelude raises the error, so that it names the line of the script.
 */
export function hostFunctions(options: HostFunctionsOptions): Record<string, HostFunction> {
  const { instance, marshal, program, random } = options
  const { meter } = instance
  const { give, refuse } = answers(options)
  const { valueBytesMax, logBytesPerCallMax: logBytesMax } = program.limits
  const budget = () => marshal.budget(valueBytesMax)

  return {
    encode: (state) => {
      const spent = budget()
      const text = attempt(() => marshal.readJson(state, 1, spent))
      spent.settle()
      if (text instanceof Error) return refuse(state, `${text.message} cannot be written as JSON`)
      instance.pushText(state, text)
      return 1
    },
    decode: (state) => {
      const spent = budget()
      const value = attempt(() => {
        const text = instance.viewString(state, 1)
        spent.take(text.length, 0)
        const parsed = parseJson(readableText(text), anyJson(text.length)) as ScriptValue
        marshal.weigh(parsed, budget())
        return parsed
      })
      spent.settle()
      return value instanceof Error ? refuse(state, value.message) : give(state, value)
    },
    log: (state) => {
      const level = marshal.readText(state, 1) as LogLevel
      const text = instance.viewString(state, 2).toString('utf8', 0, logBytesMax + 1)
      meter.charge(1, text.length)
      options.log(meter.current?.call, level, text)
      return 0
    },
    ...timeFunctions(options),
    ...cryptoFunctions(options),
    seed: (state) => give(state, random(seedBytes).readUInt32LE()),
    userdata: (state) => {
      instance.api.lua_newuserdatauv(state, 0, 0)
      return 1
    },
    module: (state) => {
      const name = marshal.readText(state, 1)
      const chunk = program.chunks.find(
        ({ role }) => role.kind === 'module' && role.module === name,
      )
      if (chunk === undefined) return give(state, undefined)
      const status = loadChunk(instance, state, chunk)
      return status === luaStatus.ok ? 1 : refuse(state, marshal.readText(state, -1))
    },
  }
}

/** The functions of the field's module `staging.mcrypto`; a hash costs about as much as copying. */
function cryptoFunctions(options: HostFunctionsOptions): Record<string, HostFunction> {
  const { instance, marshal, random } = options
  const { api, meter } = instance
  const { give, refuse } = answers(options)
  return {
    randomBytes: (state) => {
      const count = api.lua_tonumberx(state, 1, 0)
      const most = scriptRandomBytesMax
      if (!Number.isInteger(count) || count < 0 || count > most) {
        return refuse(state, `rand_bytes takes 0 to ${most} bytes`)
      }
      return give(state, new Uint8Array(random(count)))
    },
    base64url: (state) => {
      const bytes = instance.viewString(state, 1)
      meter.charge(1, bytes.length)
      return give(state, bytes.toString('base64url'))
    },
    hash: (state) => {
      const bytes = instance.viewString(state, 1)
      const name = marshal.readText(state, 2).toLowerCase().replaceAll('-', '')
      if (!hashes.has(name)) return refuse(state, `there is no hash ${name.slice(0, 20)}`)
      meter.charge(1, bytes.length * hashWork)
      return give(state, new Uint8Array(createHash(name).update(bytes).digest()))
    },
  }
}

const hashes: ReadonlySet<string> = new Set(['md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512'])
const hashWork = 8

function timeFunctions(options: HostFunctionsOptions): Record<string, HostFunction> {
  const { instance, marshal, program, clock } = options
  const { api, meter } = instance
  const { give, refuse } = answers(options)
  const openedMs = meter.nowMs
  return {
    now: (state) => give(state, Math.floor(clock.nowMs())),
    env: (state) => {
      const name = marshal.readText(state, 1)
      const { env = {} } = program
      return give(state, Object.hasOwn(env, name) ? env[name] : undefined)
    },
    clock: (state) => give(state, (meter.nowMs - openedMs) / msPerS),
    time: (state) => {
      const isNow = api.lua_type(state, 1) !== luaTypes.table
      if (isNow) return give(state, Math.floor(clock.nowMs() / msPerS))
      const budget = marshal.budget(program.limits.valueBytesMax)
      const fields = attempt(() => marshal.read(state, 1, budget))
      budget.settle()
      if (fields instanceof Error) return refuse(state, `${fields.message} in date table`)
      const seconds = toSeconds((fields ?? {}) as DateFields)
      return typeof seconds === 'string' ? refuse(state, seconds) : give(state, seconds)
    },
    date: (state) => {
      const isNow = api.lua_type(state, 2) !== luaTypes.number
      const seconds = isNow ? clock.nowMs() / msPerS : api.lua_tonumberx(state, 2, 0)
      if (instance.viewString(state, 1).length > scriptDateFormatBytesMax) {
        return refuse(state, 'the format of the date is too long')
      }
      const text = formatDate(marshal.readText(state, 1), seconds)
      if (typeof text === 'string') meter.charge(1, text.length * lettersWork)
      return give(state, text)
    },
  }
}

type Answers = {
  give(state: LuaState, value: ScriptValue): number
  refuse(state: LuaState, text: string): number
}

function answers({ instance, marshal }: HostFunctionsOptions): Answers {
  return {
    give: (state, value) => {
      marshal.push(state, value)
      return 1
    },
    refuse: (state, text) => {
      instance.api.lua_pushnil(state)
      instance.pushText(state, text)
      return 2
    },
  }
}

/**
 * Turns a value that is refused, or a text that is no JSON, into a result: it must not pass through
 * Lua.
 */
function attempt<T>(read: () => T): T | ValueRejected | SyntaxError {
  try {
    return read()
  } catch (thrown) {
    if (thrown instanceof ValueRejected || thrown instanceof SyntaxError) return thrown
    throw thrown
  }
}
