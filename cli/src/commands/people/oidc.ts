import { type components, unwrap } from '@millrace/client'
import { defineCommand } from '../../command.ts'
import { columns } from '../../output/output.ts'

export const oidcShow = defineCommand({
  options: {},
  example: `${setExample()} && npx millrace oidc show`,
  routes: ['getOidc'],
  async run(_values, { client, out }) {
    const api = await client()
    const settings = await unwrap(api.GET('/api:1/business/oidc'))
    out.show(settings, () => rowsOf(settings))
    return undefined
  },
})

export const oidcSet = defineCommand({
  options: {
    issuer: { meaning: 'The URL of the provider, as its tokens name it.', required: true },
    'client-id': { meaning: 'The id of this instance at the provider.', required: true },
    'secret-file': {
      meaning: 'A file with the secret of the client; - is the standard input. Default: as it is.',
    },
    label: { meaning: 'The name on the button "Sign in with …".', required: true },
    domain: {
      meaning: 'A domain of e-mail addresses that may sign in; may be given several times.',
      many: true,
    },
    'create-role': { meaning: 'The role of users who are made at their first sign-in.' },
  },
  example: setExample(),
  routes: ['setOidc'],
  async run({ issuer, label, domain, ...given }, { client, input, out }) {
    const { 'client-id': id, 'secret-file': file, 'create-role': role } = given
    const api = await client()
    const body = {
      issuer,
      label,
      client_id: id,
      domains: [...domain],
      creates_role: role ?? null,
      ...(file !== undefined && { secret: await input.readSecret('secret-file', file) }),
    }
    const settings = await unwrap(api.PUT('/api:1/business/oidc', { body }))
    out.show(settings, () => rowsOf(settings))
    return undefined
  },
})

export const oidcRemove = defineCommand({
  options: {},
  example: `${setExample()} && npx millrace oidc remove --yes`,
  routes: ['deleteOidc'],
  async run(_values, { client, out, confirm }) {
    const api = await client()
    await confirm('Remove the sign-in provider?')
    await unwrap(api.DELETE('/api:1/business/oidc'))
    out.print('users of the business sign in by a password')
    return undefined
  },
})

function setExample(): string {
  return (
    'echo secret | npx millrace oidc set --issuer https://login.acme.example ' +
    '--client-id millrace --label Acme --domain acme.example --secret-file -'
  )
}

function rowsOf(settings: components['schemas']['OidcSettings']): string[] {
  return columns([
    ['label', settings.label],
    ['issuer', settings.issuer],
    ['client', settings.client_id],
    ['domains', settings.domains.join(', ')],
    ['makes users', settings.creates_role ?? 'no'],
    ['redirect URI', settings.redirect_uri],
  ])
}
