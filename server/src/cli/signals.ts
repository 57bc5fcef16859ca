import { writeSync } from 'node:fs'
import type { Config } from '../config.ts'
import { endEngineNow } from '../database/index.ts'
import { elapsedMs } from '../kernel/index.ts'

/** A Ctrl-C may arrive several times, from the terminal and through npm: up to here it is one. */
const sameSignalMs = 1_000
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** The instance whose embedded engine this process uses; undefined if there is none (yet). */
type InstanceOf = () => Pick<Config, 'dataDir' | 'databaseUrl'> | undefined

/** A signal has interrupted a short command. */
export class Interrupted extends Error {}

let installed = false
let firstMs: number | undefined
let endsInOrder = false
const waiting = new Set<() => void>()
const instances = new Set<InstanceOf>()

/**
 * Resolves at the first SIGINT, SIGTERM or SIGHUP. One that comes clearly later ends the process
 * and its engine at once.
 */
export function untilStopped(instance?: InstanceOf): Promise<void> {
  endsInOrder = true
  return new Promise((resolve) => {
    watch(resolve, instance)
  })
}

/**
 * Rejects at the first signal, unless the work has called untilStopped() by then: it ends in order.
 * @throws Interrupted
 */
export function unlessInterrupted(instance: InstanceOf): Promise<never> {
  return new Promise((_, reject) => {
    watch(() => {
      if (!endsInOrder) reject(new Interrupted('interrupted'))
    }, instance)
  })
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

function watch(stopped: () => void, instance: InstanceOf | undefined): void {
  if (instance !== undefined) instances.add(instance)
  waiting.add(stopped)
  if (firstMs !== undefined) stopped()
  if (installed) return
  installed = true
  for (const signal of signals) process.on(signal, onSignal)
}

function onSignal(): void {
  if (firstMs === undefined) {
    firstMs = elapsedMs()
    for (const stopped of waiting) stopped()
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
