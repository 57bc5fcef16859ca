import { limits } from '../../../foundation/kernel/thread/index.ts'
import type { Ended } from '../runtime/engine.ts'
import { scriptError } from '../runtime/script-error.ts'
import type { ScriptError, ScriptValue } from '../runtime/value.ts'
import { ValueRejected } from './budget.ts'
import { failedWith, notEnoughMemory, shortened, stoppedAt, stoppedBy } from './ends.ts'
import type { Marshal } from './marshal.ts'
import { StopSignal } from './meter.ts'
import { type LuaState, luaStatus } from './wasm/api.ts'

const statusDefault = 500

/** The end by the error that stands on top of a coroutine's stack. */
export function endOfError(marshal: Marshal, state: LuaState, status: number): Ended {
  const error = readError(marshal, state)
  const isMemory = status === luaStatus.memory || error === notEnoughMemory
  if (isMemory) return stoppedBy('memory', notEnoughMemory)
  return typeof error === 'string' ? failedWith(statusDefault, error) : { kind: 'failed', error }
}

/** A script may raise a text, or an error object as services return it. */
function readError(marshal: Marshal, state: LuaState): string | ScriptError {
  if (marshal.isText(state, -1)) return marshal.readText(state, -1)
  try {
    return errorObject(marshal.read(state, -1, marshal.budget(limits.scriptValueBytesMax)))
  } catch (thrown) {
    if (!(thrown instanceof ValueRejected)) throw thrown
    return errorObject(undefined)
  }
}

function errorObject(value: ScriptValue): string | ScriptError {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const { type, error, status } = (value ?? {}) as Record<string, ScriptValue>
  if (typeof error !== 'string') return 'the error is a value without a text'
  const isStatus = /^[45]\d\d$/.test(String(status))
  const made = scriptError(isStatus ? Number(status) : statusDefault, shortened(error))
  return isErrorType(type) ? { ...made, type } : made
}

function isErrorType(type: ScriptValue): type is string {
  return type === 'QueryError' || type === 'ServerError'
}

/** The end by what was thrown through the whole machine. */
export function endOfThrown(thrown: unknown, onFault: (error: unknown) => void): Ended {
  if (thrown instanceof StopSignal) {
    return stoppedAt(stoppedBy(thrown.limit, thrown.message), thrown.trace)
  }
  if (thrown instanceof RangeError) return stoppedBy('memory', 'calls lie too deep in one another')
  onFault(thrown)
  return stoppedBy('worker', 'the virtual machine failed')
}

export function resultRejected(refused: ValueRejected): Ended {
  const text = `the result holds ${refused.message}`
  return refused.tooLarge ? stoppedBy('value', text) : failedWith(statusDefault, text)
}
