import { keyKinds, type Openssl } from './openssl.ts'

/** A certificate authority that openssl keeps. */
export type TestCa = {
  readonly pem: string
  readonly keyFile: string
  readonly certificateFile: string
  /** Signs a request as it is, and checks nothing. PEM. */
  sign(csr: string, options?: SignOptions): Promise<string>
}

export type SignOptions = {
  readonly days?: number
  /** Lines of an openssl extension section. */
  readonly extensions?: string
  readonly subject?: string
}

const clientExtensions = 'basicConstraints=critical,CA:FALSE\nextendedKeyUsage=clientAuth\n'
let count = 0

export async function openCa(openssl: Openssl, name = 'Example CA'): Promise<TestCa> {
  count += 1
  const id = `ca-${count}`
  const [keyFile, certificateFile] = [openssl.path(`${id}.key`), openssl.path(`${id}.pem`)]
  await openssl.say('genpkey', ...keyKinds.ec, '-out', keyFile)
  const facts = ['-addext', 'keyUsage=critical,keyCertSign,cRLSign', '-days', '3650']
  const self = ['-x509', '-key', keyFile, '-subj', `/CN=${name}`, '-out', certificateFile]
  await openssl.say('req', ...self, ...facts)
  return {
    pem: await openssl.read(`${id}.pem`),
    ...{ keyFile, certificateFile },
    async sign(csr, { days = 30, extensions = clientExtensions, subject } = {}) {
      count += 1
      const request = await openssl.write(`signing-${count}.csr`, csr)
      const extFile = await openssl.write(`signing-${count}.cnf`, extensions)
      const by = ['-CA', certificateFile, '-CAkey', keyFile, '-CAcreateserial']
      const named = subject === undefined ? [] : ['-subj', subject]
      const what = ['-req', '-in', request, '-days', String(days), '-extfile', extFile]
      return openssl.say('x509', ...what, ...by, ...named)
    },
  }
}
