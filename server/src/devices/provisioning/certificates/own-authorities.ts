import {
  component,
  Fault,
  Microseconds,
  type StaticResult,
  Type,
} from '../../../foundation/kernel/index.ts'
import type { Changes } from '../../../log/changes/index.ts'
import type { Connector } from '../connectors/connector.ts'
import type { Connectors } from '../connectors/connectors.ts'
import { insertAuthority } from '../store/authorities.ts'
import { type Authorities, type Authority, alreadyThere, shown } from './authority.ts'

export const authoritySchema = component(
  'Authority',
  {
    certificatePem: Type.String({ description: 'PEM.', wire: 'certificate' }),
    notBefore: Microseconds(),
    notAfter: Microseconds(),
  },
  { description: 'The built-in certificate authority of a connector, without its key.' },
)
type ShownAuthority = StaticResult<typeof authoritySchema>

/** The built-in authorities of a business's connectors. All @throw Fault `not_found`. */
export type OwnAuthorities = {
  /**
   * @param options `use`: the connector signs requests with it from now on.
   * @throws Fault `already_exists`, `ca_conflict`; nothing is created or changed then.
   */
  create(
    businessId: string,
    connectorId: string,
    options: { readonly use: boolean },
  ): Promise<ShownAuthority>
  /** @throws Fault `not_found` also where the connector has none. */
  get(businessId: string, connectorId: string): Promise<ShownAuthority>
}

export function ownAuthorities(
  authorities: Authorities,
  connectors: Connectors,
  changes: Changes,
): OwnAuthorities {
  async function createUsed({ id, businessId, pki }: Connector): Promise<Authority> {
    refuseOtherCa(pki)
    const row = await authorities.prepare(id)
    await connectors.patch(businessId, id, useOwn, {
      async first(transaction, connector) {
        refuseOtherCa(connector.pki)
        if (!(await insertAuthority(transaction, id, row))) throw alreadyThere()
      },
    })
    return shown(row)
  }

  return {
    create: changes.publishing('connectors', async (businessId, connectorId, { use }) => {
      const connector = await connectors.get(businessId, connectorId)
      return inMicroseconds(await (use ? createUsed(connector) : authorities.create(connector.id)))
    }),
    async get(businessId, connectorId) {
      const { id } = await connectors.get(businessId, connectorId)
      const authority = await authorities.find(id)
      if (authority !== undefined) return inMicroseconds(authority)
      throw new Fault('not_found', 'The connector has no certificate authority of its own.')
    },
  }
}

const usPerMs = 1_000

function inMicroseconds({ certificatePem, notBefore, notAfter }: Authority): ShownAuthority {
  return { certificatePem, notBefore: notBefore * usPerMs, notAfter: notAfter * usPerMs }
}

const useOwn = { pki: { enabled: true, vendor: 'internal' } }

/**
 * Certificates of the built-in authority are not those of another one, which the device API would
 * ask.
 */
function refuseOtherCa({ caPem }: Connector['pki']): void {
  if (caPem === null) return
  const way = 'remove it from the settings, or create the authority without using it'
  throw new Fault('ca_conflict', `The connector has a different client CA: ${way}.`)
}
