import { withPlatform } from './command.ts'
import { businessOf, businessOption, connectorOption } from './owner.ts'

export const lockOptions = {
  connector: connectorOption,
  identity: { meaning: 'The identity.', required: true },
  business: businessOption,
}

/** Locks or unlocks an identity that is there. @throws Fault `unknown_identity` for another. */
export async function setLocked(
  {
    connector = '',
    business,
    identity = '',
  }: Readonly<Partial<Record<keyof typeof lockOptions, string | undefined>>>,
  locked: boolean,
): Promise<string> {
  return withPlatform(async (platform) => {
    const { id } = await businessOf(platform, business)
    const { identities } = platform.provisioning
    await identities.get(id, connector, identity)
    await identities.whitelist(id, connector, identity, { locked })
    return identity
  })
}
