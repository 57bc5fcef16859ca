import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import { atEnd } from '../support/ends.ts'
import { exampleConnector, testPlatform } from '../support/platform.ts'

const page = join(import.meta.dirname, '../../../docs/using/content.md')
const inPage = 'http://127.0.0.1:8080'

describe('the manual of content for devices', () => {
  it('has commands that work as they stand, one after the other', async (t) => {
    const millrace = await testPlatform(t, { connector: { ...exampleConnector, id: 'demo' } })
    const text = await readFile(page, 'utf8')
    const blocks = [...text.matchAll(/```sh\n([\s\S]+?)```/g)].map((match) => match[1] ?? '')
    assert.equal(blocks.length, 4)
    const folder = await mkdtemp(join(tmpdir(), 'millrace-manual-'))
    atEnd(t, () => rm(folder, { recursive: true, force: true }))
    // Commands that are ours are tested as such; here each stands for its token.
    const npx = `npx() { echo '${millrace.token}'; }\n`
    const script = npx + blocks.join('').replaceAll(inPage, millrace.httpUrl)
    const { stdout } = await promisify(execFile)('bash', ['-euc', script], { cwd: folder })
    assert.match(stdout, /firmware-1\.4\.0\.bin\r\n/)
    assert.match(stdout, /application\/x-firmware,3000000,\d{10},1\.4\.0/)
  })
})
