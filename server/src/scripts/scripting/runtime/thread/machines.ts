import { anyJson, Fault, limits, parseJson } from '../../../../foundation/kernel/thread/index.ts'
import type { LogLevel } from '../../../../log/activity/index.ts'
import type { Program } from '../../registry/program.ts'
import type { Ended, Machine, ScriptEngine, Step, Trace } from '../engine.ts'
import { scriptError, stopped } from '../script-error.ts'
import type { ScriptValue } from '../value.ts'
import { sizeProblem } from '../value.ts'
import type { CallMessage, FromWorker, WorkerOptions } from '../workers/messages.ts'
import type { ThreadTime } from './thread-time.ts'

/**
 * The time for which a solution whose scripts fail while its machine is made answers with that
 * failure before it is tried again.
 */
const scriptReopenMs = 2_000

/** A machine of a solution's version, with the calls that run or wait in it. */
type Slot = {
  readonly program: Program
  readonly machine: Machine
  readonly calls: Set<number>
  /** Closed as soon as its last call ends: a newer version, or nobody, has its place. */
  retired: boolean
  closed: boolean
  bytes: number
}

/** Why a version has no machine, and when that may be tried again. */
type Problem = { readonly ended: Ended; readonly version: number; readonly untilMs: number }

export type MachinesOptions = Pick<WorkerOptions, 'machinesMax' | 'machineBytesMax'> & {
  readonly engine: ScriptEngine
  readonly time: ThreadTime
  readonly send: (message: FromWorker) => void
}

/**
 * A worker's machines: one for each solution and version, made with its first call. A machine that
 * a limit killed takes the other calls that wait in it with it; the next call makes a new one.
 */
export class Machines {
  readonly #options: MachinesOptions
  readonly #programs = new Map<string, Program>()
  readonly #problems = new Map<string, Problem>()
  /** In the order of their last use. */
  readonly #slots = new Map<string, Slot>()
  readonly #running = new Map<number, Slot>()
  /** The characters that each call has logged. */
  readonly #logged = new Map<number, number>()
  #bytes = 0

  constructor(options: MachinesOptions) {
    this.#options = options
  }

  setProgram(program: Program): void {
    this.#programs.set(program.solutionId, program)
  }

  call(message: CallMessage): void {
    const [, call, solutionId, version, handler, , trackingId, service, callerId, wallMs] = message
    const program = this.#programs.get(solutionId)
    if (program?.version !== version) {
      this.#options.send(['programMissing', call])
      return
    }
    const fromMs = this.#options.time.mark()
    const slot = this.#getSlot(program)
    if ('kind' in slot) {
      this.#options.send(['ended', call, slot, this.#options.time.mark() - fromMs])
      return
    }
    const args = readArguments(message, program)
    if ('kind' in args) {
      this.#options.send(['ended', call, args, this.#options.time.mark() - fromMs])
      return
    }
    this.#running.set(call, slot)
    slot.calls.add(call)
    const context = {
      solution_id: solutionId,
      tracking_id: trackingId,
      service,
      ...(callerId === undefined ? {} : { caller_id: callerId }),
    }
    const invocation = { handler, args, context, limits: program.limits, wallMs }
    this.#runStep(slot, call, fromMs, (machine) => machine.start(call, invocation))
  }

  resume(call: number, answer: ScriptValue): void {
    const slot = this.#running.get(call)
    if (slot === undefined) return
    const fromMs = this.#options.time.mark()
    this.#runStep(slot, call, fromMs, (machine) => machine.resume(call, answer))
  }

  cancel(call: number): void {
    const slot = this.#running.get(call)
    if (slot === undefined) return
    slot.machine.cancel(call)
    this.#endCall(slot, call)
  }

  forget(solutionId: string): void {
    this.#programs.delete(solutionId)
    this.#problems.delete(solutionId)
    const slot = this.#slots.get(solutionId)
    if (slot !== undefined) this.#retire(slot)
  }

  /** Drops idle machines, the one used longest ago first, until the rest is within the limits. */
  trim(): void {
    if (this.#isWithinLimits()) return
    for (const slot of this.#slots.values()) {
      if (slot.calls.size > 0) continue
      this.#programs.delete(slot.program.solutionId)
      this.#retire(slot)
      if (this.#isWithinLimits()) return
    }
  }

  #isWithinLimits(): boolean {
    const { machinesMax, machineBytesMax } = this.#options
    return this.#slots.size <= machinesMax && this.#bytes <= machineBytesMax
  }

  #getSlot(program: Program): Slot | Ended {
    const { solutionId, version } = program
    const known = this.#slots.get(solutionId)
    if (known?.program.version === version) {
      this.#slots.delete(solutionId)
      this.#slots.set(solutionId, known)
      return known
    }
    if (known !== undefined) this.#retire(known)
    return this.#open(program)
  }

