import { type Logger, limits } from '../../../kernel/index.ts'
import type { Program } from '../../registry/program.ts'
import type { Ended } from '../engine.ts'
import type { HostCall, HostEnd, HostHooks } from '../host.ts'
import { scriptError, stopped } from '../script-error.ts'
import type { ScriptValue } from '../value.ts'
import { sizeProblem } from '../value-size.ts'
import type { FromWorker, ToWorker } from '../workers/messages.ts'
import type { WorkerPool } from '../workers/pool.ts'
import type { InFlight, WorkerChannel } from '../workers/worker-channel.ts'
import { PendingServiceRequest, RunningCall } from './running-call.ts'
import { createSemaphore } from './semaphore.ts'

export type CallSchedulerNeeds = {
  readonly hooks: HostHooks
  readonly logger: Logger
  readonly elapsedMs: () => number
  readonly pool: WorkerPool
  /** Something runs now: workers are to be looked at. */
  readonly startWatchdog: () => void
  readonly ids: { last: number }
}

type LogMessage = Extract<FromWorker, readonly ['log', ...unknown[]]>
type CallMessageFromWorker = Exclude<
  FromWorker,
  readonly ['checked' | 'fault' | 'more', ...unknown[]]
>

/** Every call of the host, from its coming to its end. */
export class CallScheduler {
  readonly #needs: CallSchedulerNeeds
  readonly #calls = new Map<number, RunningCall>()
  readonly #semaphore = createSemaphore<RunningCall>()
  #closed = false

  constructor(needs: CallSchedulerNeeds) {
    this.#needs = needs
  }

  get count(): number {
    return this.#calls.size
  }

  call(program: Program, call: HostCall): Promise<HostEnd> {
    const { elapsedMs, ids: numbers, startWatchdog: busy } = this.#needs
    return new Promise((resolve) => {
      numbers.last += 1
      const running = new RunningCall(numbers.last, program, call, elapsedMs(), resolve)
      const messageNotCloneable = this.#closed ? closing : rejectionOf(program, call)
      const turn = messageNotCloneable === undefined ? this.#semaphore.acquire(running) : 'full'
      if (turn === 'full') {
        running.settle(messageNotCloneable ?? queueFull, elapsedMs())
        return
      }
      this.#calls.set(running.id, running)
      busy()
      if (turn === 'run') this.#post(running)
    })
  }

  receive(message: CallMessageFromWorker, line: WorkerChannel): void {
    if (message[0] === 'log') this.#receiveLog(message)
    else {
      const call = this.#calls.get(message[1])
      if (call !== undefined) this.#receiveForCall(call, message, line)
    }
  }

