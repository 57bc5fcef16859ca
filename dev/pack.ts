import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/**
 * `npm run pack [-- FOLDER]`: builds the client, the SDK of insight modules and the command line as
 * JavaScript with types, each into a folder of its own with all that it depends on, and packs them.
 * Default folder: dist.
 */

type Manifest = {
  readonly version: string
  readonly exports?: Readonly<Record<string, string>>
  readonly bin?: unknown
  readonly dependencies?: Readonly<Record<string, string>>
}

const root = join(import.meta.dirname, '..')
const to = resolve(process.argv[2] ?? join(root, 'dist'))
const modules = join(root, 'node_modules')
const run = (command: string, args: readonly string[], cwd: string) =>
  execFileSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] })

const compiled = join(to, 'compiled')
const client = join(to, 'client')
const sdk = join(to, 'insight-sdk')
const cli = join(to, 'cli')
/** The packages of this repository that another one bundles, as they were just built. */
const built = new Map([
  ['@millrace/client', client],
  ['@millrace/insight-sdk', sdk],
])

run(process.execPath, [join(root, 'dev', 'generated.mjs')], root)
for (const folder of [compiled, client, sdk, cli]) rmSync(folder, { recursive: true, force: true })
mkdirSync(to, { recursive: true })
const settings = join(import.meta.dirname, 'pack', 'tsconfig.json')
run(process.execPath, [join(modules, 'typescript', 'bin', 'tsc'), ...compileTo(compiled)], root)
assemble('client', client, readEntries('client'))
assemble('insight-sdk', sdk, {
  ...readEntries('insight-sdk'),
  bin: { 'insight-sdk': './lib/cli.js' },
})
assemble('cli', cli, { bin: { millrace: './lib/main.js' } })
const flags = ['--silent', '--ignore-scripts', '--pack-destination', to]
run('npm', ['pack', ...flags, client, sdk, cli], root)
rmSync(compiled, { recursive: true })
process.stdout.write(`packed the client, the SDK and the command line into ${to}\n`)

function compileTo(folder: string): string[] {
  return ['-p', settings, '--outDir', folder]
}

/** The entries of a workspace, as they are built. */
function readEntries(workspace: string): Pick<Manifest, 'exports'> {
  const { exports = {} } = readManifest(join(root, workspace))
  const built = Object.entries(exports).map(([entry, source]) => {
    const path = source.replace('./src/', './lib/').replace(/\.ts$/, '')
    return [entry, { types: `${path}.d.ts`, default: `${path}.js` }]
  })
  return { exports: Object.fromEntries(built) }
}

/** Writes a package that is installed without a registry: what it depends on is in it. */
function assemble(name: string, folder: string, entry: Pick<Manifest, 'exports' | 'bin'>): void {
  cpSync(join(compiled, name, 'src'), join(folder, 'lib'), { recursive: true })
  const template = join(root, name, 'template')
  const extra = existsSync(template) ? ['template'] : []
  if (extra.length > 0) cpSync(template, join(folder, 'template'), { recursive: true })
  cpSync(join(root, name, 'README.md'), join(folder, 'README.md'))
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  const { dependencies = {}, ...given } = readManifest(join(root, name))
  const bundled = bundle(name, Object.entries(dependencies), folder)
  const {
    devDependencies: _d,
    exports: _e,
    ...kept
  } = given as typeof given & { devDependencies?: unknown }
  const manifest = Object.assign(kept, entry, {
    files: ['lib', ...extra],
    dependencies: bundled,
    bundleDependencies: Object.keys(bundled),
  })
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}

/** Copies packages and what they depend on into a folder. Returns their versions. */
function bundle(
  workspace: string,
  wanted: readonly (readonly [name: string, version: string])[],
  folder: string,
): Record<string, string> {
  const found: Record<string, string> = {}
  const waiting = [...wanted]
  for (const [name, pinned] of waiting) {
    if (name in found) continue
    const source = findSource(workspace, name)
    const { version, dependencies = {} } = readManifest(source)
    if (/^\d/.test(pinned) && version !== pinned) {
      throw new Error(`${name} is installed as ${version}, and ${workspace} asks for ${pinned}`)
    }
    found[name] = version
    const isOwn = (path: string) => !path.startsWith(join(source, 'node_modules'))
    cpSync(source, join(folder, 'node_modules', name), { recursive: true, filter: isOwn })
    waiting.push(...Object.entries(dependencies))
  }
  return found
}

/** Finds a package as Node does for a workspace; one of this repository is as it was just built. */
function findSource(workspace: string, name: string): string {
  const ours = built.get(name)
  if (ours !== undefined) return ours
  const own = join(root, workspace, 'node_modules', name)
  return existsSync(own) ? own : join(modules, name)
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
}