  #open(program: Program): Slot | Ended {
    const { solutionId, version } = program
    const { time } = this.#options
    const known = this.#problems.get(solutionId)
    if (known?.version === version && time.nowMs < known.untilMs) return known.ended
    this.#problems.delete(solutionId)
    this.#logged.delete(openingCall)
    const opened = this.#openMachine(program)
    if ('problem' in opened) {
      const untilMs = time.nowMs + scriptReopenMs
      this.#problems.set(solutionId, { ended: opened.problem, version, untilMs })
      return opened.problem
    }
    // A cold one is retired from the first: it is closed with its only call.
    const retired = program.cold === true
    const fresh = { retired, closed: false, bytes: 0 }
    const slot = { program, machine: opened, calls: new Set<number>(), ...fresh }
    if (!retired) this.#slots.set(solutionId, slot)
    return slot
  }

  #openMachine(program: Program): ReturnType<ScriptEngine['open']> {
    try {
      return this.#options.engine.open(program, {
        log: (call, level, text) => this.#log(program, call, level, text),
      })
    } catch (error) {
      this.#options.send(['fault', formatDetail(error)])
      return { problem: { kind: 'failed', error: scriptError(500, 'internal') } }
    }
  }

  #log(program: Program, call: number | undefined, level: LogLevel, text: string): void {
    const { solutionId } = program
    const { send } = this.#options
    const key = call ?? openingCall
    const before = this.#logged.get(key) ?? 0
    const left = program.limits.logBytesPerCallMax - before
    if (left <= 0) return
    this.#logged.set(key, before + text.length)
    send(['log', solutionId, call, level, text.slice(0, left)])
    if (text.length <= left) return
    send([
      'log',
      solutionId,
      call,
      'warn',
      'The log of this call is full: what follows is left out.',
    ])
  }

  /** Runs one step, sends its result, and closes or measures its machine. */
  #runStep(slot: Slot, call: number, fromMs: number, go: (machine: Machine) => Step): void {
    const { send, time } = this.#options
    try {
      const step = go(slot.machine)
      const cpuMs = time.mark() - fromMs
      if (step.kind === 'serviceCall') {
        send(['serviceCall', call, step.service, step.operation, step.args, cpuMs])
      } else {
        send(['ended', call, stripEnd(step), cpuMs])
        this.#endCall(slot, call)
        // The machine may keep the memory that was taken: the next call gets another machine.
        if (step.kind === 'stopped' && step.limit === 'memory') this.#retire(slot)
      }
    } catch (error) {
      send(['fault', formatDetail(error)])
      const failed = { kind: 'failed', error: scriptError(500, 'internal') } as const
      send(['ended', call, failed, time.mark() - fromMs])
      this.#endCall(slot, call)
      this.#failOtherCalls(slot)
    }
    if (slot.machine.dead) this.#failOtherCalls(slot)
    else this.#updateBytes(slot)
  }

  #failOtherCalls(slot: Slot): void {
    for (const other of slot.calls) {
      const lost = stopped('worker', 'Another call ended the machine of this one.')
      this.#options.send(['ended', other, lost, 0])
      this.#running.delete(other)
      this.#logged.delete(other)
    }
    slot.calls.clear()
    if (slot.retired) this.#close(slot)
    else this.#retire(slot)
  }

  #updateBytes(slot: Slot): void {
    if (slot.closed) return
    this.#bytes += slot.machine.bytes - slot.bytes
    slot.bytes = slot.machine.bytes
  }

  #endCall(slot: Slot, call: number): void {
    this.#running.delete(call)
    this.#logged.delete(call)
    slot.calls.delete(call)
    if (slot.retired && slot.calls.size === 0) this.#close(slot)
  }

  #retire(slot: Slot): void {
    const { solutionId } = slot.program
    if (this.#slots.get(solutionId) === slot) this.#slots.delete(solutionId)
    slot.retired = true
    if (slot.calls.size === 0) this.#close(slot)
  }

  #close(slot: Slot): void {
    if (slot.closed) return
    slot.closed = true
    this.#bytes -= slot.bytes
    slot.machine.close()
  }
}

/** Returns an error's stack if it has one, for the operator's log. */
export function formatDetail(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** The id of lines that chunks log at the opening; calls have ids above. */
const openingCall = 0

/** The arguments with the body that came as JSON, or the end if that cannot be read. */
function readArguments(
  message: CallMessage,
  { limits: own }: Program,
): readonly ScriptValue[] | Ended {
  const args = message[5]
  const text = message[11]
  if (text === undefined) return args
  try {
    const body = parseJson(text, anyJson(limits.scriptValueNodesMax)) as ScriptValue
    const problem = sizeProblem(body, own.valueBytesMax)
    if (problem !== undefined) return tooLarge(problem)
    const [first, ...others] = args
    return [{ ...(first as Readonly<Record<string, ScriptValue>>), body }, ...others]
  } catch (error) {
    if (error instanceof Fault) return tooLarge(error.detail)
    return stopped('body', 'The body is not JSON.')
  }
}

function tooLarge(text: string): Ended {
  return { ...stopped('body', text), error: scriptError(413, text) }
}

/** The end alone, without the step's CPU: that has its own place in the message. */
function stripEnd(ended: Ended): Ended {
  switch (ended.kind) {
    case 'returned':
      return { kind: 'returned', value: ended.value }
    case 'failed':
      return stripFailure(ended)
    case 'stopped':
      return { kind: 'stopped', limit: ended.limit, error: ended.error, ...pickTrace(ended) }
  }
}

function stripFailure(ended: Extract<Ended, { kind: 'failed' }>): Ended {
  return { kind: 'failed', error: ended.error, ...pickTrace(ended) }
}

function pickTrace({ trace }: { readonly trace?: Trace }): { readonly trace?: Trace } {
  return trace === undefined ? {} : { trace }
}
