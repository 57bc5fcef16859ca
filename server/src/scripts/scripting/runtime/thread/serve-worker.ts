import type { MessagePort } from 'node:worker_threads'
import { callsInLua } from '../../check/lua-calls.ts'
import { scriptingLimits } from '../../limits.ts'
import type { ScriptEngine } from '../engine.ts'
import type { FromWorker, ToWorker, WorkerOptions } from '../workers/messages.ts'
import { formatDetail, Machines } from './machines.ts'
import { begunAt, doneAt, revokedAt, ThreadTime, type ThreadTimeSources } from './thread-time.ts'

/**
 * A worker's loop: a batch in, one batch out, or several if one of its messages takes long. Before
 * each message it increments a counter in shared memory, so that the main thread sees, without a
 * message, which one runs and which ones were not started.
 */
export function serveWorker(
  makeEngine: (time: ThreadTime, onFault: (error: unknown) => void) => ScriptEngine,
  port: MessagePort,
  sources: Pick<ThreadTimeSources, 'elapsedMs' | 'threadMs'>,
  { progress, machinesMax, machineBytesMax }: WorkerOptions,
): void {
  const counts = new Int32Array(progress)
  let outbox: FromWorker[] = []
  function flush(...last: FromWorker[]): void {
    port.postMessage([...outbox, ...last])
    outbox = []
  }
  // Results that ended before a long call are sent without waiting for it.
  const onLongMessage = () => {
    if (outbox.length > 0) flush(['more'])
  }
  const time = new ThreadTime({ ...sources, progress: counts, onLongMessage })
  let begun = Atomics.load(counts, begunAt)
  const engine = makeEngine(time, (error) => outbox.push(['fault', formatDetail(error)]))
  const send = (message: FromWorker) => void outbox.push(message)
  const machines = new Machines({ engine, time, send, machinesMax, machineBytesMax })

  port.on('message', (batch: readonly ToWorker[]) => {
    time.wake()
    for (const message of batch) {
      time.begin()
      begun = (begun + 1) | 0
      Atomics.store(counts, begunAt, begun)
      // The main thread writes the revocation before it reads `begun`, the worker the other way
      // round: one of the two sees the other.
      const isRevoked = ((begun - Atomics.load(counts, revokedAt)) | 0) <= 0
      if (isRevoked && message[0] === 'call') send(['revoked', message[1], message[10]])
      else if (message[0] === 'check') checkSource(message, { engine, time, send })
      else handle(message, machines)
      Atomics.store(counts, doneAt, begun)
    }
    flush()
    machines.trim()
  })
}

type CheckMessage = Extract<ToWorker, readonly ['check', ...unknown[]]>

function handle(message: Exclude<ToWorker, CheckMessage>, machines: Machines): void {
  switch (message[0]) {
    case 'call':
      machines.call(message)
      break
    case 'answer':
      machines.resume(message[1], message[2])
      break
    case 'program':
      machines.setProgram(message[1])
      break
    case 'cancel':
      machines.cancel(message[1])
      break
    case 'forget':
      machines.forget(message[1])
  }
}

function checkSource(
  [, call, chunk, , what]: CheckMessage,
  to: {
    readonly engine: ScriptEngine
    readonly time: ThreadTime
    readonly send: (message: FromWorker) => void
  },
): void {
  const fromMs = to.time.mark()
  const found =
    what === 'calls'
      ? callsInLua(chunk.source, to.time.ticksFor(scriptingLimits.scriptHangMs))
      : to.engine.check(chunk)
  to.send(['checked', call, found, to.time.mark() - fromMs])
}
