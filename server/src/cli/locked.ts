import { withPlatform } from './command.ts'
import { businessOption, connectorOption, ownerOf } from './owner.ts'

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
  reprovision = false,
): Promise<string> {
  return withPlatform(async (platform) => {
    const { id } = await ownerOf(platform, business, connector)
    const { identities } = platform.provisioning
    await identities.get(id, connector, identity)
    await identities.whitelist(id, connector, identity, {
      locked,
      ...(reprovision && { reprovision }),
    })
    return identity
  })
}
