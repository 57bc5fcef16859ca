import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** A wall clock for processes of which the data lie in a folder; set off by nothing at first. */
export function steppedClock(folder: string) {
  const file = join(folder, 'clock')
  const setOff = (ms: number) => {
    writeFileSync(`${file}.new`, String(ms))
    renameSync(`${file}.new`, file)
  }
  setOff(0)
  const preload = pathToFileURL(join(import.meta.dirname, 'stepped-clock.ts')).href
  return {
    /** The environment of such a process. */
    settings: { NODE_OPTIONS: `--import=${preload}`, STEPPED_CLOCK: file },
    /** Sets the clock off by this, at once and for processes that start later. */
    setOff,
  }
}
