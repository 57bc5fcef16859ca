import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { root } from './install.mjs'

/**
 * Microseconds of CPU that a turn of the calibration takes on the machine of reference: the one
 * whose two quiet cores needed 2,900 s of CPU for all tests of commit 66022343. Two files of that
 * commit (`pages`, `test-command`) needed 106 s and 48 s on a machine where a turn takes 1,080 us,
 * and 184 s and 80 s on the one where all its tests needed 4,970 s: 0.59 as much, as 2,900 s are.
 */
const turnUsOfReference = 1_080
const turns = 300
/** Calibrations one after the other differ by 80 % on a shared machine, and a run is long. */
const calibrations = 3
/** A run may use a quarter more than its budget, since the CPU of equal work differs by as much. */
const tolerance = 1.25
const shown = 10

/**
 * @returns how much more CPU this machine needs for equal work than the machine of reference, by
 *   the slowest of some calibrations.
 */
export function calibrate(node) {
  const module = './bench/support/frame/calibration.ts'
  const script = `const { calibrate } = await import(${JSON.stringify(module)})
    await calibrate({ turns: ${turns / 3} })
    console.log(await calibrate({ turns: ${turns} }))
    process.exit(0)`
  const us = Array.from({ length: calibrations }, () => {
    const args = ['--input-type=module', '-e', script]
    return Number(spawnSync(node, args, { cwd: root, encoding: 'utf8' }).stdout)
  })
  return Math.max(...us) / turnUsOfReference
}

/** @returns the CPU in ms of the processes that this one has started and waited for. */
export function childrenCpuMs() {
  try {
    const text = readFileSync('/proc/self/stat', 'utf8')
    const [user, system] = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .slice(13, 15)
    return (Number(user) + Number(system)) * msOfTick
  } catch {
    return 0 // Only Linux has this file.
  }
}

const msOfTick = 10

/**
 * Prints the CPU that a run used beside its budget.
 * @param run `files` with `name`, `cpuMs` and whether each `isBounded`, and `cpuMs` of all with the
 *   checks; `factor` of this machine; `budget` with `seconds` of the whole run, undefined if it has
 *   none, and `fileSeconds` of each bounded file
 * @returns whether the run and each bounded file kept to it.
 */
export function keepsBudget({ files, cpuMs, factor, budget }) {
  const used = Math.round(cpuMs / 1_000)
  if (budget.seconds === undefined) return true
  const may = Math.round(budget.seconds * factor)
  console.log(`== ${used} s of CPU with the checks; the budget of this machine is ${may} s`)
  console.log(`   (${budget.seconds} s on the machine of reference, times ${factor.toFixed(2)})`)
  const dearest = files.toSorted((a, b) => b.cpuMs - a.cpuMs)
  const most = budget.fileSeconds * factor * tolerance
  const tooDear = dearest.filter((one) => one.isBounded && one.cpuMs > most * 1_000)
  if (tooDear.length > 0) list(`== files above ${most.toFixed(0)} s of CPU`, tooDear)
  const isOver = used > may * tolerance
  if (isOver) list('== the run is over its budget; the dearest files', dearest.slice(0, shown))
  return !isOver && tooDear.length === 0
}

function list(title, files) {
  const lines = files.map(({ cpuMs, name }) => `  ${(cpuMs / 1_000).toFixed(1)} s ${name}`)
  console.log([title, ...lines].join('\n'))
}
