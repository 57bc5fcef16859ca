import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

const pollMs = 300
const filesMax = 2_000
const ignored = /^\.|^node_modules$|~$/

/**
 * Resolves at the next change of a file of a folder and of the folders in it; or when the signal
 * aborts. It polls, which needs no package and works the same on every system.
 */
export async function nextChange(folder: string, signal: AbortSignal): Promise<void> {
  const before = await readState(folder)
  while (!signal.aborted) {
    await new Promise((resolve) => setTimeout(resolve, pollMs))
    if ((await readState(folder)) !== before) return
  }
}

/** A text that differs when a file was changed, added or removed. */
async function readState(folder: string): Promise<string> {
  const waiting = [folder]
  const state: string[] = []
  for (const next of waiting) {
    const entries = await readdir(next, { withFileTypes: true }).catch(() => [])
    for (const entry of entries) {
      const path = join(next, entry.name)
      if (ignored.test(entry.name) || state.length >= filesMax) continue
      if (entry.isDirectory()) waiting.push(path)
      else state.push(`${path} ${await changedMs(path)}`)
    }
  }
  return state.join('\n')
}

async function changedMs(path: string): Promise<number> {
  // A file may be gone since the folder was read.
  return stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  )
}
