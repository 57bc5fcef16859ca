// Plain JavaScript without dependencies, as install.mjs is.
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The workspaces that the platform runs, and those that build its console. */
export const workspacesOf = {
  run: ['server', 'client', 'cli', 'insight-sdk'],
  build: ['console', 'client'],
}

/**
 * Files of large packages that no program of ours reads: the headers of Node, and the scripts of
 * Swagger UI that its page does not load.
 */
const unusedFiles = [
  [/^node-(linux|win)-\w+$/, /^(include|share|CHANGELOG\.md)(\/|$)/],
  [/^swagger-ui-dist$/, /^swagger-ui(-es-bundle.*|-standalone-preset)?\.js|\.map$/],
]

/** Patterns of the unused files of a package by its name. */
export const unusedFilesFor = (name) =>
  unusedFiles.filter(([one]) => one.test(name)).map(([, files]) => files)

/** The packages of a lock file, or those that npm has written down as installed, by their paths. */
export function readLock(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages
  } catch {
    return undefined
  }
}

/** @returns the paths of what these workspaces and the root need without developers' packages. */
export function packagesFor(lock, workspaces) {
  const needed = new Set()
  const waiting = ['', ...workspaces]
  for (const place of waiting) {
    for (const name of listDependencies(lock[place] ?? {})) {
      const path = resolve(lock, place, name)
      if (path === undefined || needed.has(path)) continue
      needed.add(path)
      if (!lock[path].link) waiting.push(path)
      else waiting.push(lock[path].resolved)
    }
  }
  return needed
}

function listDependencies({ dependencies, optionalDependencies, peerDependencies = {}, ...more }) {
  const { peerDependenciesMeta: about = {} } = more
  const peers = Object.keys(peerDependencies).filter((name) => about[name]?.optional !== true)
  return Object.keys({ ...dependencies, ...optionalDependencies }).concat(peers)
}

/** Finds a package as Node does: in the node_modules of a folder, then of those above it. */
function resolve(lock, place, name) {
  for (let folder = place; ; folder = dirname(folder)) {
    const path = join(folder, 'node_modules', name).replaceAll('\\', '/')
    if (lock[path] !== undefined) return path
    if (folder === '' || folder === '.') return undefined
  }
}

/** Removes what is listed as unused from the installed packages. */
export function removeUnusedFiles(root) {
  const installed = readLock(join(root, 'node_modules', '.package-lock.json')) ?? {}
  for (const path of Object.keys(installed)) {
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    const patterns = unusedFilesFor(name)
    if (patterns.length > 0) removeFiles(join(root, path), '', patterns)
  }
}

function removeFiles(folder, within, patterns) {
  for (const entry of readdirSync(join(folder, within), { withFileTypes: true })) {
    const file = within === '' ? entry.name : `${within}/${entry.name}`
    if (patterns.some((one) => one.test(file))) {
      rmSync(join(folder, file), { recursive: true, force: true })
    } else if (entry.isDirectory()) removeFiles(folder, file, patterns)
  }
}
