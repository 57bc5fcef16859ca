// `npm test`: installs what is missing, checks the sources, runs every test on the embedded
// engine, and some once more on a PostgreSQL server if one answers. `--all`, as in `npm run
// test:all`, is the long form: see docs/internals/tests.md. Other arguments are test files.

import { spawnSync } from 'node:child_process'
import { accessSync, constants, readFileSync, statfsSync } from 'node:fs'
import { connect } from 'node:net'
import { freemem } from 'node:os'
import { join } from 'node:path'
import { buildConsole, install, pinnedNode, refuseOldNode, root, run, tell } from './install.mjs'
import { runTests } from './runner.mjs'
import { isSlow, isWaiting, onSecondEngine } from './test-plan.mjs'

const defaultServer = 'postgres://postgres@127.0.0.1:5432/postgres'
const memoryFolder = '/dev/shm'
/** Far more than the tests of four processes have there at once. */
const memoryBytesMin = 8 * 1024 ** 3
const all = process.argv.includes('--all')
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
  await buildConsole()
  const node = pinnedNode()
  process.exitCode = (await check(node)) && (await test(node)) ? 0 : 1
} catch (error) {
  tell(`npm test: ${error.message}`)
  process.exitCode = 1
}

async function check(node) {
  const started = Date.now()
  for (const [name, script, args] of steps) {
    tell(`== ${name}`)
    if ((await run(node, [script, ...args], { cwd: root })) !== 0) return false
  }
  tell(`== checked in ${Math.round((Date.now() - started) / 1_000)} s`)
  return true
}

async function test(node) {
  const given = process.argv.slice(2).filter((word) => word !== '--all')
  const files = given.length > 0 ? given : findTests(node)
  const form = { ...temporaryFolder(), ...(all && { MILLRACE_TEST_LONG: 'yes' }) }
  const embedded = { MILLRACE_TEST_ENGINE: 'embedded', ...form }
  const runs = [{ name: 'embedded engine', files, env: embedded }]
  const server = process.env.DATABASE_URL ?? defaultServer
  if (await answers(server)) {
    const onBoth = onSecondEngine(files, { all: all || given.length > 0 })
    tell(`== ${files.length} test files on the embedded engine, ${onBoth.length} of them also on`)
    tell(
      `   an external PostgreSQL server${all ? '' : '; npm run test:all runs more of them there'}`,
    )
    const env = { MILLRACE_TEST_ENGINE: 'external', DATABASE_URL: server, ...form }
    runs.push({ name: 'external server', files: onBoth, env })
  } else {
    const { host } = new URL(server)
    tell('== tests, on the embedded engine')
    tell(`== on an external server: NOT RUN, no server answered at ${host}`)
  }
  return (await runTests(node, runs, { isSlow, isWaiting })) === 0
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

/** The pinned Node finds the files, because globSync is missing in the oldest that may run this. */
function findTests(node) {
  const roots = ['server', 'console', 'insight-sdk', 'examples', 'bench']
  const patterns = roots.map((folder) => `${folder}/**/*.test.ts`)
  const script = `console.log(JSON.stringify(require('fs').globSync(${JSON.stringify(patterns)})))`
  const found = spawnSync(node, ['-e', script], { cwd: root, encoding: 'utf8' })
  return JSON.parse(found.stdout)
    .filter((file) => !file.includes('node_modules'))
    .sort()
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
