import type { ScriptLimits } from '../registry/program.ts'
import type { Ended, Machine, MachineCall, Step } from '../runtime/engine.ts'
import { scriptError } from '../runtime/script-error.ts'
import type { ScriptValue } from '../runtime/value.ts'
import { type Budget, ValueRejected } from './budget.ts'
import { failedWith, notEnoughMemory, stoppedAt, stoppedBy } from './ends.ts'
import { endOfError, endOfThrown, resultRejected } from './failures.ts'
import type { Instance } from './instance.ts'
import type { Marshal } from './marshal.ts'
import { type Allowance, allow, allowClosing, tooLate } from './meter.ts'
import { serviceCallMarker } from './prelude/prelude.ts'
import { type Thread, Threads } from './threads.ts'
import { readTrace } from './trace.ts'
import { luaStatus, luaTypes, registry } from './wasm/api.ts'

export type LuaMachineOptions = {
  readonly instance: Instance
  readonly marshal: Marshal
  /** Called with errors of the platform, not of the script. */
  readonly onFault: (error: unknown) => void
}

type ServiceCallStep = Extract<Step, { kind: 'serviceCall' }>
type Outcome = Ended | Omit<ServiceCallStep, 'cpuMs'>

type Call = {
  readonly id: number
  readonly thread: Thread
  readonly limits: ScriptLimits
  readonly allowance: Allowance
  serviceCalls: number
}

/**
 * The virtual machine of a solution. A call runs in a coroutine until it ends or calls a service;
 * then the next step, of this call or another, may begin. The main stack is empty between two
 * steps.
 */
export class LuaMachine implements Machine {
  readonly #options: LuaMachineOptions
  readonly #threads: Threads
  readonly #calls = new Map<number, Call>()
  #dead = false

  constructor(options: LuaMachineOptions) {
    this.#options = options
    this.#threads = new Threads(options.instance)
  }

  get dead(): boolean {
    return this.#dead
  }

  get bytes(): number {
    return this.#options.instance.memoryBytes
  }

