// Plain JavaScript without dependencies, as install.mjs is.
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { generate, isGenerated } from './generated.mjs'
import {
  ensureInstalled,
  hasDevelopersPackages,
  installBuilder,
  installed,
  pinnedNode,
  root,
  run,
  tell,
  underLock,
} from './install.mjs'

const consoleFolder = join(root, 'console')
const ownSources = ['app', 'index.html', 'graphiql.html', 'vite.config.ts', 'build-plugins']
const sources = [...ownSources.map((name) => `console/${name}`), 'client/src', 'package-lock.json']
const settings = ['.npmrc', 'package-lock.json', 'tsconfig.base.json', 'console/tsconfig.json']
const manifests = ['.', 'server', 'console', 'client', 'cli', 'insight-sdk'].map((folder) =>
  join(folder, 'package.json'),
)

/**
 * Installs and builds what the platform needs to run: its packages, the generated files and the
 * console. The packages that build the console go into a folder of their own, at the same time,
 * and are removed after the build, unless somebody develops here.
 */
export async function prepareStart() {
  await underLock(isReady, async (lock) => {
    const isDeveloped = hasDevelopersPackages()
    const builder = isDeveloped ? undefined : new Builder(lock)
    try {
      await waitForAll([
        ensureInstalled(lock, isDeveloped ? 'all' : 'run'),
        isConsoleBuilt() ? undefined : builder?.install(),
      ])
      await generate()
      if (!isConsoleBuilt()) await (builder ?? { build: buildConsole }).build()
    } finally {
      builder?.remove()
    }
  })
}

function isReady() {
  return isGenerated() && isConsoleBuilt() && installed(hasDevelopersPackages() ? 'all' : 'run')
}

/** Waits for all, also where one fails: another process may take over only then. */
async function waitForAll(promises) {
  const failed = (await Promise.allSettled(promises)).find(({ status }) => status === 'rejected')
  if (failed) throw failed.reason
}

/** A folder with the sources of the console and what it is built from. */
class Builder {
  #lock
  #folder = join(consoleFolder, '.build')
  #installed

  constructor(lock) {
    this.#lock = lock
  }

  install() {
    this.#installed ??= (async () => {
      this.remove()
      for (const file of [...manifests, ...settings]) this.#copy(file)
      await installBuilder(this.#lock, this.#folder)
    })()
    return this.#installed
  }

  async build() {
    await this.install()
    for (const source of sources) this.#copy(source)
    await runVite(this.#folder)
  }

  remove() {
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 3 })
  }

  #copy(path) {
    if (!existsSync(join(root, path))) return
    mkdirSync(dirname(join(this.#folder, path)), { recursive: true })
    cpSync(join(root, path), join(this.#folder, path), { recursive: true })
  }
}

/** Builds the console where its build is missing or older than its source. */
export async function buildConsole() {
  if (isConsoleBuilt()) return
  if (!existsSync(vitePath(root))) {
    throw new Error('the console has to be built, and npm start installs what builds it')
  }
  await runVite(root)
}

const vitePath = (folder) => join(folder, 'node_modules', 'vite', 'bin', 'vite.js')

async function runVite(folder) {
  tell('Building the console ...')
  const to = ['--outDir', join(consoleFolder, 'dist'), '--emptyOutDir']
  const args = [vitePath(folder), 'build', '--logLevel', 'warn', ...to]
  const code = await run(pinnedNode(), args, { cwd: join(folder, 'console') })
  if (code !== 0) throw new Error(`the console could not be built (${code})`)
}

function isConsoleBuilt() {
  const built = newest(join(consoleFolder, 'dist'))
  return sources.every((source) => newest(join(root, source)) < built)
}

function newest(path) {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined) return 0
  if (!stats.isDirectory()) return stats.mtimeMs
  return Math.max(0, ...readdirSync(path).map((name) => newest(join(path, name))))
}
