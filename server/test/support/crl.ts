import { appendFile } from 'node:fs/promises'
import type { TestCa } from './ca.ts'
import type { Openssl } from './openssl.ts'

/** The revocation lists of an authority, as `openssl ca` keeps them. */
export type TestCrls = {
  /** From the next list on. @param pem the certificate. */
  revoke(pem: string): Promise<void>
  /** A list of all that was revoked, PEM. @param more arguments of `openssl ca -gencrl`. */
  make(options?: { readonly number?: number; readonly more?: readonly string[] }): Promise<string>
}

export type CrlOptions = {
  /** Lines of the section of the list's extensions; without one there is no number either. */
  readonly extensions?: string
}

let count = 0

export async function openCrls(
  openssl: Openssl,
  ca: TestCa,
  { extensions = 'authorityKeyIdentifier=keyid:always' }: CrlOptions = {},
): Promise<TestCrls> {
  count += 1
  const id = `crls-${count}`
  const database = await openssl.write(`${id}.index`, '')
  await openssl.write(`${id}.index.attr`, 'unique_subject = no\n')
  const lines = [
    ...['[ca]', 'default_ca = own', '[own]', `database = ${database}`, 'unique_subject = no'],
    ...[`certificate = ${ca.certificateFile}`, `private_key = ${ca.keyFile}`],
    ...['default_md = sha256', 'default_crl_days = 30', ''],
  ]
  const config = await openssl.write(`${id}.cnf`, lines.join('\n'))
  const numbered = extensions !== ''
  const numberFile = openssl.path(`${id}.number`)
  if (numbered) {
    const rest = [`crlnumber = ${numberFile}`, 'crl_extensions = more', '[more]', extensions, '']
    await appendFile(config, rest.join('\n'))
  }
  let last = 0
  return {
    async revoke(pem) {
      count += 1
      const file = await openssl.write(`revoked-${count}.pem`, pem)
      await openssl.say('ca', '-config', config, '-revoke', file)
    },
    async make({ number = last + 1, more = [] } = {}) {
      last = number
      if (numbered) await openssl.write(`${id}.number`, `${hexOf(number)}\n`)
      return openssl.say('ca', '-config', config, '-gencrl', ...more)
    },
  }
}

/** As openssl wants it: in whole bytes. */
function hexOf(number: number): string {
  const hex = number.toString(16).toUpperCase()
  return hex.padStart(hex.length + (hex.length % 2), '0')
}