  start(id: number, invocation: MachineCall): Step {
    const { limits, wallMs } = invocation
    const allowance = allow(id, limits, this.#options.instance.meter.nowMs, wallMs)
    return this.#step(id, allowance, () => {
      const refused = this.#weigh(invocation.args, limits)
      if (refused !== undefined) return stoppedBy('value', `the arguments hold ${refused.message}`)
      const thread = this.#threads.acquire()
      if (thread === undefined) return stoppedBy('memory', notEnoughMemory)
      const call = { id, thread, limits, allowance, serviceCalls: 0 }
      this.#calls.set(id, call)
      return this.#begin(call, invocation)
    })
  }

  resume(id: number, answer: ScriptValue): Step {
    const call = this.#calls.get(id)
    if (call === undefined) return { ...gone(), cpuMs: 0 }
    return this.#step(id, call.allowance, () => {
      if (!this.#options.instance.meter.isLate(call.allowance)) return this.#answer(call, answer)
      this.#closeThread(call)
      return stoppedBy('time', tooLate(call.allowance))
    })
  }

  cancel(id: number): void {
    const call = this.#calls.get(id)
    if (call === undefined) return
    this.#step(id, call.allowance, () => {
      this.#closeThread(call)
      return stoppedBy('time', 'cancelled')
    })
  }

  close(): void {
    this.#dead = true
    this.#calls.clear()
  }

  /** An error thrown through Lua leaves it unusable: from then on the machine is lost. */
  #step(id: number, allowance: Allowance, body: () => Outcome): Step {
    if (this.#dead) return { ...gone(), cpuMs: 0 }
    const { instance } = this.#options
    let outcome: Outcome
    try {
      outcome = instance.meter.run(allowance, body)
    } catch (thrown) {
      this.close()
      outcome = endOfThrown(thrown, this.#options.onFault)
    }
    if (outcome.kind !== 'serviceCall') this.#calls.delete(id)
    return { ...outcome, cpuMs: allowance.cpuMs }
  }

  #begin(call: Call, { handler, args, context }: MachineCall): Outcome {
    const { instance, marshal } = this.#options
    const { api, main } = instance
    let found = false
    const status = instance.protect(() => {
      instance.needStack(main, args.length)
      marshal.push(main, { ...context })
      api.lua_rawseti(main, registry, BigInt(call.thread.contextRef))
      this.#setContext(call)
      instance.pushGlobals(main)
      instance.pushText(main, handler)
      found = api.lua_rawget(main, -2) === luaTypes.function
      for (const arg of args) marshal.push(main, arg)
      return args.length + 1
    })
    if (status !== luaStatus.ok) return this.#noMemory(call)
    if (found) return this.#run(call, args.length, args.length + 1)
    api.lua_settop(main, 0)
    this.#threads.release(call.thread)
    return failedWith(404, `there is no function ${handler}`)
  }

  #answer(call: Call, answer: ScriptValue): Outcome {
    const { instance, marshal } = this.#options
    const refused = this.#weigh(answer, call.limits)
    const given =
      refused === undefined ? answer : scriptError(413, `the answer holds ${refused.message}`)
    const status = instance.protect(() => {
      this.#setContext(call)
      marshal.push(instance.main, given)
      return 1
    })
    return status === luaStatus.ok ? this.#run(call, 1, 1) : this.#noMemory(call)
  }

  /** `context` is a global, and another one in each call. */
  #setContext(call: Call): void {
    const { instance } = this.#options
    const { api, main } = instance
    instance.pushGlobals(main)
    instance.pushText(main, 'context')
    api.lua_rawgeti(main, registry, BigInt(call.thread.contextRef))
    api.lua_rawset(main, -3)
    api.lua_settop(main, -2)
  }

  /** Moves what was pushed to the call's coroutine, and lets it go on. */
  #run(call: Call, args: number, pushed: number): Outcome {
    const { api, main, lengthAt } = this.#options.instance
    const { state } = call.thread
    if (api.lua_checkstack(state, pushed) === 0) {
      api.lua_settop(main, 0)
      return this.#noMemory(call)
    }
    api.lua_xmove(main, state, pushed)
    const { instance } = this.#options
    instance.running = state
    const status = api.lua_resume(state, main, args, lengthAt)
    instance.running = main
    const results = instance.length
    if (status === luaStatus.ok) return this.#returned(call, results)
    if (status === luaStatus.yield) return this.#asked(call, results)
    const end = endOfError(this.#options.marshal, state, status)
    const traced =
      end.kind === 'failed'
        ? { ...end, trace: readTrace(instance, state) }
        : stoppedAt(end, instance.callStack.readTrace(state))
    this.#closeThread(call)
    return traced
  }

  #returned(call: Call, results: number): Outcome {
    const value = this.#read(call, results === 0 ? undefined : -results)
    this.#threads.release(call.thread)
    return value instanceof ValueRejected ? resultRejected(value) : { kind: 'returned', value }
  }

  #asked(call: Call, results: number): Outcome {
    const { api } = this.#options.instance
    const { state } = call.thread
    if (api.lua_touserdata(state, -results) !== serviceCallMarker)
      throw new Error('an unexpected yield')
    call.serviceCalls += 1
    if (call.serviceCalls > call.limits.serviceCallsMax) {
      this.#closeThread(call)
      return stoppedBy('service_calls', `more than ${call.limits.serviceCallsMax} service calls`)
    }
    const { marshal } = this.#options
    const service = marshal.readText(state, 1 - results)
    const operation = marshal.readText(state, 2 - results)
    const args = this.#read(call, 3 - results)
    api.lua_settop(state, -results - 1)
    if (!(args instanceof ValueRejected)) return { kind: 'serviceCall', service, operation, args }
    const status = args.tooLarge ? 413 : 400
    return this.#answer(call, scriptError(status, `the arguments hold ${args.message}`))
  }

  #read(call: Call, index: number | undefined): ScriptValue | ValueRejected {
    if (index === undefined) return undefined
    const { marshal } = this.#options
    return this.#spend(marshal.budget(call.limits.valueBytesMax), (budget) =>
      marshal.read(call.thread.state, index, budget),
    )
  }

  #weigh(value: ScriptValue, limits: ScriptLimits): ValueRejected | undefined {
    const { marshal } = this.#options
    return this.#spend(marshal.budget(limits.valueBytesMax), (budget) => {
      marshal.weigh(value, budget)
      return undefined
    })
  }

  #spend<T>(budget: Budget, body: (budget: Budget) => T): T | ValueRejected {
    try {
      return body(budget)
    } catch (thrown) {
      if (thrown instanceof ValueRejected) return thrown
      throw thrown
    } finally {
      budget.settle()
    }
  }

  #noMemory(call: Call): Ended {
    this.#options.instance.api.lua_settop(this.#options.instance.main, 0)
    this.#closeThread(call)
    return stoppedBy('memory', notEnoughMemory)
  }

  /** Ends a coroutine that failed or waits; what it has to close may run a little. */
  #closeThread(call: Call): void {
    const { api, meter } = this.#options.instance
    const { state } = call.thread
    meter.run(allowClosing(call.allowance), () => api.lua_resetthread(state))
    this.#threads.release(call.thread)
  }
}

function gone(): Ended {
  return stoppedBy('worker', 'the virtual machine is gone')
}
