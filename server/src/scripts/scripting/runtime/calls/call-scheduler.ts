import { type Logger, limits } from '../../../../foundation/kernel/index.ts'
import { scriptingLimits } from '../../limits.ts'
import type { Program } from '../../registry/program.ts'
import type { Ended } from '../engine.ts'
import type { HostCall, HostEnd, HostHooks } from '../host.ts'
import { scriptError, stopped } from '../script-error.ts'
import type { ScriptValue } from '../value.ts'
import { sizeProblem } from '../value.ts'
import type { FromWorker, ToWorker } from '../workers/messages.ts'
import type { WorkerPool } from '../workers/pool.ts'
import type { InFlight, WorkerChannel } from '../workers/worker-channel.ts'
import { PendingServiceRequest, RunningCall } from './running-call.ts'
import { createSemaphore } from './semaphore.ts'

export type CallSchedulerOptions = {
  readonly hooks: HostHooks
  readonly logger: Logger
  readonly elapsedMs: () => number
  readonly pool: WorkerPool
  /** Called when a call begins: from then on the workers are sampled. */
  readonly onBusy: () => void
  readonly ids: { last: number }
}

type LogMessage = Extract<FromWorker, readonly ['log', ...unknown[]]>
type CallMessageFromWorker = Exclude<
  FromWorker,
  readonly ['checked' | 'fault' | 'more', ...unknown[]]
>

/** Every call of the host, from its arrival to its end. */
export class CallScheduler {
  readonly #options: CallSchedulerOptions
  readonly #calls = new Map<number, RunningCall>()
  readonly #semaphore = createSemaphore<RunningCall>()
  #closed = false

  constructor(options: CallSchedulerOptions) {
    this.#options = options
  }

  get count(): number {
    return this.#calls.size
  }

  call(program: Program, call: HostCall): Promise<HostEnd> {
    const { elapsedMs, ids, onBusy } = this.#options
    return new Promise((resolve) => {
      ids.last += 1
      const running = new RunningCall(ids.last, program, call, elapsedMs(), resolve)
      const rejection = this.#closed ? closing : findRejection(program, call)
      const turn = rejection === undefined ? this.#semaphore.acquire(running) : 'full'
      if (turn === 'full') {
        running.settle(rejection ?? queueFull, elapsedMs())
        return
      }
      this.#calls.set(running.id, running)
      onBusy()
      if (turn === 'run') this.#post(running)
    })
  }

  receive(message: CallMessageFromWorker, channel: WorkerChannel): void {
    if (message[0] === 'log') this.#receiveLog(message)
    else {
      const call = this.#calls.get(message[1])
      if (call !== undefined) this.#receiveForCall(call, message, channel)
    }
  }

