import { parentPort, workerData } from 'node:worker_threads'
import {
  applyLimits,
  elapsedMs,
  systemClock,
  systemRandom,
  threadMs,
} from '../../../../foundation/kernel/thread/index.ts'
import { createLuaEngine } from '../../lua/index.ts'
import type { WorkerOptions } from '../workers/messages.ts'
import { serveWorker } from './serve-worker.ts'

/** The thread's composition root: the one place that selects the language of scripts. */
if (parentPort === null) throw new Error('worker.ts is run as a worker thread')
const options = workerData as WorkerOptions
applyLimits(options.limits)
serveWorker(
  (time, onFault) => createLuaEngine({ clock: systemClock(), random: systemRandom, time, onFault }),
  parentPort,
  { elapsedMs, threadMs },
  options,
)
