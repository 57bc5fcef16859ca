// Plain JavaScript without dependencies, as install.mjs is.
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { generate, isGenerated } from './generated.mjs'
import {
  ensureInstalled,
  hasDevelopersPackages,
  installed,
  isPruned,
  pinnedNode,
  prune,
  root,
  run,
  tell,
  underLock,
} from './install.mjs'

const consoleFolder = join(root, 'console')
const sources = [
  ...['app', 'index.html', 'graphiql.html', 'vite.config.ts', 'build-plugins'],
  ...['../client/src', '../package-lock.json'],
]

/**
 * Installs and builds what the platform needs to run: its packages, the generated files and the
 * console. The packages that the console is built from go again, unless somebody develops here.
 */
export async function prepareStart() {
  await underLock(isReady, async (lock) => {
    const ensure = (kind) => ensureInstalled(lock, hasDevelopersPackages() ? 'all' : kind)
    await ensure(isConsoleBuilt() ? 'run' : 'build')
    await generate()
    if (!isConsoleBuilt()) {
      await ensure('build')
      await buildConsole()
    }
    if (!hasDevelopersPackages()) prune()
  })
}

function isReady() {
  if (!isGenerated() || !isConsoleBuilt()) return false
  return hasDevelopersPackages() ? installed('all') : installed('run') && isPruned()
}

/** Builds the console where its build is missing or older than its source. */
export async function buildConsole() {
  if (isConsoleBuilt()) return
  if (!installed('build')) {
    throw new Error('the console has to be built, and npm start installs what builds it')
  }
  tell('Building the console ...')
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
  const code = await run(pinnedNode(), [vite, 'build', '--logLevel', 'warn'], {
    cwd: consoleFolder,
  })
  if (code !== 0) throw new Error(`the console could not be built (${code})`)
}

function isConsoleBuilt() {
  const built = newest(join(consoleFolder, 'dist'))
  return sources.every((source) => newest(join(consoleFolder, source)) < built)
}

function newest(path) {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined) return 0
  if (!stats.isDirectory()) return stats.mtimeMs
  return Math.max(0, ...readdirSync(path).map((name) => newest(join(path, name))))
}
