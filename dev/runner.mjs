import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { availableParallelism, constants, tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { environment, root, run, tell } from './install.mjs'

/** Files that one process runs: enough that the start of its engine is a small part of the time. */
const filesPerProcess = 30
/** One more than there are cores, because tests also wait: for disks, timers and processes. */
const processesMost = Math.min(4, availableParallelism() + 1)
const slowestShown = 20

const reporter = join(import.meta.dirname, 'file-report.mjs')

/**
 * Runs test files, several processes side by side. A file that failed runs once more, by itself:
 * if it passes then, it is listed as unstable, and the run has passed.
 * @param runs `files` that run with the variables `env`, and the `name` to report them under
 * @param options `isSlow`: whether a file starts first, in a process of its own
 * @returns the exit code: 0 if all passed.
 */
export async function runTests(node, runs, { isSlow = () => false } = {}) {
  const started = Date.now()
  const of = (split) =>
    runs.flatMap((one) => split(one.files).map((files) => ({ ...one, files, times: new Map() })))
  const groups = [
    ...of((files) => files.filter(isSlow).map((file) => [file])),
    ...of((files) => groupsOf(files.filter((file) => !isSlow(file)))),
  ]
  const interrupted = untilInterrupted()
  const failed = (await sideBySide(groups, (group) => runGroup(node, group), interrupted)).flat()
  interrupted.end()
  if (interrupted.by !== undefined) return 128 + constants.signals[interrupted.by]
  printTimes(groups, Date.now() - started)
  return failed.length === 0 ? 0 : await runAgain(node, failed)
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
    if (some.length > 0) console.log([title, ...some.map(nameOf)].join('\n  '))
  }
  const isFailed = (one) => again.some((other) => nameOf(other) === nameOf(one))
  list(
    '== unstable: failed, and passed when run again',
    failed.filter((one) => !isFailed(one)),
  )
  list('== failed twice', again)
  return again.length === 0 ? 0 : 1
}

function nameOf({ name, files }) {
  return `${files.join(' ')}${name ? ` (${name})` : ''}`
}

/** Prints the files that took longest: the time that passed, and that of the processor. */
function printTimes(groups, passedMs) {
  const seconds = (ms) => (ms / 1_000).toFixed(1).padStart(7)
  const line = ({ ms, cpuMs, name }) => `${seconds(ms)} s ${seconds(cpuMs)} s of CPU  ${name}`
  const all = groups.flatMap((group) =>
    [...group.times].map(([file, time]) => ({
      ...time,
      name: nameOf({ ...group, files: [relative(root, file)] }),
    })),
  )
  const sum = (key) => all.reduce((total, time) => total + time[key], 0)
  const slowest = all.sort((a, b) => b.cpuMs + b.ms - a.cpuMs - a.ms).slice(0, slowestShown)
  console.log(['== the slowest files', ...slowest.map(line)].join('\n'))
  console.log(line({ ms: sum('ms'), cpuMs: sum('cpuMs'), name: `all ${all.length} together` }))
  console.log(`== the tests took ${Math.round(passedMs / 1_000)} s`)
}

/** Files of one folder are often alike and slow: each group has some of every folder. */
function groupsOf(files) {
  const count = Math.ceil(files.length / filesPerProcess)
  return Array.from({ length: count }, (_, group) => files.filter((_, at) => at % count === group))
}

/** Begins no more of the items once it is interrupted. */
async function sideBySide(items, work, interrupted) {
  const results = []
  const queue = [...items.entries()]
  const worker = async () => {
    for (let next = queue.shift(); next && !interrupted.by; next = queue.shift()) {
      results[next[0]] = await work(next[1])
    }
  }
  const count = Math.min(processesMost, items.length)
  await Promise.all(Array.from({ length: count }, worker))
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
  const flags = ['--test', '--test-isolation=none', '--test-force-exit', ...reporters]
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
