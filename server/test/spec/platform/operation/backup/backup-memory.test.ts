import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import { testPlatform } from '../../../../fixtures/platform.ts'

const root = join(import.meta.dirname, '..', '..', '..', '..', '..', '..')
const run = promisify(execFile)
const rows = 400_000
/** Backs up to nowhere in a process of its own, and prints how many rows there were. */
const program = `
import { Writable } from 'node:stream'
import { backUpDatabase } from './server/src/foundation/database/index.ts'
import { createLogger } from './server/src/foundation/kernel/index.ts'
const [url, dataDir] = process.argv.slice(1)
const nowhere = new Writable({ write: (bytes, encoding, done) => done() })
const options = { url, dataDir, owner: false, logger: createLogger('silent') }
const result = await backUpDatabase(options, nowhere, { keys: [] })
console.log('rows ' + result.rows)
`

describe('the memory of a backup', () => {
  it('does not grow with the rows: no object is made for a row', async (t) => {
    const { platform, databaseUrl } = await testPlatform(t, { own: 'backs up the database' })
    const collections = async () => {
      const flags = ['--max-semi-space-size=1', '--trace-gc', '--input-type=module', '-e', program]
      const address = [await databaseUrl(), platform.config.dataDir]
      const { stdout } = await run(process.execPath, [...flags, ...address], {
        cwd: root,
        maxBuffer: 64 * 1_048_576,
      })
      const backedUp = Number(/^rows (\d+)$/m.exec(stdout)?.[1])
      return { backedUp, scavenges: stdout.match(/: Scavenge /g)?.length ?? 0 }
    }
    const before = await collections()
    await platform.database.run(`create table many as select generate_series(1, ${rows}) as n`)
    const after = await collections()
    assert.ok(after.backedUp >= before.backedUp + rows, 'the rows are in the backup')
    t.diagnostic(`${before.scavenges} collections, then ${after.scavenges}`)
    // An object of 100 bytes for each row would fill the young generation of 1 MiB some 40 times.
    assert.ok(after.scavenges < before.scavenges + 20, `${after.scavenges} collections`)
  })
})
