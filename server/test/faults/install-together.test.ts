import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it, type TestContext } from 'node:test'
import { pathToFileURL } from 'node:url'
import { comes } from '../fixtures/demo.ts'
import { atEnd } from '../fixtures/ends.ts'

const dev = join(import.meta.dirname, '..', '..', '..', 'dev')
const wanted = '{"packages":{"node_modules/a":{"version":"1.0.0"}}}'

/** In place of npm: removes the packages, and has made them when the file `go` is there. */
const npm = `
  const fs = require('fs')
  fs.appendFileSync('npm.log', process.pid + '\\n')
  fs.rmSync('node_modules', { recursive: true, force: true })
  const timer = setInterval(() => {
    if (!fs.existsSync('go')) return
    clearInterval(timer)
    fs.mkdirSync('node_modules', { recursive: true })
    fs.copyFileSync('package-lock.json', 'node_modules/.package-lock.json')
  }, 10)`

async function checkout(t: TestContext): Promise<string> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'millrace-together-')))
  atEnd(t, () => rm(root, { recursive: true, force: true, maxRetries: 20 }))
  await mkdir(join(root, 'dev'))
  await writeFile(join(root, 'package-lock.json'), wanted)
  await writeFile(join(root, 'npm.js'), npm)
  for (const name of await readdir(dev)) {
    if (name.startsWith('install')) await cp(join(dev, name), join(root, 'dev', name))
  }
  return root
}

function install(t: TestContext, root: string, options = '') {
  const url = pathToFileURL(join(root, 'dev', 'install.mjs')).href
  const script = `import { install } from ${JSON.stringify(url)}; await install(${options})`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    cwd: root,
    env: { ...process.env, npm_execpath: join(root, 'npm.js') },
  })
  atEnd(t, () => child.kill('SIGKILL'))
  let printed = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    printed += text
  })
  const ended = once(child, 'exit').then(() => child.exitCode)
  return {
    child,
    ended,
    printed: () => printed,
    prints: (part: string) =>
      comes(async () => {
        if (child.exitCode !== null) assert.fail(`it ended: ${printed}`)
        return printed.includes(part) ? true : undefined
      }),
  }
}

/** The process ids of the npm that were started. */
async function npmRuns(root: string): Promise<number[]> {
  const log = await readFile(join(root, 'npm.log'), 'utf8').catch(() => '')
  return log.trim().split('\n').filter(Boolean).map(Number)
}

const runs = (root: string, count: number) =>
  comes(async () => {
    const pids = await npmRuns(root)
    return pids.length >= count ? pids : undefined
  })

it('of commands that find packages missing at once one installs, the others wait', async (t) => {
  const root = await checkout(t)
  const first = install(t, root)
  await runs(root, 1)
  const others = [install(t, root), install(t, root)]
  for (const other of others) await other.prints(`Process ${first.child.pid} installs the packages`)
  await writeFile(join(root, 'go'), '')
  for (const one of [first, ...others]) assert.equal(await one.ended, 0, one.printed())
  assert.equal((await npmRuns(root)).length, 1)
  assert.deepEqual(
    (await readdir(root)).filter((name) => name.startsWith('.install')),
    [],
  )
})

it('a command that was killed is not waited for, but the npm that it has started is', async (t) => {
  const root = await checkout(t)
  const first = install(t, root)
  const [npmPid = 0] = await runs(root, 1)
  atEnd(t, () => endNow(npmPid))
  first.child.kill('SIGKILL')
  await first.ended
  const second = install(t, root)
  await second.prints(`Process ${npmPid} installs the packages`)
  endNow(npmPid)
  await runs(root, 2)
  await writeFile(join(root, 'go'), '')
  assert.equal(await second.ended, 0, second.printed())
})

it('the wait has an end, which names the process', async (t) => {
  const root = await checkout(t)
  const first = install(t, root)
  await runs(root, 1)
  const second = install(t, root, '{ waitMsMax: 1_000 }')
  assert.equal(await second.ended, 1)
  assert.match(second.printed(), new RegExp(`process ${first.child.pid} has been installing`))
  await writeFile(join(root, 'go'), '')
  assert.equal(await first.ended, 0, first.printed())
})

function endNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}
