import { resolve } from 'node:path'
import { ApiError, createClient, type MillraceClient, unwrap } from '@millrace/client'
import { type Context, defineCommand, UsageError } from '../command.ts'
import { checkAddress, findConnection, openClient, trust } from '../connection/connect.ts'
import type { Connection } from '../connection/connection.ts'
import { defaultProfile, Profiles } from '../connection/profiles.ts'
import { enrolmentLines, readCode, recoveryLines } from './options.ts'

const profileOption = {
  meaning: 'The name under which the login is kept.',
  default: defaultProfile,
} as const

const login = defineCommand({
  options: {
    url: { meaning: 'The address of the instance, such as https://…', required: true },
    profile: profileOption,
    email: { meaning: 'The e-mail address of the account; its password is asked for.' },
    'password-file': { meaning: 'A file with the password; - is the standard input.' },
    'code-file': {
      meaning: 'A file with a code of the second step; - as above. Default: a prompt, if needed.',
    },
    'token-file': { meaning: 'A file with an API token, in place of an account; - as above.' },
    ca: { meaning: 'A file with the certificates (PEM) of authorities to trust for the instance.' },
  },
  example: 'npx millrace login --url http://127.0.0.1:8080 --email demo@example.com',
  routes: ['signIn', 'beginDemandedTotp', 'getCaller'],
  async run({ url, profile, email, ca, ...files }, { input, out, invocation }) {
    checkAddress('--url', url)
    if (ca !== undefined) trust(input.path(ca))
    // Later commands may run in another directory.
    const kept = { url, ...(ca !== undefined && { ca: resolve(invocation.folder, ca) }) }
    const token = await readCredential(url, email, { files, input, out })
    const client = createClient({ url, credential: token })
    const caller = await unwrap(client.GET('/api:1/whoami')).catch(
      explain('the API token is wrong'),
    )
    new Profiles(invocation).keep(profile, Object.assign(kept, token))
    const who = caller.email ?? caller.subject
    out.show(caller, () => [`logged in to ${caller.business.name} as ${who}`])
  },
})

type Asking = Pick<Context, 'input' | 'out'> & { readonly files: Files }

type Files = {
  readonly 'password-file': string | undefined
  readonly 'code-file': string | undefined
  readonly 'token-file': string | undefined
}

async function readCredential(url: string, email: string | undefined, asking: Asking) {
  const { files, input } = asking
  const { 'token-file': tokenFile, 'password-file': passwordFile } = files
  if (tokenFile !== undefined) return { apiToken: await input.readSecret('token-file', tokenFile) }
  if (email === undefined) throw new UsageError('--email or --token-file is missing')
  const password = await input.resolveSecret('password-file', passwordFile, 'Password')
  const account = { email, password }
  const signIn = signsIn(createClient({ url }), account)
  const token = await signIn().catch((error: unknown) => {
    if (hasCode(error, 'totp_required')) return withCode(signIn, asking)
    if (!hasCode(error, 'totp_enrolment_required')) return explain(wrongPassword)(error)
    return enrol(createClient({ url }), { signIn, account, asking })
  })
  return { session: token.token }
}

const wrongPassword = 'the e-mail address or the password is wrong'

type SignIn = (code?: string) => Promise<{ token: string; recovery_codes?: string[] }>

function signsIn(api: MillraceClient, account: { email: string; password: string }): SignIn {
  return (code) => {
    const body = { ...account, ...(code !== undefined && { code }) }
    return unwrap(api.POST('/api:1/token', { body }))
  }
}

async function withCode(signIn: SignIn, { files, input, out }: Asking) {
  const signedIn = await signIn(await readCode(input, files['code-file'])).catch(
    explain('the code is wrong'),
  )
  for (const line of formatRecovery(signedIn.recovery_codes)) out.note(line)
  return signedIn
}

/** The business demands a second step: the app is set up before the first sign-in. */
async function enrol(
  api: MillraceClient,
  {
    signIn,
    account,
    asking,
  }: { signIn: SignIn; account: { email: string; password: string }; asking: Asking },
) {
  const { files, out } = asking
  if (files['code-file'] === undefined) {
    const begun = await unwrap(api.POST('/api:1/token/totp', { body: account }))
    out.note('the business demands a second step; add this to an app that shows codes:')
    for (const line of enrolmentLines(begun)) out.note(line)
  }
  return withCode(signIn, asking)
}

function formatRecovery(codes: string[] | undefined): string[] {
  return codes === undefined ? [] : recoveryLines(codes)
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof ApiError && error.code === code
}

/** The API does not reveal more of a wrong credential. */
function explain(sentence: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof ApiError) || error.status !== 401) throw error
    throw new ApiError({ code: error.code, status: error.status, message: sentence, cause: error })
  }
}

const logout = defineCommand({
  options: { profile: profileOption },
  example: 'npx millrace logout',
  routes: ['signOut'],
  async run({ profile }, { out, invocation }) {
    const connection = findConnection({ profile }, invocation)
    new Profiles(invocation).remove(profile)
    const { url, credential } = connection
    if (credential !== undefined && 'session' in credential) {
      await endSession(connection).catch((error: Error) => {
        out.note(`the session was not ended: ${error.message}`)
      })
    }
    out.print(`logged out of ${url}`)
  },
})

async function endSession(connection: Connection): Promise<void> {
  await unwrap(openClient(connection).DELETE('/api:1/token'))
}

const whoami = defineCommand({
  options: {},
  example: 'npx millrace whoami',
  routes: ['getCaller'],
  async run(_values, { client, call, out }) {
    const { url } = await client()
    const caller = await call('getCaller')
    out.show(caller, () => [
      `${caller.email ?? caller.subject} of ${caller.business.name}, at ${url}`,
      `permissions: ${caller.permissions.join(', ')}`,
    ])
  },
})

/** The commands of logins. */
export const commands = {
  login: { load: async () => login },
  logout: { load: async () => logout },
  whoami: { load: async () => whoami },
}
