import { strict as assert } from 'node:assert'
import { loadText } from './chunks.ts'
import { allow, StopSignal } from './meter.ts'
import { newInstance, type OpenOptions } from './open.ts'
import { luaStatus } from './wasm/api.ts'

/** A loop of C that calls no hook of Lua: without the rewrite it takes seconds. */
const endless = 'return (""):rep(1e9)'
const wallMs = 20
/** A thread of a busy machine may wait for its turn; what does not stop takes seconds each time. */
const endedMs = 500
const tries = 5
const memoryBytes = 4 * 1024 * 1024

/** Proves at each start that the rewritten Lua stops. */
export function assertStops(options: OpenOptions): void {
  const took = []
  for (let left = tries; left > 0; left -= 1) {
    const ms = msUntilStopped(options)
    if (ms < endedMs) return
    took.push(ms)
  }
  throw new Error(`Lua stopped after ${took.join(', ')} ms where it had ${wallMs} ms`)
}

function msUntilStopped(options: OpenOptions): number {
  const instance = newInstance(options, memoryBytes)
  const { api, main, meter } = instance
  const startedMs = meter.nowMs
  const unlimited = { cpuMsMax: Number.MAX_SAFE_INTEGER }
  const run = () =>
    meter.run(allow(undefined, unlimited, startedMs, wallMs), () =>
      instance.protect(() => {
        api.luaopen_string(main)
        assert.equal(loadText(instance, main, '=self-test', endless), luaStatus.ok)
        return api.lua_pcallk(main, 0, 0, 0, 0, 0)
      }),
    )
  assert.throws(run, StopSignal, 'Lua did not stop')
  return meter.nowMs - startedMs
}
