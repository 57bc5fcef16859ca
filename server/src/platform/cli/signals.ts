import { writeSync } from 'node:fs'
import { thisProcess } from '@millrace/cli/this-process'
import { endEngineNow } from '../../foundation/database/index.ts'
import { elapsedMs } from '../../foundation/kernel/index.ts'
import type { Config } from '../config/index.ts'

/** A Ctrl-C may arrive several times, from the terminal and through npm: up to here it is one. */
const sameSignalMs = 1_000
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** The instance whose embedded engine this process uses; undefined if there is none (yet). */
type InstanceOf = () => Pick<Config, 'dataDir' | 'databaseUrl'> | undefined

/** A signal has interrupted a short command. */
export class Interrupted extends Error {}

let stop: AbortController | undefined
let firstMs: number | undefined
const instances = new Set<InstanceOf>()

/**
 * Aborted by the first SIGINT, SIGTERM or SIGHUP of this process. A second signal that comes
 * clearly later ends the process and its engines at once.
 */
function stopSignal(): AbortSignal {
  if (stop === undefined) {
    stop = new AbortController()
    for (const signal of signals) process.on(signal, onSignal)
  }
  return stop.signal
}

/** The parts of this process, with its signals. */
export const ownProcess = thisProcess({
  watch: stopSignal,
  interrupt: () => void process.kill(process.pid, 'SIGINT'),
})

/** Ends the engine of an instance with this process, if that is ended at once. */
export function endsWithProcess(instance: InstanceOf): void {
  instances.add(instance)
}

/** Resolves when the signal is aborted. */
export function untilStopped(signal: AbortSignal, instance: InstanceOf): Promise<void> {
  endsWithProcess(instance)
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

/** Rejects when the signal is aborted. @throws Interrupted */
export async function unlessInterrupted(signal: AbortSignal, instance: InstanceOf): Promise<never> {
  await untilStopped(signal, instance)
  throw new Interrupted('interrupted')
}

/**
 * Ends this process as SIGTERM does when the launcher that started it (dev/millrace.mjs) is gone,
 * however that ended: the channel between them closes then.
 */
export function endWithLauncher(): void {
  if (process.channel === undefined) return
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  process.channel.unref()
}

function onSignal(): void {
  if (firstMs === undefined) {
    firstMs = elapsedMs()
    stop?.abort()
  } else if (elapsedMs() - firstMs > sameSignalMs) exitNow()
}

function exitNow(): never {
  for (const instance of instances) {
    const { dataDir, databaseUrl } = instance() ?? {}
    if (dataDir === undefined || databaseUrl !== undefined) continue
    const pid = endEngineNow(dataDir)
    if (pid === undefined) continue
    report(`Ended PostgreSQL (process ${pid}) at once. Everything that was acknowledged is stored.`)
  }
  process.exit(1)
}

/** The terminal may be gone. */
function report(line: string): void {
  try {
    writeSync(2, `${line}\n`)
  } catch {}
}
