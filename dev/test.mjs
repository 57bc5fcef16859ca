// `npm test`: installs what is missing, checks the sources and runs the fast tests. `--all`, as in
// `npm run test:all`, runs every test in its long form, and some once more on a PostgreSQL server
// if one answers. `--changed [commit]` runs the fast tests that reach what changed since a commit,
// the last one by default. Other arguments are test files. See docs/internals/tests.md.

import { spawnSync } from 'node:child_process'
import { accessSync, constants, readFileSync, statfsSync } from 'node:fs'
import { connect } from 'node:net'
import { freemem } from 'node:os'
import { join } from 'node:path'
import { buildConsole } from './build.mjs'
import { generate } from './generated.mjs'
import { install, pinnedNode, refuseOldNode, root, run, tell } from './install.mjs'
import { runTests } from './runner.mjs'
import { calibrate, childrenCpuMs, keepsBudget } from './test-budget.mjs'
import { budgets, isOnBothEngines, isSlow, isWaiting, tierFor } from './test-plan.mjs'

const defaultServer = 'postgres://postgres@127.0.0.1:5432/postgres'
const memoryFolder = '/dev/shm'
/** Far more than the tests of four processes have there at once. */
const memoryBytesMin = 8 * 1024 ** 3
const given = process.argv.slice(2)
const all = given.includes('--all')
const isChanged = given.includes('--changed')
const names = given.filter((word) => !word.startsWith('--'))
const isByName = names.length > 0 && !isChanged
/** A run of named or changed files is a part of a tier, and has no budget. */
const isPart = isByName || isChanged
const bin = (...path) => join(root, 'node_modules', ...path)

const steps = [
  ['format and lint', bin('@biomejs', 'biome', 'bin', 'biome'), ['check', '.']],
  ['types', bin('typescript', 'bin', 'tsc'), ['--noEmit', '-p', 'tsconfig.json']],
  ['types of the client', bin('typescript', 'bin', 'tsc'), ['--noEmit', '-p', 'client']],
  ['types of the console', bin('typescript', 'bin', 'tsc'), ['--noEmit', '-p', 'console']],
  ['unused code', bin('knip', 'bin', 'knip.js'), []],
]

try {
  refuseOldNode()
  await install()
  await generate()
  await buildConsole()
  const node = pinnedNode()
  // The installation, the generated files and the build of the console do not count.
  const checksFromMs = childrenCpuMs()
  const isRight = (await check(node)) && (await test(node, childrenCpuMs() - checksFromMs))
  process.exitCode = isRight ? 0 : 1
} catch (error) {
  tell(`npm test: ${error.message}`)
  process.exitCode = 1
}

async function check(node) {
  const [started, fromMs] = [Date.now(), childrenCpuMs()]
  for (const [name, script, args] of steps) {
    tell(`== ${name}`)
    if ((await run(node, [script, ...args], { cwd: root })) !== 0) return false
  }
  const cpuS = Math.round((childrenCpuMs() - fromMs) / 1_000)
  tell(`== checked in ${Math.round((Date.now() - started) / 1_000)} s, ${cpuS} s of CPU`)
  return true
}

async function test(node, checksCpuMs) {
  const factorBefore = calibrate(node)
  const files = chooseFiles(node)
  const form = { ...temporaryFolder(), ...(all && { MILLRACE_TEST_LONG: 'yes' }) }
  const embedded = { MILLRACE_TEST_ENGINE: 'embedded', ...form }
  const runs = [{ name: 'embedded engine', files, env: embedded }]
  tell(`== ${files.length} test files on the embedded engine`)
  if (all || isByName) runs.push(...(await onServer(files, form)))
  const seconds = isPart ? undefined : budgets[all ? 'all' : 'fast']
  const keeps = (times) => {
    const cpuMs = times.reduce((sum, time) => sum + time.cpuMs, checksCpuMs)
    const isBounded = ({ file }) => !all && file.endsWith('.test.ts')
    const bounded = times.map((time) => ({ ...time, isBounded: isBounded(time) }))
    const budget = { seconds, fileSeconds: budgets.fileOfFast }
    const factor = Math.max(factorBefore, calibrate(node))
    return keepsBudget({ files: bounded, cpuMs, factor, budget })
  }
  return (await runTests(node, runs, { isSlow, isWaiting, keepsBudget: keeps })) === 0
}

/** The run on a PostgreSQL server of the files that reach the database in ways of their own. */
async function onServer(files, form) {
  const server = process.env.DATABASE_URL ?? defaultServer
  if (!(await answers(server))) {
    tell(`== on an external server: NOT RUN, no server answered at ${new URL(server).host}`)
    return []
  }
  const onBoth = files.filter((file) => isByName || isOnBothEngines(file))
  tell(`== ${onBoth.length} of them also on an external PostgreSQL server`)
  const env = { MILLRACE_TEST_ENGINE: 'external', DATABASE_URL: server, ...form }
  return [{ name: 'external server', files: onBoth, env }]
}

/**
 * Databases of tests lie in memory if there is room: each is 750 files, which cost a disk up to
 * ten times the time of the processor. A TMPDIR that is set stays.
 */
function temporaryFolder() {
  if (process.env.TMPDIR !== undefined || !hasRoom(memoryFolder)) return {}
  return { TMPDIR: memoryFolder }
}

function hasRoom(folder) {
  try {
    const mounted = readFileSync('/proc/mounts', 'utf8').split('\n')
    const [, , , flags] = mounted.findLast((line) => line.split(' ')[1] === folder).split(' ')
    // Tests run programs that they have made.
    if (flags.split(',').includes('noexec')) return false
    accessSync(folder, constants.W_OK)
    const { bavail, bsize } = statfsSync(folder)
    return Math.min(bavail * bsize, freemem()) >= memoryBytesMin
  } catch {
    return false
  }
}

/** Returns the files that are named, that reach a change, of the fast tier, or all of them. */
function chooseFiles(node) {
  if (isByName) return names
  const tests = findTests(node)
  if (all) return tests
  const fast = tests.filter((file) => tierFor(file) === 'fast')
  if (!isChanged) return fast
  const reached = runLines(node, ['dev/changed-tests.mjs', ...names])
  return fast.filter((file) => reached.includes(file))
}

/** The pinned Node finds the files, because globSync is missing in the oldest that may run this. */
function findTests(node) {
  const roots = ['server', 'console', 'insight-sdk', 'examples', 'bench']
  const patterns = roots.map((folder) => `${folder}/**/*.test.ts`)
  const found = `require('fs').globSync(${JSON.stringify(patterns)})`
  const script = `${found}.forEach((file) => console.log(file))`
  return runLines(node, ['-e', script])
    .filter((file) => !file.includes('node_modules'))
    .sort()
}

function runLines(node, args) {
  const { status, stdout, stderr } = spawnSync(node, args, { cwd: root, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return stdout.split('\n').filter((line) => line !== '')
}

function answers(url) {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port || 5432), timeout: 2_000 })
    const end = (result) => {
      socket.destroy()
      resolve(result)
    }
    socket.once('connect', () => end(true))
    socket.once('timeout', () => end(false))
    socket.once('error', () => end(false))
  })
}
