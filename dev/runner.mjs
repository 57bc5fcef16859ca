import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { availableParallelism, constants, tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { environment, root, run, tell } from './install.mjs'

/** Files that one process runs: enough that the start of its engine is a small part of the time. */
const filesPerProcess = 30
/** The last ones run fewer, so that all end at about the same time. */
const filesPerProcessMin = 10
/**
 * There is one more process than cores, because tests also wait: for disks, timers and processes.
 */
const processesMost = Math.min(4, availableParallelism() + 1)
const slowestShown = 20
/** A test that hangs fails: it would keep the run from its end. */
const testMsMax = 15 * 60 * 1_000

const reporter = join(import.meta.dirname, 'file-report.mjs')

/**
 * Runs test files, several processes side by side. A file that failed runs once more, by itself:
 * if it passes then, it is listed as unstable. The run has failed in either case.
 * @param runs `files` that run with the variables `env`, and the `name` to report them under
 * @param options `isSlow`: whether a file starts first, in a process of its own; `isWaiting`:
 *   whether it uses so little of the processor that it runs beside as many others as without it;
 *   `keepsBudget`: receives the `name`, `file` and `cpuMs` of each file, and returns whether the
 *   run used no more than it may
 * @returns the exit code: 0 if all passed within the budget.
 */
export async function runTests(node, runs, options = {}) {
  const { isSlow = () => false, isWaiting = () => false, keepsBudget = () => true } = options
  const started = Date.now()
  const of = (split) =>
    runs.flatMap((one) => split(one.files).map((files) => ({ ...one, files, times: new Map() })))
  const alone = (isMeant) => of((files) => files.filter(isMeant).map((file) => [file]))
  const others = of((files) =>
    groupFiles(files.filter((file) => !isSlow(file) && !isWaiting(file))),
  )
  const busy = [...alone(isSlow), ...others.sort((a, b) => b.files.length - a.files.length)]
  const waiting = alone(isWaiting)
  const interrupted = untilInterrupted()
  const work = (group) => runGroup(node, group)
  const failed = await Promise.all([
    sideBySide(busy, work, { most: processesMost, interrupted }),
    sideBySide(waiting, work, { most: 1, interrupted }),
  ]).then((lists) => lists.flat(2))
  const groups = [...busy, ...waiting]
  interrupted.end()
  if (interrupted.by !== undefined) return 128 + constants.signals[interrupted.by]
  const times = listTimes(groups)
  printTimes(times, Date.now() - started)
  if (failed.length > 0) await runAgain(node, failed)
  return keepsBudget(times) && failed.length === 0 ? 0 : 1
}

/** `by` is the signal that this process got: `run` passes it to the groups that run. */
function untilInterrupted() {
  const take = (signal) => {
    state.by = signal
  }
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  const end = () => {
    for (const name of signals) process.off(name, take)
  }
  const state = { by: undefined, end }
  for (const name of signals) process.on(name, take)
  return state
}

async function runAgain(node, failed) {
  tell(`== ${failed.length} test files failed, and run once more by themselves`)
  const again = []
  for (const one of failed) again.push(...(await runGroup(node, one)))
  const list = (title, some) => {
    if (some.length > 0) console.log([title, ...some.map(runName)].join('\n  '))
  }
  const isFailed = (one) => again.some((other) => runName(other) === runName(one))
  list(
    '== unstable: failed, and passed when run again',
    failed.filter((one) => !isFailed(one)),
  )
  list('== failed twice', again)
}

function runName({ name, files }) {
  return `${files.join(' ')}${name ? ` (${name})` : ''}`
}

function listTimes(groups) {
  return groups.flatMap((group) =>
    [...group.times].map(([path, time]) => {
      const file = path.startsWith('/') ? relative(root, path) : path
      return { ...time, file, name: runName({ ...group, files: [file] }) }
    }),
  )
}

/** Prints the files that took longest: the time that passed, and that of the processor. */
function printTimes(times, passedMs) {
  const seconds = (ms) => (ms / 1_000).toFixed(1).padStart(7)
  const line = ({ ms, cpuMs, name }) => `${seconds(ms)} s ${seconds(cpuMs)} s of CPU  ${name}`
  const sum = (key) => times.reduce((total, time) => total + time[key], 0)
  const slowest = times.toSorted((a, b) => b.cpuMs + b.ms - a.cpuMs - a.ms).slice(0, slowestShown)
  console.log(['== the slowest files', ...slowest.map(line)].join('\n'))
  console.log(line({ ms: sum('ms'), cpuMs: sum('cpuMs'), name: `all ${times.length} together` }))
  console.log(`== the tests took ${Math.round(passedMs / 1_000)} s`)
}

/** Files of one folder are often alike and slow: they are spread over the groups. */
function groupFiles(files) {
  const count = Math.ceil(files.length / filesPerProcess)
  const spread = files.flatMap((_, group) => files.filter((_, at) => at % count === group))
  const groups = []
  while (spread.length > 0) {
    const share = Math.ceil(spread.length / (3 * processesMost))
    groups.push(spread.splice(0, Math.max(filesPerProcessMin, Math.min(filesPerProcess, share))))
  }
  return groups
}

/** Begins no more of the items once it is interrupted. */
async function sideBySide(items, work, { most, interrupted }) {
  const results = []
  const queue = [...items.entries()]
  const worker = async () => {
    for (let next = queue.shift(); next && !interrupted.by; next = queue.shift()) {
      results[next[0]] = await work(next[1])
    }
  }
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, worker))
  return results
}

/**
 * Runs the files of a group in one process. It ends after the last test even if a failed one left
 * a socket or a timer behind: without that the runner would wait for ever, without its report.
 * @returns one group for each file that failed; the group if its process ended without a report.
 */
async function runGroup(node, group) {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-tests-'))
  const report = join(folder, 'report')
  const reporters = [
    ...['--test-reporter=spec', '--test-reporter-destination=stdout'],
    ...[`--test-reporter=${reporter}`, `--test-reporter-destination=${report}`],
  ]
  const flags = [
    ...['--test', '--test-isolation=none', '--test-force-exit', `--test-timeout=${testMsMax}`],
    ...reporters,
  ]
  // Groups run side by side: what one prints is shown when it has ended.
  const printed = []
  const code = await run(node, [...flags, ...group.files], {
    ...{ cwd: root, env: { ...environment, ...group.env } },
    onOutput: (data) => printed.push(data),
  })
  process.stdout.write(Buffer.concat(printed))
  const failed = await readReport(report, group.times)
  await rm(folder, { recursive: true, force: true })
  if (code === 0) return []
  if (failed.length === 0) return [group]
  return failed.map((file) => ({ ...group, files: [file] }))
}

/** Adds up the times of each file. @returns the files with a failed test. */
async function readReport(file, times) {
  const text = await readFile(file, 'utf8').catch(() => '')
  const failed = new Set()
  for (const line of text.split('\n')) {
    const [, word, numbers = '', name] = /^(failed|took)((?: \d+)*) (.+)$/.exec(line) ?? []
    if (word === 'failed') failed.add(name)
    if (word !== 'took') continue
    const [ms, cpuMs] = numbers.trim().split(' ').map(Number)
    const before = times.get(name) ?? { ms: 0, cpuMs: 0 }
    times.set(name, { ms: before.ms + ms, cpuMs: before.cpuMs + cpuMs })
  }
  return [...failed]
}
