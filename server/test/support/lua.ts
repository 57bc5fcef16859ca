import { strict as assert } from 'node:assert'
import { elapsedMs, limits, systemClock, systemRandom, threadMs } from '../../src/kernel/index.ts'
import type { ScriptValue } from '../../src/scripting/index.ts'
import {
  createLuaEngine,
  progressCells,
  ThreadTime,
  ticksAt,
} from '../../src/scripting/lua/index.ts'

type Engine = ReturnType<typeof createLuaEngine>
export type Program = Parameters<Engine['open']>[0]
type Chunk = Program['chunks'][number]
type Opened = ReturnType<Engine['open']>
export type Machine = Exclude<Opened, { problem: unknown }>
type Problem = Extract<Opened, { problem: unknown }>['problem']
export type Step = ReturnType<Machine['start']>
export type Asked = Extract<Step, { kind: 'asks' }>
export type Ended = Exclude<Step, Asked>
type Answer = (asked: Asked) => ScriptValue

const generousMs = 30_000

const progress = new Int32Array(progressCells)
let made: Engine | undefined

/** How often the engine has looked at its limits. */
export function ticks(): number {
  return Atomics.load(progress, ticksAt)
}

/** One engine for all tests: compiling it is no part of what they look at. */
export function luaEngine(): Engine {
  made ??= createLuaEngine({
    ...{ clock: systemClock(), random: systemRandom },
    time: new ThreadTime({ elapsedMs, threadMs, progress }),
    faulted: (error) => {
      throw error
    },
  })
  return made
}

export type LuaOptions = {
  /** The body of `main(a, b, c)`, in the file main.lua. */
  readonly source?: string
  readonly chunks?: readonly Chunk[]
  readonly services?: readonly string[]
  readonly limits?: Partial<Program['limits']>
}

/** A machine under test: its calls one at a time, answered at once. */
export class Lua {
  readonly machine: Machine
  readonly lines: string[]
  readonly #program: Program
  #calls = 0

  constructor(machine: Machine, program: Program, lines: string[]) {
    this.machine = machine
    this.#program = program
    this.lines = lines
  }

  /** Begins a call, and leaves it where it asks. */
  start(handler: string, args: readonly ScriptValue[], more: { wallMs?: number } = {}): Step {
    this.#calls += 1
    return this.machine.start(this.#calls, {
      ...{ handler, args, wallMs: more.wallMs ?? generousMs, limits: this.#program.limits },
      context: { solution_id: 's1', tracking_id: `t${this.#calls}`, service: 'test' },
    })
  }

  /** The number of the call that was begun last. */
  get call(): number {
    return this.#calls
  }

  end(args: readonly ScriptValue[] = [], options: EndOptions = {}): Ended {
    let step = this.start(options.handler ?? 'main', args, options)
    while (step.kind === 'asks') {
      step = this.machine.resume(this.#calls, options.answer?.(step))
    }
    return step
  }

  /** The result of a call that must return. */
  value(...args: ScriptValue[]): ScriptValue {
    const ended = this.end(args)
    assert.equal(ended.kind, 'returned', 'error' in ended ? ended.error.error : '')
    return ended.kind === 'returned' ? ended.value : undefined
  }
}

type EndOptions = {
  readonly handler?: string
  readonly wallMs?: number
  readonly answer?: Answer
}

export function programOf(options: LuaOptions): Program {
  const role = { kind: 'handler', defines: 'main', parameters: ['a', 'b', 'c'] } as const
  const main = { name: 'main.lua', source: options.source ?? '', role }
  return {
    ...{ businessId: 'b1', solutionId: 's1', version: 1, services: options.services ?? [] },
    chunks: [...(options.chunks ?? []), main],
    limits: {
      memoryBytesMax: limits.scriptMemoryBytes,
      cpuMsMax: limits.scriptCpuMs,
      wallMsMax: limits.scriptWallMs,
      valueBytesMax: limits.scriptValueBytesMax,
      serviceCallsMax: limits.scriptServiceCallsMax,
      logBytesPerCallMax: limits.scriptLogBytesPerCallMax,
      ...options.limits,
    },
  }
}

export function openLua(options: LuaOptions): Lua {
  const opened = tryOpen(options)
  assert(opened instanceof Lua, opened instanceof Lua ? '' : JSON.stringify(opened))
  return opened
}

export function tryOpen(options: LuaOptions): Lua | Problem {
  const lines: string[] = []
  const program = programOf(options)
  const opened = luaEngine().open(program, {
    log: (_, level, text) => void lines.push(`${level} ${text}`),
  })
  return 'problem' in opened ? opened.problem : new Lua(opened, program, lines)
}

/** What a body gives that is run once, in a machine of its own. */
export function resultOf(source: string, ...args: ScriptValue[]): ScriptValue {
  return openLua({ source }).value(...args)
}

/** How a body ends that is run once, in a machine of its own. */
export function endOf(source: string, options: LuaOptions & EndOptions = {}): Ended {
  return openLua({ ...options, source }).end([], options)
}

/** What is wrong with a body that must fail. */
export function errorOf(source: string, options: LuaOptions & EndOptions = {}): string {
  const ended = endOf(source, options)
  assert.notEqual(ended.kind, 'returned')
  return 'error' in ended ? ended.error.error : ''
}
