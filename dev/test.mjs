// `npm test`: installs what is missing, checks the sources, runs every test on the embedded engine,
// and once more on a PostgreSQL server if one answers. Arguments are test files.

import { spawnSync } from 'node:child_process'
import { connect } from 'node:net'
import { join } from 'node:path'
import { buildConsole, install, pinnedNode, root, run, tell } from './install.mjs'
import { runTests } from './runner.mjs'

const defaultServer = 'postgres://postgres@127.0.0.1:5432/postgres'
const bin = (...path) => join(root, 'node_modules', ...path)

/**
 * What never asks the database has nothing new to say on a second engine; nor have the pages and
 * commands, whose every question to it is one of the suites under spec/ as well.
 */
const onOneEngine = [
  /^server\/test\/scenario\/(?!spine)/,
  /^(insight-sdk|examples)\//,
  /^server\/src\/(kernel|outbound|database\/embedded|scripting\/lua)\//,
  /^server\/src\/scripting\/(?!store)/,
  /^server\/src\/services\/interface\/(schema|compare)\//,
  /^server\/test\/tidy/,
]

const steps = [
  ['format and lint', bin('@biomejs', 'biome', 'bin', 'biome'), ['check', '.']],
  ['types', bin('typescript', 'bin', 'tsc'), ['--noEmit', '-p', 'tsconfig.json']],
  ['types of the console', bin('typescript', 'bin', 'tsc'), ['--noEmit', '-p', 'console']],
  ['unused code', bin('knip', 'bin', 'knip.js'), []],
]

try {
  await install()
  await buildConsole()
  const node = pinnedNode()
  process.exitCode = (await check(node)) && (await test(node)) ? 0 : 1
} catch (error) {
  tell(`npm test: ${error.message}`)
  process.exitCode = 1
}

async function check(node) {
  for (const [name, script, args] of steps) {
    tell(`== ${name}`)
    if ((await run(node, [script, ...args], { cwd: root })) !== 0) return false
  }
  return true
}

async function test(node) {
  const given = process.argv.slice(2)
  const files = given.length > 0 ? given : findTests(node)
  const runs = [{ name: 'embedded engine', files, env: { MILLRACE_TEST_ENGINE: 'embedded' } }]
  const server = process.env.DATABASE_URL ?? defaultServer
  if (await answers(server)) {
    tell('== tests, on the embedded engine and on an external PostgreSQL server')
    const env = { MILLRACE_TEST_ENGINE: 'external', DATABASE_URL: server }
    runs.push({ name: 'external server', files: files.filter(needsBothEngines), env })
  } else {
    const { host } = new URL(server)
    tell('== tests, on the embedded engine')
    tell(`== on an external server: NOT RUN, no server answered at ${host}`)
  }
  return (await runTests(node, runs)) === 0
}

function needsBothEngines(file) {
  return !onOneEngine.some((folder) => folder.test(file))
}

/** The pinned Node finds the files, because globSync is missing in the oldest that may run this. */
function findTests(node) {
  const roots = ['server', 'console', 'insight-sdk', 'examples']
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
