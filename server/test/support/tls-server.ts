import { openCa, type TestCa } from './ca.ts'
import type { Openssl } from './openssl.ts'

const extensions =
  'basicConstraints=critical,CA:FALSE\nextendedKeyUsage=serverAuth\nsubjectAltName=IP:127.0.0.1\n'

export type ServerTls = {
  readonly options: { readonly key: string; readonly cert: string }
  /** Who signed the server's certificate. */
  readonly ca: TestCa
}

/** What a TLS server at 127.0.0.1 needs, signed by a private authority of its own. */
export async function serverOptions(openssl: Openssl): Promise<ServerTls> {
  const ca = await openCa(openssl, 'Private CA')
  const { csr, key } = await openssl.request({ subject: '/CN=127.0.0.1' })
  return { options: { key, cert: await ca.sign(csr, { extensions }) }, ca }
}
