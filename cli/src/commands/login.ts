import { createClient, unwrap } from '@millrace/client'
import { defineCommand, UsageError } from '../command.ts'
import { findConnection, openClient, trust } from '../connection/connect.ts'
import { defaultProfile, Profiles } from '../connection/profiles.ts'
import { askSecret, readSecret } from '../input.ts'

const profileOption = {
  meaning: 'The name under which the login is kept.',
  default: defaultProfile,
} as const

export const login = defineCommand({
  options: {
    url: { meaning: 'The address of the instance, such as https://…', required: true },
    profile: profileOption,
    email: { meaning: 'The e-mail address of the account; its password is asked for.' },
    'password-file': { meaning: 'A file with the password; - is the standard input.' },
    'token-file': { meaning: 'A file with an API token, in place of an account; - as above.' },
    ca: { meaning: 'A file with the certificates (PEM) that the instance is trusted by.' },
  },
  example: 'npx millrace login --url http://127.0.0.1:8080 --email demo@example.com',
  routes: ['signIn', 'getCaller'],
  async run({ url, profile, email, ca, ...files }, { out }) {
    if (ca !== undefined) trust(ca)
    const kept = { url, ...(ca !== undefined && { ca }) }
    const token = await credentialOf(url, email, files)
    const client = createClient({ url, credential: token })
    const caller = await unwrap(client.GET('/api:1/whoami'))
    new Profiles(process.env).keep(profile, Object.assign(kept, token))
    const who = caller.email ?? caller.subject
    out.show(caller, () => [`logged in to ${caller.business.name} as ${who}`])
    return undefined
  },
})

type Files = {
  readonly 'password-file': string | undefined
  readonly 'token-file': string | undefined
}

async function credentialOf(url: string, email: string | undefined, files: Files) {
  const { 'token-file': tokenFile, 'password-file': passwordFile } = files
  if (tokenFile !== undefined) return { apiToken: await readSecret('token-file', tokenFile) }
  if (email === undefined) throw new UsageError('--email or --token-file is missing')
  const password =
    passwordFile === undefined
      ? await askSecret('password-file', 'Password')
      : await readSecret('password-file', passwordFile)
  const body = { email, password }
  const { token } = await unwrap(createClient({ url }).POST('/api:1/token', { body }))
  return { session: token }
}

export const logout = defineCommand({
  options: { profile: profileOption },
  example: 'npx millrace logout',
  routes: ['signOut'],
  async run({ profile }, { out }) {
    const profiles = new Profiles(process.env)
    const known = profiles.find(profile)
    if (known === undefined) throw new UsageError(`there is no profile "${profile}"`)
    profiles.remove(profile)
    if (known.session !== undefined) {
      const connection = findConnection({ url: known.url }, {})
      const credential = { session: known.session }
      const client = openClient(Object.assign(connection, { credential }), undefined)
      const { response } = await client.DELETE('/api:1/token')
      if (!response.ok)
        out.note(`the session was not ended: the instance answers ${response.status}`)
    }
    out.print(`logged out of ${known.url}`)
    return undefined
  },
})

export const whoami = defineCommand({
  options: {},
  example: 'npx millrace whoami',
  routes: ['getCaller'],
  async run(_values, { client, out }) {
    const api = await client()
    const caller = await unwrap(api.GET('/api:1/whoami'))
    out.show(caller, () => [
      `${caller.email ?? caller.subject} of ${caller.business.name}, at ${api.url}`,
      `permissions: ${caller.permissions.join(', ')}`,
    ])
    return undefined
  },
})
