// Plain JavaScript without dependencies, as install.mjs is.
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const lookMs = 100

/**
 * A single process at a time installs the packages of a checkout: npm empties node_modules first.
 * The lock is a file that names its holders, each by process id and start: the process that took
 * it, and the npm that this one has started, which may outlive it. It counts while one of them
 * lives.
 */
export class InstallLock {
  #file
  #mine
  #holders = []

  constructor(root) {
    this.#file = join(root, '.install.lock')
    this.#mine = `${this.#file}.${process.pid}`
  }

  /** The id of a living process that holds the lock; undefined if there is none. */
  holder() {
    return livingHolder(readText(this.#file))
  }

  /**
   * Waits until no other process has the lock, and takes it.
   * @param waiting called once with the process that is waited for.
   * @throws Error that names the process after `msMax`.
   */
  async take(msMax, waiting) {
    const over = AbortSignal.timeout(msMax)
    this.#holders = [describe(process.pid)]
    for (let asked = false; !this.#tryTake(); asked = true) {
      const pid = this.holder()
      if (pid !== undefined && !asked) waiting(pid)
      if (pid !== undefined && over.aborted) {
        throw new Error(
          `process ${pid} has been installing the packages of this checkout for ` +
            `${Math.round(msMax / 1_000)} s. Wait until it has ended, or stop it; ` +
            'then run the same command again.',
        )
      }
      await pause(lookMs)
    }
  }

  /** Adds a process that works under the lock. */
  add(pid) {
    this.#holders.push(describe(pid))
    writeFileSync(this.#mine, JSON.stringify(this.#holders))
    renameSync(this.#mine, this.#file)
  }

  release() {
    rmSync(this.#file, { force: true })
  }

  #tryTake() {
    // A link appears with its content, so nobody reads a lock without a holder.
    writeFileSync(this.#mine, JSON.stringify(this.#holders))
    try {
      linkSync(this.#mine, this.#file)
      return true
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
    } finally {
      rmSync(this.#mine, { force: true })
    }
    this.#removeStale()
    return false
  }

  /** If several find the lock of an ended process, one moves it away. */
  #removeStale() {
    const text = readText(this.#file)
    if (text === undefined || livingHolder(text) !== undefined) return
    const aside = `${this.#mine}.stale`
    try {
      renameSync(this.#file, aside)
      // Another one was faster and has taken the lock meanwhile: it gets it back.
      if (readText(aside) !== text) linkSync(aside, this.#file)
    } catch {
      // It is gone, or taken anew.
    }
    rmSync(aside, { force: true })
  }
}

function livingHolder(text) {
  if (text === undefined) return undefined
  try {
    const holders = JSON.parse(text)
    return holders.find(({ pid, birth }) => lives(pid) && readBirth(pid) === birth)?.pid
  } catch {
    return undefined
  }
}

function describe(pid) {
  return { pid, birth: readBirth(pid) }
}

/** Distinguishes a process from a later one with the same id; only Linux shows it in a file. */
function readBirth(pid) {
  const stat = readText(`/proc/${pid}/stat`)
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
}

function lives(pid) {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
  // A process that has ended and was not waited for yet.
  const stat = readText(`/proc/${pid}/stat`)
  return stat === undefined || !/^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2))
}

function readText(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
