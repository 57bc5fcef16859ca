import { X509Certificate } from 'node:crypto'
import {
  checkedPage,
  component,
  Microseconds,
  mayLoadMore,
  type PageRange,
  type StaticResult,
  StrictObject,
  Type,
} from '../../../foundation/kernel/index.ts'
import type { Connectors } from '../connectors/connectors.ts'
import type { ProvisioningOptions } from '../options.ts'
import { readBusinessAuthorities } from '../store/authorities.ts'
import { listCertificateEnds } from '../store/certificates.ts'
import { readCrlsDue } from '../store/crl.ts'
import { trustedCa } from './pki.ts'

/** Something of a connector that ends by itself. */
export const connectorExpirySchema = component('ConnectorExpiry', {
  connector: Type.String({ description: 'Its id.' }),
  name: Type.String({ description: 'Its name.' }),
  kind: Type.Enum(['client_ca', 'authority', 'revocation_list'], {
    description:
      'The client CA that is trusted, the built-in authority, or the revocation list, of which a ' +
      'newer one is due.',
  }),
  until: Microseconds('When it ends, in microseconds.'),
})
export type ConnectorExpiry = StaticResult<typeof connectorExpirySchema>

const usPerMs = 1_000

/**
 * The expiries of a business's connectors, the next one first: client CAs that are trusted,
 * built-in authorities, and revocation lists, of which a newer one is due then.
 */
export function createExpiries(
  { database }: Pick<ProvisioningOptions, 'database'>,
  connectors: Pick<Connectors, 'list'>,
): (businessId: string) => Promise<readonly ConnectorExpiry[]> {
  return async (businessId) => {
    const [all, authorities, lists] = await Promise.all([
      connectors.list(businessId),
      readBusinessAuthorities(database, businessId),
      readCrlsDue(database, businessId),
    ])
    const names = new Map(all.map(({ id, name }) => [id, name]))
    const one = (connector: string, kind: ConnectorExpiry['kind'], until: number) => {
      return { connector, name: names.get(connector) ?? connector, kind, until }
    }
    const found = [
      ...all.flatMap((connector) => {
        const ca = trustedCa(connector)
        return ca === null ? [] : [one(connector.id, 'client_ca', readEnd(ca))]
      }),
      ...authorities.map(({ id, certificate }) => one(id, 'authority', readEnd(certificate))),
      ...lists.map(({ id, due }) => one(id, 'revocation_list', due)),
    ]
    return found.sort((a, b) => a.until - b.until)
  }
}

/** A page of the certificates in force of a connector's devices, the next to end first. */
export const deviceCertificatesSchema = StrictObject({
  mayLoadMore,
  certificates: Type.Array(
    component('DeviceCertificate', {
      identity: Type.String(),
      until: Microseconds('The end of its validity, in microseconds.'),
      locked: Type.Boolean({ description: 'True if the device is locked.' }),
    }),
  ),
})

export type DeviceExpiries = (
  businessId: string,
  connectorId: string,
  page?: PageRange,
) => Promise<StaticResult<typeof deviceCertificatesSchema>>

export function createDeviceExpiries(
  { database }: Pick<ProvisioningOptions, 'database'>,
  connectors: Pick<Connectors, 'get'>,
): DeviceExpiries {
  return async (businessId, connectorId, page) => {
    const { limit, offset } = checkedPage(page)
    const { id } = await connectors.get(businessId, connectorId)
    const found = await listCertificateEnds(database, id, { offset, rowsMax: limit + 1 })
    return { mayLoadMore: found.length > limit, certificates: found.slice(0, limit) }
  }
}

function readEnd(pem: string): number {
  return new X509Certificate(pem).validToDate.getTime() * usPerMs
}
