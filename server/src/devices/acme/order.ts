import { execFile } from 'node:child_process'
import { Agent } from 'node:https'
import { promisify } from 'node:util'
import type { Authorization, Client } from 'acme-client'
import type { Challenges } from './challenges.ts'

/** The time for one request to the ACME server. */
const acmeRequestMsMax = 30_000
/** The time until the ACME server is asked again how far an order is; it doubles, to 30 s. */
const acmeAskMs = 1_000
/** How often it is asked. */
const acmeAsksMax = 12
/** The time for one call of the program that sets TXT records. */
const acmeHookMsMax = 5 * 60_000
/** What is read of that program's output. */
const acmeHookBytesMax = 64 * 1024

/** The kind of a certificate's key. */
export type KeyKind = 'ecdsa' | 'rsa'

/** The order of certificates from an ACME server. */
export type AcmeSettings = {
  readonly url: string
  readonly names: readonly string[]
  readonly email: string | undefined
  /** A program that sets TXT records; undefined: challenges are answered over HTTP. */
  readonly dnsHook: string | undefined
  /** The authority of the ACME server itself, PEM. */
  readonly ca: string | undefined
  readonly keys: readonly KeyKind[]
}

/** A certificate with its chain, and its key, both PEM. */
export type Ordered = { readonly certificate: string; readonly key: string }

type Challenge = Authorization['challenges'][number]

const run = promisify(execFile)

/** Orders a certificate. @throws Error with what the ACME server or the hook said. */
export async function order(
  settings: AcmeSettings,
  kind: KeyKind,
  { accountKey, challenges }: { readonly accountKey: string; readonly challenges: Challenges },
): Promise<Ordered> {
  const { default: acme } = await import('acme-client')
  acme.axios.defaults.timeout = acmeRequestMsMax
  if (settings.ca !== undefined) {
    acme.axios.defaults.httpsAgent = new Agent({ ca: settings.ca })
  }
  const asked = { backoffMin: acmeAskMs, backoffAttempts: acmeAsksMax }
  const client = new acme.Client({ directoryUrl: settings.url, accountKey, ...asked })
  // The page of the settings says so: who names hosts here agrees.
  const agreed = { termsOfServiceAgreed: true }
  const contact = settings.email === undefined ? {} : { contact: [`mailto:${settings.email}`] }
  await register(client, { ...agreed, ...contact })
  const made =
    kind === 'rsa' ? acme.crypto.createPrivateRsaKey() : acme.crypto.createPrivateEcdsaKey('P-256')
  const [key, csr] = await acme.crypto.createCsr({ altNames: [...settings.names] }, await made)
  const answers = settings.dnsHook === undefined ? overHttp(challenges) : overDns(settings.dnsHook)
  const certificate = await client.auto({
    csr,
    // This machine may resolve its own names in another way than the ACME server does.
    skipChallengeVerification: true,
    challengePriority: [answers.type],
    async challengeCreateFn(authorization, challenge, text) {
      if (challenge.type !== answers.type) {
        throw new Error(`the ACME server offers no ${answers.type} for ${hostName(authorization)}`)
      }
      await answers.add(hostName(authorization), challenge, text)
    },
    async challengeRemoveFn(authorization, challenge, text) {
      await answers.remove(hostName(authorization), challenge, text)
    },
  })
  return { certificate, key: String(key) }
}

export async function newAccountKey(): Promise<string> {
  const { default: acme } = await import('acme-client')
  return String(await acme.crypto.createPrivateEcdsaKey())
}

/** An account that is there is updated by the client, which some servers refuse: it is used. */
async function register(
  client: Client,
  account: Parameters<Client['createAccount']>[0],
): Promise<void> {
  try {
    await client.createAccount(account)
  } catch (error) {
    if (!isKnown(client)) throw error
  }
}

function isKnown(client: Client): boolean {
  try {
    return client.getAccountUrl() !== ''
  } catch {
    // It throws where the server named no account.
    return false
  }
}

type Answers = {
  readonly type: 'http-01' | 'dns-01'
  add(host: string, challenge: Challenge, text: string): Promise<void>
  remove(host: string, challenge: Challenge, text: string): Promise<void>
}

function overHttp(challenges: Challenges): Answers {
  return {
    type: 'http-01',
    add: (_host, { token }, text) => challenges.add(token, text),
    remove: (_host, { token }) => challenges.remove(token),
  }
}

function overDns(hook: string): Answers {
  const call = async (verb: string, host: string, text: string) => {
    const args = [verb, `_acme-challenge.${host}`, text]
    await run(hook, args, { timeout: acmeHookMsMax, maxBuffer: acmeHookBytesMax })
  }
  return {
    type: 'dns-01',
    add: (host, _challenge, text) => call('add', host, text),
    remove: (host, _challenge, text) => call('remove', host, text),
  }
}

/** The name of a wildcard stands without its star. */
function hostName({ identifier }: Authorization): string {
  return identifier.value
}
