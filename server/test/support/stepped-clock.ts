import { readFileSync } from 'node:fs'

/**
 * Loaded before a program (`node --import`): moves the wall clock of its process by the
 * milliseconds in the file that STEPPED_CLOCK names, which may change at any time.
 */
const file = process.env.STEPPED_CLOCK
const readEveryMs = 5
const trueNow = Date.now
let offsetMs = 0
let readAtMs = Number.NEGATIVE_INFINITY

if (file !== undefined) {
  Date.now = () => {
    if (performance.now() - readAtMs >= readEveryMs) {
      offsetMs = Number(readFileSync(file, 'utf8'))
      readAtMs = performance.now()
    }
    return trueNow() + offsetMs
  }
}
