import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { overTls, refuses } from '../../../fixtures/provisioning.ts'
import { suiteContext } from '../../../fixtures/suite.ts'
import { csvFixture, quoted } from '../../../fixtures/wire/csv.ts'
import { keyKinds, openOpenssl } from '../../../fixtures/wire/openssl.ts'

describe('the column TLS Client Certificate', async () => {
  const fixture = await csvFixture()
  const openssl = await openOpenssl(suiteContext())

  async function certificate(subject: string, kind: readonly string[] = keyKinds.ec) {
    const key = openssl.path('key.pem')
    await openssl.command('genpkey', ...kind, '-out', key)
    const pem = await openssl.command(
      'req',
      '-x509',
      '-new',
      '-key',
      key,
      '-subj',
      subject,
      '-days',
      '9',
    )
    return { pem, key: await openssl.read('key.pem') }
  }
  const formatCsv = (...rows: [string, string][]) =>
    `ID,TLS Client Certificate\n${rows.map((row) => quoted(...row)).join('')}`

  it('certificate for that identity; sent again it changes nothing', async () => {
    const connector = await fixture.connector()
    const ec = await certificate('/CN=pump-1')
    const rsa = await certificate('/O=Acme/CN=pump-2', keyKinds.rsa)
    const csv = formatCsv(['pump-1', ec.pem], ['pump-2', `\r\n${rsa.pem}\r\n`], ['pump-3', ''])
    const first = await fixture.take(connector, csv)
    assert.deepEqual(
      first.rows.map((row) => row[2]),
      ['added', 'added', 'added'],
    )
    assert.equal((await fixture.take(connector, csv)).counts.unchanged, 3)
    const other = await certificate('/CN=pump-1')
    assert.equal(
      (await fixture.take(connector, formatCsv(['pump-1', other.pem]))).counts.changed,
      1,
    )
    assert.equal((await fixture.take(connector, formatCsv(['pump-1', '']))).counts.unchanged, 1)
  })

  it('an identity that was given a certificate is provisioned by nothing else', async () => {
    const connector = await fixture.connector()
    const { pem } = await certificate('/CN=pump-1')
    await fixture.take(connector, formatCsv(['pump-1', pem]))
    await refuses('wrong_method', () => fixture.provisioning.activate(connector, 'pump-1', overTls))
  })

  it('what is not one certificate with the identity as CN is refused', async () => {
    const connector = await fixture.connector()
    const mine = await certificate('/CN=bad')
    const two = await certificate('/CN=bad/CN=other')
    const der = Buffer.from(mine.pem.replace(/-----.*-----|\s/g, ''), 'base64').toString('latin1')
    const cells: [string, RegExp][] = [
      [(await certificate('/CN=other')).pem, /common name/],
      [(await certificate('/O=bad')).pem, /common name/],
      [two.pem, /common name/],
      [`${mine.pem}${mine.pem}`, /exactly one PEM block; it holds 2/],
      [mine.key, /private key/],
      [`${mine.pem}${mine.key}`, /private key/],
      [der, /PEM/],
      ['pump', /PEM/],
      [mine.pem.replace('MII', 'MIJ'), /can be read/],
      [mine.pem.slice(0, 100), /PEM/],
      [`-----BEGIN CERTIFICATE-----\n${'A'.repeat(1_000_000)}\n-----END CERTIFICATE-----`, /16384/],
    ]
    const rows = cells.map(([cell]) => ['bad', cell] as [string, string])
    const taken = await fixture.take(connector, formatCsv(...rows, ['good', '']))
    for (const [at, [, message]] of cells.entries()) {
      const [, , status, code, said] = taken.rows[at] ?? []
      assert.deepEqual([status, code], ['failed', 'invalid_argument'], said)
      assert.match(said ?? '', /^TLS Client Certificate /)
      assert.match(said ?? '', message)
    }
    assert.equal(taken.rows.at(-1)?.[2], 'added')
    await refuses('unknown_identity', () => fixture.get(connector, 'bad'))
    const around = `\ufeffBag Attributes\n${mine.pem}\nend`
    assert.equal((await fixture.take(connector, formatCsv(['bad', around]))).rows[0]?.[2], 'added')
  })
})
