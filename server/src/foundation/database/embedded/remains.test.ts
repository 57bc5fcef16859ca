import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { lchown, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { atEnd } from '../../../../test/fixtures/ends.ts'
import {
  ask,
  engineProcess,
  isRoot,
  ordinary,
  spawnEngineProcess,
  testEngineAt,
  testFolder,
  until,
  untilGone,
  usedFolder,
} from '../../../../test/fixtures/engine.ts'
import { createLogger } from '../../kernel/index.ts'
import { startEngine } from './index.ts'

const logger = createLogger('silent')

/** A data directory with an engine's data, and none running. */
async function makeData(t: TestContext): Promise<string> {
  const dataDir = await usedFolder(t)
  const engine = await startEngine({ dataDir, owner: true, logger })
  await ask(await engine.database('kept'), 'create table t as select 7 as n')
  await engine.stop()
  return dataDir
}

async function assertKept(t: TestContext, dataDir: string): Promise<number> {
  const engine = await testEngineAt(t, dataDir)
  assert.deepEqual(await ask(await engine.database('kept'), 'select n from t'), [[7]])
  return engine.pid
}

/** A process that has nothing to do with us, of the engine's user. */
async function otherProcess(t: TestContext): Promise<number> {
  const child = spawn('sleep', ['600'], { stdio: 'ignore', ...(isRoot ? ordinary : {}) })
  await once(child, 'spawn')
  atEnd(t, () => child.kill('SIGKILL'))
  return child.pid ?? 0
}

describe('what a killed process leaves behind', () => {
  it('a server that outlived its Node: the next start attaches to it', async (t) => {
    const dataDir = await makeData(t)
    const before = await engineProcess(t, dataDir)
    await before.kill()
    assert.equal(await assertKept(t, dataDir), before.pid)
  })

  it('a lock of a server that is gone, with the id of a process that is not', async (t) => {
    const dataDir = await makeData(t)
    const fallen = await engineProcess(t, dataDir, { kind: 'visitor' })
    const file = join(dataDir, 'postgres', 'postmaster.pid')
    const text = await readFile(file, 'utf8')
    process.kill(fallen.pid, 'SIGKILL')
    await untilGone(fallen.pid, dataDir)
    await fallen.kill()
    await writeFile(file, text.replace(/^\d+/, String(await otherProcess(t))))
    await assertKept(t, dataDir)
  })

  it('a lock that holds no process at all', async (t) => {
    const dataDir = await makeData(t)
    await writeFile(join(dataDir, 'postgres', 'postmaster.pid'), '')
    await assertKept(t, dataDir)
  })

  it('the data of an initdb that was cut: they are made anew', async (t) => {
    const dataDir = await testFolder(t)
    const half = join(dataDir, 'postgres.new-abcdef')
    await mkdir(half)
    await writeFile(join(half, 'PG_VERSION'), '18\n')
    await writeFile(join(half, 'pg_hba.conf'), 'host all all all trust\n')
    await testEngineAt(t, dataDir, false)
    assert.deepEqual((await readdir(dataDir)).sort(), ['engine.log', 'postgres', 'run'])
    const rules = await readFile(join(dataDir, 'postgres', 'pg_hba.conf'), 'utf8')
    assert.doesNotMatch(rules, /^host .*trust/m)
  })

  it('a start that is killed while it makes the data: the next one makes them', async (t) => {
    const dataDir = await testFolder(t)
    const child = spawnEngineProcess(t, dataDir)
    await until(async () => (await readdir(dataDir)).some((name) => name.includes('.new-')))
    child.kill('SIGKILL')
    await once(child, 'exit')
    assert.equal(await stat(join(dataDir, 'postgres')).catch(() => 'none'), 'none')
    const engine = await testEngineAt(t, dataDir)
    assert.deepEqual(await ask(await engine.database('kept'), 'select 1'), [[1]])
  })

  it('a lock of a start whose process is gone, or whose id has gone to another', async (t) => {
    const dataDir = await makeData(t)
    const lock = join(dataDir, 'engine.lock')
    const holders = [{ pid: 2 ** 30, birth: '1' }, { pid: process.pid, birth: '1' }, {}]
    for (const holder of holders) {
      await writeFile(lock, JSON.stringify(holder))
      await writeFile(`${lock}.${2 ** 30}.1`, JSON.stringify(holder))
      const engine = await startEngine({ dataDir, owner: true, logger })
      await engine.stop()
      assert.deepEqual((await readdir(dataDir)).sort(), ['engine.log', 'postgres', 'run'])
    }
  })

  it('a shell that stands in the data directory is no server', async (t) => {
    const dataDir = await makeData(t)
    const shell = spawn('sleep', ['600'], { cwd: join(dataDir, 'postgres'), stdio: 'ignore' })
    await once(shell, 'spawn')
    atEnd(t, () => shell.kill('SIGKILL'))
    await assertKept(t, dataDir)
  })
})

describe('data that the engine finds', () => {
  it('and that root has copied from a backup are given to its user', async (t) => {
    if (!isRoot) return t.skip('only root can give files away')
    const dataDir = await makeData(t)
    const cluster = join(dataDir, 'postgres')
    for (const name of ['.', ...(await readdir(cluster, { recursive: true }))]) {
      await lchown(join(cluster, name), 0, 0)
    }
    await assertKept(t, dataDir)
  })

  it('and that belong to a user are served as that user', async (t) => {
    if (!isRoot) return t.skip('only root can become another user')
    const dataDir = await makeData(t)
    const cluster = join(dataDir, 'postgres')
    const owner = 65533
    for (const name of ['.', ...(await readdir(cluster, { recursive: true }))]) {
      await lchown(join(cluster, name), owner, owner)
    }
    const pid = await assertKept(t, dataDir)
    assert.match(
      await readFile(`/proc/${pid}/status`, 'utf8'),
      new RegExp(`^Uid:\\s+${owner}\\s`, 'm'),
    )
  })

  it('and that it cannot serve are refused in its own words', async (t) => {
    const dataDir = await makeData(t)
    await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '17\n')
    await assert.rejects(
      startEngine({ dataDir, owner: true, logger }),
      /did not start; .*engine\.log ends with: .*not compatible/s,
    )
    assert.equal(await stat(join(dataDir, 'engine.lock')).catch(() => 'none'), 'none')
  })
})