  workerLost(line: WorkerChannel, { crashed: culprit, notStarted: unbegun }: InFlight): void {
    const guilty = culprit === undefined ? undefined : this.#calls.get(callIdOf(culprit))
    if (guilty !== undefined && !this.#closed) {
      this.#needs.pool.apart.recordCrash(guilty.solutionId)
    }
    const innocent = new Set(unbegun.filter(([kind]) => kind === 'call').map(callIdOf))
    for (const call of [...this.#calls.values()]) {
      if (call.channel === line) this.#failOrRepost(call, innocent.has(call.id))
    }
  }

  refused(message: ToWorker): void {
    const call = this.#calls.get(callIdOf(message))
    if (call === undefined) return
    const what = { kind: message[0], solution: call.solutionId }
    this.#needs.logger.error(what, 'a value cannot be cloned')
    const error = scriptError(500, 'internal')
    if (message[0] === 'answer') call.channel?.post(['answer', call.id, { ...error }])
    else this.#end(call, { kind: 'failed', error })
  }

  /** Ends what is out of time. */
  expire(nowMs: number): void {
    for (const call of this.#calls.values()) {
      if (nowMs < call.deadlineMs) continue
      // What runs in a worker is ended by the engine, which says more of it, or with the worker.
      const runs = call.state === 'posted' && call.channel?.isQueued(call.message) !== true
      if (runs && nowMs < call.deadlineMs + 2 * limits.scriptHangMs) continue
      const text = `The call took longer than ${Math.round(call.deadlineMs - call.startMs)} ms.`
      this.#withdraw(call, stopped('time', text))
    }
  }

  solutionOf(message: ToWorker): string | undefined {
    return this.#calls.get(callIdOf(message))?.solutionId
  }

  /** Whether a call was given to the worker, and has not ended. */
  has(line: WorkerChannel): boolean {
    for (const call of this.#calls.values()) if (call.channel === line) return true
    return false
  }

  /** Posts anew what a worker was not to begin. */
  repost(messages: readonly ToWorker[]): void {
    for (const message of messages) {
      const call = this.#calls.get(callIdOf(message))
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
    call.settle(ended, this.#needs.elapsedMs())
    if (waited) this.#semaphore.cancel(call)
    const following = waited ? undefined : this.#semaphore.release(call)
    if (following !== undefined && !this.#closed) this.#post(following)
  }

  #post(call: RunningCall): void {
    const { program, solutionId } = call
    const { pool, elapsedMs } = this.#needs
    // Its turn is taken, and goes on to the next one wherever it ends.
    call.state = 'posted'
    if (pool.apart.isSuspended(solutionId)) {
      this.#end(call, stopped('worker', 'The solution cost a worker; it rests for a while.'))
      return
    }
    const line = pool.lineOf(solutionId)
    if (line.sentVersions.get(solutionId) !== program.version) {
      line.sentVersions.set(solutionId, program.version)
      line.post(['program', program])
    }
    call.channel = line
    call.started = true
    call.message = call.messageAt(elapsedMs())
    line.post(call.message)
  }

  /** Ends a call that a worker has, wherever it is there. */
  #withdraw(call: RunningCall, ended: Ended): void {
    const { channel: line, message } = call
    if (message !== undefined && line?.removeQueued(message) === true) call.started = false
    else line?.post(['cancel', call.id])
    this.#end(call, ended)
  }

  #callService(call: RunningCall, service: string, operation: string, args: ScriptValue): void {
    const { hooks, logger, elapsedMs } = this.#needs
    const { serviceCallsMax } = call.program.limits
    call.serviceCalls += 1
    if (call.serviceCalls > serviceCallsMax) {
      const text = `The call asked services more than ${serviceCallsMax} times.`
      this.#withdraw(call, stopped('service_calls', text))
      return
    }
    call.state = 'callingService'
    const asked = new PendingServiceRequest(call, service, operation, args, elapsedMs())
    const answer = (value: ScriptValue) => {
      if (call.state !== 'callingService') return
      call.state = 'posted'
      call.channel?.post(['answer', call.id, value])
    }
    hooks.callService(asked).then(answer, (error) => {
      logger.error({ err: error }, 'a service call rejected')
      answer({ ...scriptError(500, 'internal') })
    })
  }

  #receiveForCall(
    call: RunningCall,
    message: Exclude<CallMessageFromWorker, LogMessage>,
    line: WorkerChannel,
  ): void {
    switch (message[0]) {
      case 'serviceCall':
        this.#recordCpu(call, message[5], line)
        this.#callService(call, message[2], message[3], message[4])
        break
      case 'ended':
        this.#recordCpu(call, message[3], line)
        this.#end(call, message[2])
        break
      case 'revoked':
        if (call.posts === message[2] && call.state === 'posted') this.#repostCall(call)
        break
      case 'programMissing':
        line.sentVersions.delete(call.solutionId)
        this.#post(call)
    }
  }

  /** Whatever a call ends by: who takes much moves apart, with all of its that was not begun. */
  #recordCpu(call: RunningCall, cpuMs: number, line: WorkerChannel): void {
    const { pool } = this.#needs
    const { solutionId } = call
    call.cpuMs += cpuMs
    const wasApart = pool.apart.has(solutionId)
    if (pool.apart.recordCpu(solutionId, cpuMs) && !wasApart) pool.sendOn(line)
  }

  #repostCall(call: RunningCall): void {
    call.started = false
    this.#post(call)
  }

  /** What a machine says while it is made belongs to no call, but to the one that made it. */
  #receiveLog([, solutionId, id, level, text]: LogMessage): void {
    const call = id === undefined ? undefined : this.#calls.get(id)
    const program = call?.program ?? this.#anyOf(solutionId)?.program
    if (program === undefined) return
    const { context, handler } = call?.call ?? {}
    this.#needs.hooks.log({ program, context, handler, level, text })
  }

  #anyOf(solutionId: string): RunningCall | undefined {
    for (const call of this.#calls.values()) if (call.solutionId === solutionId) return call
    return undefined
  }

  /** A call that no worker began is given to another one, once; any other is not repeated. */
  #failOrRepost(call: RunningCall, unbegun: boolean): void {
    if (unbegun) call.started = false
    if (unbegun && !call.wasReposted && !this.#closed) {
      call.wasReposted = true
      this.#post(call)
      return
    }
    this.#end(call, stopped('worker', 'The worker was lost in which the script ran.'))
  }
}

const queueFull = stopped('queue', 'Too many calls of this solution wait already.')
const closing = stopped('worker', 'The platform is stopping.')

function callIdOf(message: ToWorker): number {
  const [, second] = message
  return typeof second === 'number' ? second : 0
}

function rejectionOf({ limits: own }: Program, { depth, args, body }: HostCall): Ended | undefined {
  if (depth > limits.scriptDepthMax) {
    return stopped('depth', `Solutions call one another more than ${limits.scriptDepthMax} deep.`)
  }
  for (const arg of [...args, body]) {
    const refused = sizeProblem(arg, own.valueBytesMax)
    if (refused !== undefined) return stopped('value', `The argument is too much: ${refused}`)
  }
  return undefined
}
