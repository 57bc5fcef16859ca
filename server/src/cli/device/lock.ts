import { type Command, print, withPlatform } from '../command.ts'
import { businessOption, connectorOption, ownerOf } from '../owner.ts'

export const lockOptions = {
  connector: connectorOption,
  identity: { meaning: 'The identity.', required: true },
  business: businessOption,
}

export const deviceLock: Command = {
  name: 'device lock',
  summary: 'Lock a device and close its connections.',
  options: lockOptions,
  example: 'npx millrace device lock --connector demo --identity my-device',
  async run(values) {
    print(`${await setLocked(values, true)} is locked; its connections end within a second`)
    return 0
  },
}

export const deviceUnlock: Command = {
  name: 'device unlock',
  summary: 'Unlock a device; it keeps its credential, or activates again with --reprovision.',
  options: {
    ...lockOptions,
    reprovision: {
      meaning: 'Order it to activate again: for firmware that drops its credential at a 403.',
      flag: true,
    },
  },
  example: 'npx millrace device unlock --connector demo --identity my-device',
  async run(values) {
    const reprovision = values.reprovision === 'yes'
    const identity = await setLocked(values, false, reprovision)
    print(`${identity} is unlocked${reprovision ? ' and must activate again' : ''}`)
    if (!reprovision) print('If its firmware has dropped its credential, add --reprovision')
    return 0
  },
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
