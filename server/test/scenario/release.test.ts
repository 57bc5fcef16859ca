import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { isLongForm } from '../fixtures/bounds.ts'
import { atEnd } from '../fixtures/ends.ts'
import { startProgram } from '../fixtures/processes/cli-process.ts'
import { root } from '../fixtures/processes/page.ts'
import { suiteContext } from '../fixtures/suite.ts'

const skip = isLongForm ? false : 'npm run test:all makes a release'
const mebibyte = 1_048_576

/** Only what every machine has: no Node, no npm. */
const bare = { PATH: '/usr/bin:/bin', HOME: '/nowhere' }

describe('a release', { skip }, () => {
  const suite = suiteContext()
  const folder = skip === false ? mkdtempSync(join(tmpdir(), 'millrace-release-')) : ''
  const file = (pattern: RegExp) =>
    join(folder, readdirSync(folder).find((name) => pattern.test(name)) ?? 'none')
  let home = ''
  before(() => {
    atEnd(suite, () => rm(folder, { recursive: true, force: true, maxRetries: 20 }))
    execFileSync(process.execPath, [join(root, 'dev', 'release.ts'), folder], { cwd: root })
    execFileSync('tar', ['-xzf', file(/linux-(x64|arm64)\.tar\.gz$/), '-C', folder])
    home = file(/linux-(x64|arm64)$/)
  })

  it('takes at most 230 MB with Node and PostgreSQL, 110 MB without Node', () => {
    const measureSize = (path: string) =>
      Number(execFileSync('du', ['-sb', path], { encoding: 'utf8' }).split('\t')[0]) / mebibyte
    assert.ok(measureSize(home) <= 230, `${measureSize(home)}`)
    assert.ok(measureSize(home) - measureSize(join(home, 'node')) <= 110)
  })

  it('has no tests, pages and builds for browsers of the packages that it is made of', () => {
    const browsers = ['csv-parse/dist/umd', 'swagger-ui-dist/swagger-ui-es-bundle.js']
    for (const left of ['fastify/test', 'fastify/docs', 'bintrees/test', ...browsers]) {
      assert.equal(existsSync(join(home, 'node_modules', left)), false, left)
    }
  })

  it('runs without Node on the machine, answers, and leaves nothing behind', async (t) => {
    const data = join(folder, 'data')
    const free = { MILLRACE_HTTP: '127.0.0.1:0', MILLRACE_DEVICE_TLS: '127.0.0.1:0' }
    const env = { ...bare, ...free, MILLRACE_MQTT_TLS: 'off', MILLRACE_DATA: data }
    const service = startProgram(t, [join(home, 'bin', 'millrace'), 'serve'], { cwd: folder, env })
    const [, url = ''] = await service.prints(/answers at (http:\S+);/)
    const page = await fetch(url)
    assert.equal(page.status, 200)
    assert.match(await page.text(), /<title>/)
    const reference = await fetch(`${url}/api:1/docs`)
    assert.equal(reference.status, 200)
    assert.equal(await service.end('SIGTERM'), 0)
    assert.equal(existsSync(join(data, 'postgres', 'postmaster.pid')), false)
  })

  it('names its packages with their licences, and its files with their checksums', () => {
    const bill = JSON.parse(execFileSync('cat', [file(/\.sbom\.json$/)], { encoding: 'utf8' }))
    assert.equal(bill.bomFormat, 'CycloneDX')
    const names = bill.components.map(({ name }: { name: string }) => name)
    for (const name of ['fastify', 'pg', 'react']) assert.ok(names.includes(name), name)
    assert.ok(!names.includes('knip'))
    const checked = spawnSync('sha256sum', ['-c', 'SHA256SUMS'], { cwd: folder, encoding: 'utf8' })
    assert.equal(checked.status, 0, checked.stdout)
  })

  it('comes as a Debian package with a unit that systemd accepts', (t) => {
    if (spawnSync('dpkg-deb', ['--version']).status !== 0) return t.skip('there is no dpkg-deb')
    const into = join(folder, 'deb')
    execFileSync('dpkg-deb', ['-x', file(/\.deb$/), into])
    assert.ok(existsSync(join(into, 'usr', 'lib', 'millrace', 'bin', 'millrace')))
    const settings = readFileSync(join(into, 'etc', 'millrace', 'millrace.env'), 'utf8')
    assert.match(settings, /^#MILLRACE_DATA=/m)
    assert.doesNotMatch(settings, /^[^#\n]/m, 'a setting that the unit has would be overridden')
    const unit = join(into, 'usr', 'lib', 'systemd', 'system', 'millrace.service')
    const verified = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' })
    if (verified.error !== undefined) return t.skip('there is no systemd-analyze')
    const about = `${verified.stdout}${verified.stderr}`.split('\n')
    // The program is not installed here.
    const faults = about.filter(
      (line) => /millrace\.service/.test(line) && !/not executable/.test(line),
    )
    assert.deepEqual(faults, [])
    return undefined
  })
})
