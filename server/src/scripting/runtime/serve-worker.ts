import type { MessagePort } from 'node:worker_threads'
import type { Engine } from './engine.ts'
import { detailOf, Machines } from './machines.ts'
import type { FromWorker, ToWorker, WorkerOptions } from './messages.ts'
import { begunAt, doneAt, revokedAt, ThreadTime, type ThreadTimeSources } from './thread-time.ts'

/**
 * A worker's loop: a batch in, one batch out, or several where one of its messages takes long.
 * Before each message it counts up in shared memory, so
 * that the main thread sees, without asking, what runs and what was never begun.
 */
export function serveWorker(
  makeEngine: (time: ThreadTime, faulted: (error: unknown) => void) => Engine,
  port: MessagePort,
  sources: Pick<ThreadTimeSources, 'elapsedMs' | 'threadMs'>,
  { progress, ...room }: WorkerOptions,
): void {
  const counts = new Int32Array(progress)
  let said: FromWorker[] = []
  // What has ended before a call that holds the thread does not wait for it.
  const holds = () => {
    if (said.length > 0) send(['more'])
  }
  const time = new ThreadTime({ ...sources, progress: counts, holds })
  let seen = Atomics.load(counts, begunAt)
  const engine = makeEngine(time, (error) => said.push(['fault', detailOf(error)]))
  const machines = new Machines({
    ...{ engine, time, ...room },
    say: (message) => {
      said.push(message)
    },
  })

  function send(...last: FromWorker[]): void {
    port.postMessage([...said, ...last])
    said = []
  }

  function take(message: ToWorker): void {
    switch (message[0]) {
      case 'call':
        machines.call(message)
        break
      case 'answer': {
        const [, call, value] = message
        machines.resume(call, value)
        break
      }
      case 'program':
        machines.learn(message[1])
        break
      case 'cancel':
        machines.cancel(message[1])
        break
      case 'forget':
        machines.forget(message[1])
        break
      case 'check': {
        // It may send what was to be said before, which makes another list.
        const checked = check(message, engine, time)
        said.push(checked)
      }
    }
  }

  port.on('message', (batch: readonly ToWorker[]) => {
    time.wake()
    for (const message of batch) {
      time.begin()
      seen = (seen + 1) | 0
      Atomics.store(counts, begunAt, seen)
      // The main thread revokes first and looks then what is begun: one of both sees the other.
      const isRevoked = ((seen - Atomics.load(counts, revokedAt)) | 0) <= 0
      if (isRevoked && message[0] === 'call') said.push(['back', message[1], message[10]])
      else take(message)
      Atomics.store(counts, doneAt, seen)
    }
    send()
    machines.trim()
  })
}

function check(
  [, call, chunk]: Extract<ToWorker, readonly ['check', ...unknown[]]>,
  engine: Engine,
  time: ThreadTime,
): FromWorker {
  const fromMs = time.mark()
  const problem = engine.check(chunk)
  return ['checked', call, problem, time.mark() - fromMs]
}
