import { watch } from 'node:fs'

/** Editors save in several steps: what comes within this time is one save. */
const saveMs = 150

/** Calls `act` now and after each save, one call at a time. @returns what ends it. */
export function watchFolder(dir: string, act: () => Promise<void>): () => Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const watcher = watch(dir, { recursive: true }, () => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      acting = acting.then(act)
    }, saveMs)
  })
  let acting = act()
  return async () => {
    watcher.close()
    clearTimeout(timer)
    await acting
  }
}
