import type { Instance } from './instance.ts'
import { type LuaState, registry } from './wasm/api.ts'

/** Coroutines of one virtual machine that are kept for the next call. */
const scriptCoroutinesIdleMax = 16

/** A coroutine in which one call runs at a time, anchored in the registry, with its context. */
export type Thread = {
  readonly state: LuaState
  readonly ref: number
  readonly contextRef: number
}

/** Coroutines are used again: a new one for each call would be work for the collector. */
export class Threads {
  readonly #instance: Instance
  readonly #idle: Thread[] = []

  constructor(instance: Instance) {
    this.#instance = instance
  }

  /** Undefined: there is no memory for one more. */
  acquire(): Thread | undefined {
    const idle = this.#idle.pop()
    if (idle !== undefined) return idle
    const { api, main } = this.#instance
    let made: Thread | undefined
    const done = this.#instance.mustDo(() => {
      const state = api.lua_newthread(main)
      const ref = api.luaL_ref(main, registry)
      api.lua_pushboolean(main, 0)
      made = { state, ref, contextRef: api.luaL_ref(main, registry) }
      return 0
    })
    return done ? made : undefined
  }

  /** The thread's call has ended by itself, or was closed. */
  release(thread: Thread): void {
    const { api } = this.#instance
    api.lua_settop(thread.state, 0)
    if (this.#idle.length < scriptCoroutinesIdleMax) {
      this.#idle.push(thread)
      return
    }
    api.luaL_unref(this.#instance.main, registry, thread.contextRef)
    api.luaL_unref(this.#instance.main, registry, thread.ref)
  }
}
