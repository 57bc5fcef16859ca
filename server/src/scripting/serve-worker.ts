import type { MessagePort } from 'node:worker_threads'
import type { Engine } from './engine.ts'
import { detailOf, Machines } from './machines.ts'
import { begunAt, doneAt, type FromWorker, type ToWorker, type WorkerOptions } from './messages.ts'

/**
 * A worker's loop: a batch in, one batch out. Before each message it counts up in shared memory, so
 * that the main thread sees, without asking, what runs and what was never begun.
 */
export function serveWorker(
  makeEngine: (faulted: (error: unknown) => void) => Engine,
  port: MessagePort,
  elapsedMs: () => number,
  { progress, ...room }: WorkerOptions,
): void {
  const counts = new Int32Array(progress)
  let said: FromWorker[] = []
  let seen = 0
  const engine = makeEngine((error) => said.push(['fault', detailOf(error)]))
  const machines = new Machines({
    ...{ engine, elapsedMs, ...room },
    say: (message) => {
      said.push(message)
    },
  })

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
      case 'check':
        said.push(['checked', message[1], engine.check(message[2])])
    }
  }

  port.on('message', (batch: readonly ToWorker[]) => {
    for (const message of batch) {
      seen = (seen + 1) | 0
      Atomics.store(counts, begunAt, seen)
      take(message)
      Atomics.store(counts, doneAt, seen)
    }
    port.postMessage(said)
    said = []
    machines.trim()
  })
}
