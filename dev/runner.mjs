import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { environment, root, run, tell } from './install.mjs'

/** Files that one process runs: enough that the start of its engine is a small part of the time. */
const filesPerProcess = 30
const processesMost = 4

const failures = join(import.meta.dirname, 'failed-files.mjs')

/**
 * Runs test files, several processes side by side. A file that failed runs once more, by itself:
 * if it passes then, it is listed as unstable, and the run has passed.
 * @param runs `files` that run with the variables `env`, and the `name` to report them under
 * @returns the exit code: 0 if all passed.
 */
export async function runTests(node, runs) {
  const groups = runs.flatMap((one) => groupsOf(one.files).map((files) => ({ ...one, files })))
  const failed = (await sideBySide(groups, (group) => runGroup(node, group))).flat()
  if (failed.length === 0) return 0
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

/** Neighbours are often alike and slow together: each group has some of every folder. */
function groupsOf(files) {
  const count = Math.ceil(files.length / filesPerProcess)
  return Array.from({ length: count }, (_, group) => files.filter((_, at) => at % count === group))
}

async function sideBySide(items, work) {
  const results = []
  const queue = [...items.entries()]
  const worker = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      results[next[0]] = await work(next[1])
    }
  }
  const count = Math.min(processesMost, availableParallelism(), items.length)
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
  const list = join(folder, 'failed')
  const reporters = [
    ...['--test-reporter=spec', '--test-reporter-destination=stdout'],
    ...[`--test-reporter=${failures}`, `--test-reporter-destination=${list}`],
  ]
  const flags = ['--test', '--test-isolation=none', '--test-force-exit', ...reporters]
  // Groups run side by side: what one prints is shown when it has ended.
  const printed = []
  const code = await run(node, [...flags, ...group.files], {
    ...{ cwd: root, env: { ...environment, ...group.env } },
    onOutput: (data) => printed.push(data),
  })
  process.stdout.write(Buffer.concat(printed))
  const failed = code === 0 ? [] : await readLines(list)
  await rm(folder, { recursive: true, force: true })
  if (code !== 0 && failed.length === 0) return [group]
  return failed.map((file) => ({ ...group, files: [file] }))
}

async function readLines(file) {
  const text = await readFile(file, 'utf8').catch(() => '')
  return [...new Set(text.split('\n').filter((line) => line !== ''))]
}
