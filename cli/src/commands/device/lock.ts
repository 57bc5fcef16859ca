import { type components, type MillraceClient, unwrap } from '@millrace/client'
import { defineCommand } from '../../command.ts'
import { connectorOption } from '../options.ts'
import { identityOption } from './options.ts'

type Where = { readonly connector: string; readonly identity: string }

export const deviceLock = defineCommand({
  options: { connector: connectorOption, identity: identityOption },
  example: 'npx millrace device lock --connector demo --identity my-device',
  routes: ['updateIdentity'],
  async run({ connector, identity }, { client, out }) {
    const locked = await change(await client(), { connector, identity }, { locked: true })
    out.show(locked, () => [`${identity} is locked; its connections end within a second`])
    return undefined
  },
})

export const deviceUnlock = defineCommand({
  options: {
    connector: connectorOption,
    identity: identityOption,
    reprovision: {
      meaning: 'Order it to activate again: for firmware that drops its credential at a 403.',
      flag: true,
    },
  },
  example: 'npx millrace device unlock --connector demo --identity my-device',
  routes: ['updateIdentity'],
  async run({ connector, identity, reprovision }, { client, out }) {
    const body = { locked: false, ...(reprovision && { reprovision }) }
    const unlocked = await change(await client(), { connector, identity }, body)
    out.show(unlocked, () => [
      `${identity} is unlocked${reprovision ? ' and must activate again' : ''}`,
      ...(reprovision ? [] : ['If its firmware has dropped its credential, add --reprovision']),
    ])
    return undefined
  },
})

/** Changes an identity that is there. @throws ApiError `unknown_identity` for another. */
function change(
  api: MillraceClient,
  where: Where,
  body: components['schemas']['IdentityChange'],
): Promise<components['schemas']['Identity']> {
  const path = '/api:1/service/{connector}/device2/identity/{identity}'
  return unwrap(api.PATCH(path, { params: { path: where }, body }))
}
