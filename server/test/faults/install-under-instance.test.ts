import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { it, type TestContext } from 'node:test'
import { pathToFileURL } from 'node:url'
import { atEnd } from '../fixtures/ends.ts'

const dev = join(import.meta.dirname, '..', '..', '..', 'dev')

/** A checkout whose packages are not those of its lock file, and an npm that says what it does. */
async function checkout(t: TestContext): Promise<string> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'millrace-checkout-')))
  atEnd(t, () => rm(root, { recursive: true, force: true }))
  const files = {
    'package-lock.json': '{"packages":{"node_modules/a":{"version":"2.0.0"}}}',
    'node_modules/.package-lock.json': '{"packages":{"node_modules/a":{"version":"1.0.0"}}}',
    'npm.js': 'require("fs").rmSync("node_modules", { recursive: true })',
    'dev/up.ts': 'setInterval(() => {}, 1_000)\nconsole.log("up")',
    'server/src/platform/cli/index.ts': 'setInterval(() => {}, 1_000)\nconsole.log("up")',
  }
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true })
    await writeFile(join(root, name), text)
  }
  for (const name of await readdir(dev)) {
    if (name.startsWith('install')) await cp(join(dev, name), join(root, 'dev', name))
  }
  return root
}

async function install(root: string) {
  const url = pathToFileURL(join(root, 'dev', 'install.mjs')).href
  const script = `import { install } from ${JSON.stringify(url)}; await install()`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    cwd: root,
    env: { ...process.env, npm_execpath: join(root, 'npm.js') },
  })
  let printed = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    printed += text
  })
  const [code] = await once(child, 'close')
  return { code, printed }
}

async function start(t: TestContext, script: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [script, 'serve'], { stdio: ['ignore', 'pipe', 'inherit'] })
  atEnd(t, () => child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  return child
}

it('packages are not taken away from an instance that runs on them', async (t) => {
  const root = await checkout(t)
  for (const script of ['dev/up.ts', 'server/src/platform/cli/index.ts']) {
    const instance = await start(t, join(root, script))
    const { code, printed } = await install(root)
    assert.equal(code, 1)
    assert.match(printed, new RegExp(`process ${instance.pid} runs on these. Stop that one first`))
    assert.ok((await readdir(root)).includes('node_modules'))
    instance.kill('SIGKILL')
    await once(instance, 'exit')
  }
  const other = await start(t, join(await checkout(t), 'dev', 'up.ts'))
  assert.equal((await install(root)).code, 0)
  assert.equal((await readdir(root)).includes('node_modules'), false)
  other.kill('SIGKILL')
})
