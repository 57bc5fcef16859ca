import { scriptingLimits } from '../../limits.ts'
import type { Program, ScriptContext } from '../../registry/program.ts'
import type { Ended } from '../engine.ts'
import type { HostCall, HostEnd, ServiceRequest } from '../host.ts'
import type { ScriptValue } from '../value.ts'
import type { CallMessage } from '../workers/messages.ts'
import type { WorkerChannel } from '../workers/worker-channel.ts'

/**
 * The same if each call has a machine of its own (`reuse_vm` is false): each may use as much memory
 * as a whole solution otherwise.
 */
const scriptColdCallsMax = 8

/**
 * A call on its way through the host. `waits` for a turn → `posted` to a worker, which runs it →
 * `asks` a service, and back to `posted` with the answer → ended, from anywhere.
 */
export class RunningCall {
  readonly id: number
  readonly program: Program
  readonly call: HostCall
  readonly startMs: number
  readonly deadlineMs: number
  state: 'queued' | 'posted' | 'callingService' | 'ended' = 'queued'
  channel: WorkerChannel | undefined
  message: CallMessage | undefined
  /** True if a worker that was lost before it began has given it back once. */
  wasReposted = false
  started = false
  /** The number of times that it was posted. */
  posts = 0
  /** CPU of its steps. */
  cpuMs = 0
  serviceCalls = 0
  readonly #resolve: (end: HostEnd) => void
  #ending: AbortController | undefined

  constructor(
    id: number,
    program: Program,
    call: HostCall,
    nowMs: number,
    resolve: (end: HostEnd) => void,
  ) {
    this.id = id
    this.program = program
    this.call = call
    this.startMs = nowMs
    const { wallMsMax } = program.limits
    this.deadlineMs = nowMs + Math.min(wallMsMax, call.wallMsMax ?? wallMsMax)
    this.#resolve = resolve
  }

  get solutionId(): string {
    return this.program.solutionId
  }

  get depth(): number {
    return this.call.depth
  }

  /** Machines of one's own cost memory. */
  get concurrencyMax(): number {
    return this.program.cold === true ? scriptColdCallsMax : scriptingLimits.scriptCallsMax
  }

  /** Aborted at the end of the call; made only for a service that uses it. */
  get signal(): AbortSignal {
    this.#ending ??= new AbortController()
    if (this.state === 'ended') this.#ending.abort()
    return this.#ending.signal
  }

  messageAt(nowMs: number): CallMessage {
    const { handler, args, body, context } = this.call
    const { solutionId, version } = this.program
    const { tracking_id, service, caller_id } = context
    const wallMs = Math.max(1, this.deadlineMs - nowMs)
    this.posts += 1
    return [
      'call',
      this.id,
      solutionId,
      version,
      handler,
      args,
      tracking_id,
      service,
      caller_id,
      wallMs,
      this.posts,
      body,
    ]
  }

  settle(ended: Ended, nowMs: number): void {
    this.state = 'ended'
    const { cpuMs, serviceCalls, started } = this
    const usage = { cpuMs, serviceCalls, wallMs: nowMs - this.startMs }
    this.#resolve({ ...ended, usage, started })
    this.#ending?.abort()
  }
}

/** The service request of a running call. */
export class PendingServiceRequest implements ServiceRequest {
  readonly service: string
  readonly operation: string
  readonly args: ScriptValue
  readonly remainingMs: number
  readonly #running: RunningCall

  constructor(
    running: RunningCall,
    service: string,
    operation: string,
    args: ScriptValue,
    nowMs: number,
  ) {
    this.#running = running
    this.service = service
    this.operation = operation
    this.args = args
    this.remainingMs = Math.max(0, running.deadlineMs - nowMs)
  }

  get program(): Program {
    return this.#running.program
  }

  get handler(): string {
    return this.#running.call.handler
  }

  get context(): ScriptContext {
    return this.#running.call.context
  }

  get depth(): number {
    return this.#running.depth
  }

  get signal(): AbortSignal {
    return this.#running.signal
  }
}