  workerLost(channel: WorkerChannel, { crashed, notStarted }: InFlight): void {
    const crashing = crashed === undefined ? undefined : this.#calls.get(readCallId(crashed))
    if (crashing !== undefined && !this.#closed) {
      this.#options.pool.quarantine.recordCrash(crashing.solutionId)
    }
    const repeatable = new Set(notStarted.filter(([kind]) => kind === 'call').map(readCallId))
    for (const call of [...this.#calls.values()]) {
      if (call.channel === channel) this.#failOrRepost(call, repeatable.has(call.id))
    }
  }

  notCloneable(message: ToWorker): void {
    const call = this.#calls.get(readCallId(message))
    if (call === undefined) return
    const what = { kind: message[0], solution: call.solutionId }
    this.#options.logger.error(what, 'a value cannot be cloned')
    const error = scriptError(500, 'internal')
    if (message[0] === 'answer') call.channel?.post(['answer', call.id, { ...error }])
    else this.#end(call, { kind: 'failed', error })
  }

  /** Ends the calls that are out of time. */
  expire(nowMs: number): void {
    for (const call of this.#calls.values()) {
      if (nowMs < call.deadlineMs) continue
      // The engine ends a call that runs in a worker, with a better error, or the worker is ended.
      const runs = call.state === 'posted' && call.channel?.isQueued(call.message) !== true
      if (runs && nowMs < call.deadlineMs + 2 * scriptingLimits.scriptHangMs) continue
      const text = `The call took longer than ${Math.round(call.deadlineMs - call.startMs)} ms.`
      this.#withdraw(call, stopped('time', text))
    }
  }

  findSolution(message: ToWorker): string | undefined {
    return this.#calls.get(readCallId(message))?.solutionId
  }

  /** Returns whether the worker has a call that has not ended. */
  has(channel: WorkerChannel): boolean {
    for (const call of this.#calls.values()) if (call.channel === channel) return true
    return false
  }

  /** Posts calls anew that a worker has not begun. */
  repost(messages: readonly ToWorker[]): void {
    for (const message of messages) {
      const call = this.#calls.get(readCallId(message))
      if (call?.message === message) this.#repostCall(call)
    }
  }

  close(): void {
    this.#closed = true
    for (const call of [...this.#calls.values()]) this.#end(call, closing)
  }

  #end(call: RunningCall, ended: Ended): void {
    if (call.state === 'ended') return
    this.#calls.delete(call.id)
    const waited = call.state === 'queued'
    call.settle(ended, this.#options.elapsedMs())
    if (waited) this.#semaphore.cancel(call)
    const following = waited ? undefined : this.#semaphore.release(call)
    if (following !== undefined && !this.#closed) this.#post(following)
  }

  #post(call: RunningCall): void {
    const { program, solutionId } = call
    const { pool, elapsedMs } = this.#options
    // It has its slot, which goes to the next call wherever this one ends.
    call.state = 'posted'
    if (pool.quarantine.isSuspended(solutionId)) {
      this.#end(call, stopped('worker', 'The solution cost a worker; it rests for a while.'))
      return
    }
    const channel = pool.channelFor(solutionId)
    if (channel.sentVersions.get(solutionId) !== program.version) {
      channel.sentVersions.set(solutionId, program.version)
      channel.post(['program', program])
    }
    call.channel = channel
    call.started = true
    call.message = call.messageAt(elapsedMs())
    channel.post(call.message)
  }

  /** Ends a call that a worker has, wherever it is there. */
  #withdraw(call: RunningCall, ended: Ended): void {
    const { channel, message } = call
    if (message !== undefined && channel?.removeQueued(message) === true) call.started = false
    else channel?.post(['cancel', call.id])
    this.#end(call, ended)
  }

  #callService(call: RunningCall, service: string, operation: string, args: ScriptValue): void {
    const { hooks, logger, elapsedMs } = this.#options
    const { serviceCallsMax } = call.program.limits
    call.serviceCalls += 1
    if (call.serviceCalls > serviceCallsMax) {
      const text = `The call asked services more than ${serviceCallsMax} times.`
      this.#withdraw(call, stopped('service_calls', text))
      return
    }
    call.state = 'callingService'
    const request = new PendingServiceRequest(call, service, operation, args, elapsedMs())
    const answer = (value: ScriptValue) => {
      if (call.state !== 'callingService') return
      call.state = 'posted'
      call.channel?.post(['answer', call.id, value])
    }
    hooks.callService(request).then(answer, (error) => {
      logger.error({ err: error }, 'a service call rejected')
      answer({ ...scriptError(500, 'internal') })
    })
  }

  #receiveForCall(
    call: RunningCall,
    message: Exclude<CallMessageFromWorker, LogMessage>,
    channel: WorkerChannel,
  ): void {
    switch (message[0]) {
      case 'serviceCall':
        this.#recordCpu(call, message[5], channel)
        this.#callService(call, message[2], message[3], message[4])
        break
      case 'ended':
        this.#recordCpu(call, message[3], channel)
        this.#end(call, message[2])
        break
      case 'revoked':
        if (call.posts === message[2] && call.state === 'posted') this.#repostCall(call)
        break
      case 'programMissing':
        channel.sentVersions.delete(call.solutionId)
        this.#post(call)
    }
  }

  /** A solution that takes much CPU moves to quarantine, with its calls that were not begun. */
  #recordCpu(call: RunningCall, cpuMs: number, channel: WorkerChannel): void {
    const { pool } = this.#options
    const { solutionId } = call
    call.cpuMs += cpuMs
    const wasInQuarantine = pool.quarantine.has(solutionId)
    if (pool.quarantine.recordCpu(solutionId, cpuMs) && !wasInQuarantine) pool.revokeFrom(channel)
  }

  #repostCall(call: RunningCall): void {
    call.started = false
    this.#post(call)
  }

  /** Lines of a machine's opening have no call; the program is then of any of its calls. */
  #receiveLog([, solutionId, id, level, text]: LogMessage): void {
    const call = id === undefined ? undefined : this.#calls.get(id)
    const program = call?.program ?? this.#findCall(solutionId)?.program
    if (program === undefined) return
    const { context, handler } = call?.call ?? {}
    this.#options.hooks.log({ program, context, handler, level, text })
  }

  #findCall(solutionId: string): RunningCall | undefined {
    for (const call of this.#calls.values()) if (call.solutionId === solutionId) return call
    return undefined
  }

  /** A call that no worker began is posted to another one, once; any other is not repeated. */
  #failOrRepost(call: RunningCall, notStarted: boolean): void {
    if (notStarted) call.started = false
    if (notStarted && !call.wasReposted && !this.#closed) {
      call.wasReposted = true
      this.#post(call)
      return
    }
    this.#end(call, stopped('worker', 'The worker was lost in which the script ran.'))
  }
}

const queueFull = stopped('queue', 'Too many calls of this solution wait already.')
const closing = stopped('worker', 'The platform is stopping.')

function readCallId(message: ToWorker): number {
  const [, id] = message
  return typeof id === 'number' ? id : 0
}

function findRejection(
  { limits: own }: Program,
  { depth, args, body }: HostCall,
): Ended | undefined {
  if (depth > limits.scriptDepthMax) {
    return stopped('depth', `Solutions call one another more than ${limits.scriptDepthMax} deep.`)
  }
  for (const arg of [...args, body]) {
    const problem = sizeProblem(arg, own.valueBytesMax)
    if (problem !== undefined) return stopped('value', `The argument is too much: ${problem}`)
  }
  return undefined
}
