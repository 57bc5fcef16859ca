import assert from 'node:assert/strict'
import { readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import {
  ask,
  engineProcess,
  testEngineAt,
  testFolder,
  until,
  untilGone,
  usedFolder,
} from '../../../../test/fixtures/engine.ts'
import { createLogger } from '../../kernel/index.ts'
import { endEngineNow, refuseUsed, startEngine, worksOn } from './index.ts'

const logger = createLogger('silent')

async function runs(pid: number, dataDir: string): Promise<boolean> {
  return worksOn(pid, join(dataDir, 'postgres'))
}

describe('the embedded engine', () => {
  it('makes its data at its first start and finds them at its second', async (t) => {
    const dataDir = join(await testFolder(t), 'not', 'yet')
    const first = await startEngine({ dataDir, owner: true, logger })
    await ask(await first.database('kept'), 'create table t as select 7 as n')
    await first.stop()
    assert.equal(await runs(first.pid, dataDir), false)
    const second = await testEngineAt(t, dataDir)
    assert.deepEqual(await ask(await second.database('kept'), 'select n from t'), [[7]])
  })

  it('keeps what it acknowledges, and listens on no port', async (t) => {
    const engine = await testEngineAt(t, await testFolder(t))
    const address = await engine.database('postgres')
    const show = async (name: string) => (await ask(address, `show ${name}`))[0]?.[0]
    assert.equal(await show('fsync'), 'on')
    assert.equal(await show('synchronous_commit'), 'on')
    assert.equal(await show('full_page_writes'), 'on')
    assert.equal(await show('max_wal_size'), '4GB')
    assert.equal(await show('listen_addresses'), '')
    assert.equal(await show('server_encoding'), 'UTF8')
    assert.deepEqual(await ask(address, 'select datcollate from pg_database group by datcollate'), [
      ['C'],
    ])
    assert.equal(await show('data_checksums'), 'on')
  })

  it('rejects statements after its end, and leaves nothing behind each time', async (t) => {
    const engine = await startEngine({ dataDir: await usedFolder(t), owner: true, logger })
    await engine.stop()
    const warnings: Error[] = []
    const take = (warning: Error) => void warnings.push(warning)
    process.on('warning', take)
    for (let times = 0; times < 20; times += 1) await assert.rejects(engine.database('late'))
    await new Promise(setImmediate)
    process.off('warning', take)
    assert.deepEqual(warnings, [])
  })

  it('lets nobody but its own user reach the socket', async (t) => {
    const dataDir = await usedFolder(t)
    const engine = await testEngineAt(t, dataDir)
    const { host } = (await engine.database('postgres')) as { host: string }
    assert.equal(host, join(dataDir, 'run'))
    const { mode, uid } = await stat(host)
    assert.equal(mode & 0o777, 0o700)
    assert.equal(uid, (await stat(join(dataDir, 'postgres'))).uid)
  })

  it('is started once when many come at once', async (t) => {
    const dataDir = await testFolder(t)
    const here = Array.from({ length: 4 }, (_, at) => testEngineAt(t, dataDir, at === 0))
    const there = Array.from({ length: 2 }, () => engineProcess(t, dataDir, { kind: 'visitor' }))
    const [engines, processes] = await Promise.all([Promise.all(here), Promise.all(there)])
    assert.equal(new Set([...engines, ...processes].map((one) => one.pid)).size, 1)
    await Promise.all(processes.map((one) => one.kill()))
    assert.deepEqual(
      (await readdir(dataDir)).sort(),
      ['engine.log', 'engine.owner', 'postgres', 'run'],
      'neither locks nor unfinished data are left',
    )
  })

  it('makes a database once for two calls at once', async (t) => {
    const engine = await testEngineAt(t, await usedFolder(t))
    const visitor = await engineProcess(t, await readFolder(engine.database('postgres')), {
      kind: 'visitor',
    })
    assert.equal(visitor.pid, engine.pid)
    const addresses = await Promise.all(Array.from({ length: 5 }, () => engine.database('twice')))
    for (const address of addresses) {
      assert.deepEqual(await ask(address, 'select current_database()'), [['twice']])
    }
    await visitor.finish()
  })

  it('makes no database of a name that would have to be quoted', async (t) => {
    const engine = await testEngineAt(t, await usedFolder(t))
    for (const name of ['', 'A', 'a b', '1a', 'a"; drop database postgres', 'a'.repeat(64)]) {
      await assert.rejects(engine.database(name), /not a database's name/, name)
    }
    await engine.database('a'.repeat(63))
  })

  it('heeds no address in the environment', async (t) => {
    const dataDir = await usedFolder(t)
    const env = { PGPORT: '6666', PGSSLMODE: 'require', PGHOST: 'nowhere', PGUSER: 'nobody' }
    const other = await engineProcess(t, dataDir, { env })
    await other.stop()
    assert.equal(await runs(other.pid, dataDir), false)
  })
})

describe('who ends the embedded engine', () => {
  it('its owner does, whoever is connected', async (t) => {
    const dataDir = await usedFolder(t)
    const visitor = await engineProcess(t, dataDir, { kind: 'visitor' })
    const owner = await startEngine({ dataDir, owner: true, logger })
    assert.equal(owner.pid, visitor.pid)
    await owner.stop()
    assert.equal(await runs(owner.pid, dataDir), false)
    await visitor.finish()
  })

  it('of visitors who had to start it, the last one does', async (t) => {
    const dataDir = await usedFolder(t)
    const one = await startEngine({ dataDir, owner: false, logger })
    const two = await startEngine({ dataDir, owner: false, logger })
    await one.stop()
    await one.stop()
    assert.equal(await runs(one.pid, dataDir), true)
    await two.stop()
    assert.equal(await runs(one.pid, dataDir), false)
  })

  it('a visitor of an engine that has an owner does not', async (t) => {
    const dataDir = await usedFolder(t)
    const owner = await testEngineAt(t, dataDir)
    const visitor = await startEngine({ dataDir, owner: false, logger })
    await visitor.stop()
    assert.equal(await runs(owner.pid, dataDir), true)
  })

  it('the end of the process that started it does not, and it does not keep it', async (t) => {
    const dataDir = await usedFolder(t)
    const process = await engineProcess(t, dataDir)
    await process.finish()
    assert.equal(process.child.exitCode, 0)
    assert.equal((await testEngineAt(t, dataDir)).pid, process.pid)
  })

  it('Ctrl-C in the terminal of the platform does not', async (t) => {
    const dataDir = await usedFolder(t)
    const { pid } = await testEngineAt(t, dataDir)
    const { execFileSync } = await import('node:child_process')
    const session = execFileSync('ps', ['-o', 'sid=', '-p', String(pid)], { encoding: 'utf8' })
    assert.equal(Number(session), pid, 'it has a session of its own, and so no terminal')
  })
})

async function readFolder(address: Promise<unknown>): Promise<string> {
  return join(((await address) as { host: string }).host, '..')
}

describe('the owner of an embedded engine', () => {
  it('is one: another process is refused, named, and changes nothing', async (t) => {
    const dataDir = await usedFolder(t)
    const first = await engineProcess(t, dataDir)
    const before = await readStamps(dataDir)
    await assert.rejects(engineProcess(t, dataDir), (error: Error) => {
      assert.match(error.message, new RegExp(`is used by process ${first.child.pid}\\.`))
      return true
    })
    await assert.rejects(startEngine({ dataDir, owner: true, logger }), /is used by process/)
    await assert.rejects(refuseUsed(dataDir), /is used by process/)
    assert.deepEqual(await readStamps(dataDir), before)
    assert.equal(await runs(first.pid, dataDir), true)
    const visitor = await startEngine({ dataDir, owner: false, logger })
    assert.equal(visitor.pid, first.pid)
    assert.equal(await visitor.otherOwner(), first.child.pid)
    await visitor.stop()
    assert.equal(await runs(first.pid, dataDir), true)
    await first.stop()
    await (await testEngineAt(t, dataDir)).stop()
  })

  it('is one of many that come at once', async (t) => {
    const dataDir = await usedFolder(t)
    const all = await Promise.allSettled(Array.from({ length: 4 }, () => engineProcess(t, dataDir)))
    const [owner, ...others] = all.filter((one) => one.status === 'fulfilled')
    assert.deepEqual(others, [])
    assert.ok(owner !== undefined)
    for (const one of all) {
      if (one.status === 'rejected') assert.match(String(one.reason), /is used by process/)
    }
    await owner.value.stop()
    assert.deepEqual((await readdir(dataDir)).sort(), ['engine.log', 'postgres', 'run'])
  })

  it('is followed by the next after a kill, which finds the same server', async (t) => {
    const dataDir = await usedFolder(t)
    for (let times = 0, server = 0; times < 3; times += 1) {
      const owner = await engineProcess(t, dataDir)
      if (server !== 0) assert.equal(owner.pid, server)
      server = owner.pid
      await owner.kill()
    }
    const last = await testEngineAt(t, dataDir)
    await last.stop()
    assert.equal(await runs(last.pid, dataDir), false)
  })

  it('is not another process that got the id of a killed one', async (t) => {
    const dataDir = await usedFolder(t)
    const { pid } = process
    await writeFile(join(dataDir, 'engine.owner'), JSON.stringify({ pid, birth: '1' }))
    await refuseUsed(dataDir)
    await (await testEngineAt(t, dataDir)).stop()
    for (const text of ['', '{', '{}', '{"pid":-1}', '[]']) {
      await writeFile(join(dataDir, 'engine.owner'), text)
      await refuseUsed(dataDir)
    }
  })

  it('is seen where its process is not: by the lock that it holds', async (t) => {
    const dataDir = await usedFolder(t)
    const first = await testEngineAt(t, dataDir)
    await rm(join(dataDir, 'engine.owner'))
    await assert.rejects(engineProcess(t, dataDir), /is used by process of another system/)
    assert.equal(await runs(first.pid, dataDir), true)
  })

  it('ends its engine at once; a visitor with the last of them, or not at all', async (t) => {
    const dataDir = await usedFolder(t)
    const owner = await testEngineAt(t, dataDir)
    assert.equal(endEngineNow(dataDir), owner.pid)
    await owner.stop()
    assert.equal(await runs(owner.pid, dataDir), false)
    const visited = await engineProcess(t, dataDir, { kind: 'visitor' })
    const visitor = await startEngine({ dataDir, owner: false, logger })
    assert.equal(endEngineNow(dataDir), visited.pid)
    await visited.finish()
    await visitor.stop()
    await untilGone(visited.pid, dataDir)
    const other = await engineProcess(t, dataDir)
    assert.equal(endEngineNow(dataDir), undefined)
    await other.stop()
    assert.equal(endEngineNow(dataDir), undefined)
  })
})

/** The file that was changed last, of all files that are not the running server's own. */
async function readStamps(dataDir: string): Promise<unknown> {
  const names = (await readdir(dataDir)).sort()
  const found = await Promise.all(names.map((name) => stat(join(dataDir, name))))
  return found.map(({ ino, mtimeMs }, at) => [names[at], ino, mtimeMs])
}

describe('an embedded engine that falls', () => {
  it('is started again by its owner, at the same address', async (t) => {
    const dataDir = await usedFolder(t)
    const engine = await testEngineAt(t, dataDir)
    const address = await engine.database('kept')
    await ask(address, 'create table t as select 7 as n')
    const fallen = engine.pid
    process.kill(fallen, 'SIGKILL')
    await until(async () => engine.pid !== fallen)
    assert.deepEqual(await ask(await engine.database('kept'), 'select n from t'), [[7]])
    assert.deepEqual(await ask(address, 'select n from t'), [[7]])
  })

  it('is not started again by a visitor, nor once its owner has stopped', async (t) => {
    const dataDir = await usedFolder(t)
    const visitor = await startEngine({ dataDir, owner: false, logger })
    process.kill(visitor.pid, 'SIGKILL')
    await visitor.stop()
    await assert.rejects(visitor.database('kept'))
    const owner = await startEngine({ dataDir, owner: true, logger })
    process.kill(owner.pid, 'SIGKILL')
    await owner.stop()
    assert.equal(await runs(owner.pid, dataDir), false)
  })
})
