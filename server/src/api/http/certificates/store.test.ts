import assert from 'node:assert/strict'
import { rm, writeFile } from 'node:fs/promises'
import { before, describe, it } from 'node:test'
import {
  openServerCa,
  type ServerCa,
  writePair,
} from '../../../../test/fixtures/peers/server-certificates.ts'
import { suiteContext } from '../../../../test/fixtures/suite.ts'
import { type Openssl, openOpenssl } from '../../../../test/fixtures/wire/openssl.ts'
import { systemClock } from '../../../foundation/kernel/index.ts'
import { CertificateStore } from './store.ts'

describe('certificates in files', () => {
  const suite = suiteContext()
  let openssl: Openssl
  let authority: ServerCa
  before(async () => {
    openssl = await openOpenssl(suite)
    authority = await openServerCa(openssl)
  })
  const issue = (days: number) => authority.issue({ names: ['localhost'], days })

  it('stay as they were when a file breaks, and the log says so once', async () => {
    const files = await writePair(openssl, 'broken', await issue(62))
    const lines: string[] = []
    const log = (said: object, text = '') => lines.push(`${text} ${JSON.stringify(said)}`)
    const logger = { debug: log, info: log, warn: log, error: log }
    const clock = systemClock()
    const store = new CertificateStore({ pairs: [files], folders: [], clock, logger })
    store.open()
    const other = await issue(72)
    const errors = () => lines.filter((line) => line.includes('the one before stays in use'))
    for (const text of ['half a certif', other.cert]) {
      await writeFile(files.cert, text)
      assert.equal(store.look(), false)
      assert.equal(store.look(), false)
    }
    assert.equal(errors().length, 2, lines.join('\n'))
    assert.match(errors()[1] ?? '', /is not of the key in/)
    await rm(files.cert)
    assert.equal(store.look(), false)
    assert.equal(store.find('localhost').length, 1)
    await writePair(openssl, 'broken', other)
    assert.equal(store.look(), true)
  })

  it('are warned of before they end, and are errors after it', async () => {
    const files = await writePair(openssl, 'ends', await issue(20))
    let nowMs = Date.now()
    const clock = systemClock(() => nowMs)
    const lines: string[] = []
    const note =
      (level: string) =>
      (_: object, text = '') =>
        lines.push(`${level}: ${text}`)
    const logger = {
      debug: note('debug'),
      info: note('info'),
      warn: note('warn'),
      error: note('error'),
    }
    const store = new CertificateStore({ pairs: [files], folders: [], clock, logger })
    store.open()
    store.look()
    assert.deepEqual(lines.slice(1), ['warn: a server certificate expires soon'])
    nowMs += 21 * 86_400_000
    store.look()
    assert.equal(lines.at(-1), 'error: a server certificate has expired')
  })
})
