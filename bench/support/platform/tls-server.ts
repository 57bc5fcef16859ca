import { generateKeyPairSync } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { signingRequest } from '../../../cli/src/simulation/signing-request.ts'
import { serve } from '../../../server/src/main.ts'
import type { Served } from '../../../server/src/platform/platform.ts'
import { answerParent } from '../frame/child.ts'
import type { Address } from '../frame/engines.ts'
import type { KeyPair } from '../load/secure-generator.ts'
import { type Fleet, type Instance, makeFleet, openInstance } from './instance.ts'

/** The platform with devices that have tokens, and as many that have certificates. */

export type OpenTlsServer = { readonly address: Address; readonly devices: number }
export type OpenedTlsServer = {
  readonly plainPort: number
  readonly tlsPort: number
  readonly host: string
  /** The CA that clients of the TLS server trust. */
  readonly ca: string
  readonly tokens: readonly string[]
  readonly certificates: readonly KeyPair[]
}

let instance: Instance | undefined
let served: Served | undefined

async function open({ address, devices }: OpenTlsServer): Promise<OpenedTlsServer> {
  instance = await openInstance(address)
  const { platform } = instance
  const fleet = await makeFleet(platform, devices)
  const { businessId, connectorId } = fleet
  const pki = { enabled: true, vendor: 'internal' }
  await platform.provisioning.connectors.patch(businessId, connectorId, { pki })
  const certificates: KeyPair[] = []
  for (let at = 0; at < devices; at += 1) certificates.push(await certify(instance, fleet, at))
  served = await serve(platform)
  return {
    plainPort: Number(new URL(served.httpUrl).port),
    tlsPort: Number(new URL(served.tlsUrl).port),
    host: `${connectorId}.${platform.config.domain}`,
    ca: await readFile(served.caFile, 'utf8'),
    tokens: fleet.tokens,
    certificates,
  }
}

async function certify({ platform }: Instance, fleet: Fleet, at: number): Promise<KeyPair> {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const identity = `certified-${at}`
  const { certificate } = await platform.provisioning.identities.whitelistSigned(
    fleet.businessId,
    fleet.connectorId,
    identity,
    { auth: { type: 'csr', key: signingRequest(identity, pair) } },
  )
  const key = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  return { key, cert: certificate }
}

answerParent({ open, settle: () => instance?.platform.pipelines.caughtUp() }, async () => {
  await served?.close()
  await instance?.removeFolder()
})
