import { relative } from 'node:path'
import { watch } from 'chokidar'

/** Editors save in several steps: what comes within this time is one save. */
const saveMs = 150
/** A folder in which something is written all the time is acted on as often as this. */
const writtenMs = 1_000

/** Files never pushed, also those of editors: `.git`, `.user_go.lua.swp`, `user_go.lua~`. */
const ignored = /(?:^|[\\/])\.|~$/

/**
 * Calls `act` once the folder is watched and after each save, one call at a time. A save may be a
 * write in place, a rename over the file, a removal and a new file, or another folder in its place.
 * `note` is called with what cannot be watched. Returns a function that ends it.
 */
export function watchFolder(
  dir: string,
  act: () => Promise<void>,
  note: (text: string) => void,
): () => Promise<void> {
  const watcher = watch(dir, {
    ignoreInitial: true,
    atomic: false,
    followSymlinks: false,
    ignored: (path) => ignored.test(relative(dir, path)),
  })
  const timers: { save?: NodeJS.Timeout; latest?: NodeJS.Timeout } = {}
  let acting: Promise<void> = new Promise((resolve) => watcher.once('ready', resolve))
  const clear = () => {
    clearTimeout(timers.save)
    clearTimeout(timers.latest)
    delete timers.latest
  }
  const now = () => {
    clear()
    acting = acting.then(act)
  }
  watcher.on('all', () => {
    clearTimeout(timers.save)
    timers.save = setTimeout(now, saveMs)
    timers.latest ??= setTimeout(now, writtenMs)
  })
  watcher.on('error', (error) => {
    note(`a part of ${dir} is not watched: ${(error as Error).message}`)
  })
  now()
  return async () => {
    clear()
    await watcher.close()
    await acting
  }
}
