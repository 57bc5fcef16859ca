import { Fault } from '../../kernel/index.ts'
import type { Connectors } from '../connectors/connectors.ts'
import type { Authorities, Authority } from './authority.ts'

/** The built-in authorities of a business's connectors. All @throw Fault `not_found`. */
export type OwnAuthorities = {
  /** @throws Fault `already_exists`. */
  create(businessId: string, connectorId: string): Promise<Authority>
  /** @throws Fault `not_found` also where the connector has none. */
  get(businessId: string, connectorId: string): Promise<Authority>
}

export function ownAuthorities(authorities: Authorities, connectors: Connectors): OwnAuthorities {
  return {
    async create(businessId, connectorId) {
      const { id } = await connectors.get(businessId, connectorId)
      return authorities.create(id)
    },
    async get(businessId, connectorId) {
      const { id } = await connectors.get(businessId, connectorId)
      const authority = await authorities.find(id)
      if (authority !== undefined) return authority
      throw new Fault('not_found', 'The connector has no certificate authority of its own.')
    },
  }
}
