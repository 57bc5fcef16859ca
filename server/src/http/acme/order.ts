import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { Agent } from 'node:https'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Authorization, Client } from 'acme-client'
import { createFileOnce, limits, replaceFile } from '../../kernel/index.ts'
import type { Challenges } from './challenges.ts'

/** The order of certificates from an ACME server. */
export type AcmeOrder = {
  readonly url: string
  readonly names: readonly string[]
  readonly email: string | undefined
  /** A program that sets TXT records; undefined: challenges are answered over HTTP. */
  readonly dnsHook: string | undefined
  /** The authority of the ACME server itself, PEM. */
  readonly ca: string | undefined
  readonly keys: readonly ('ecdsa' | 'rsa')[]
}

type Challenge = Authorization['challenges'][number]

const run = promisify(execFile)

/**
 * Orders a certificate and writes it to a file, its key first: one file is replaced in one step.
 * @throws Error with what the ACME server or the hook said.
 */
export async function order(
  settings: AcmeOrder,
  kind: AcmeOrder['keys'][number],
  { dir, file, challenges }: { dir: string; file: string; challenges: Challenges },
): Promise<void> {
  const { default: acme } = await import('acme-client')
  acme.axios.defaults.timeout = limits.acmeRequestMsMax
  if (settings.ca !== undefined) {
    acme.axios.defaults.httpsAgent = new Agent({ ca: settings.ca })
  }
  const accountFile = join(dir, 'account-key.pem')
  const accountKey = await accountKeyIn(accountFile, acme.crypto.createPrivateEcdsaKey)
  const client = new acme.Client({ directoryUrl: settings.url, accountKey })
  // The page of the settings says so: who names hosts here agrees.
  const agreed = { termsOfServiceAgreed: true }
  const contact = settings.email === undefined ? {} : { contact: [`mailto:${settings.email}`] }
  await register(client, { ...agreed, ...contact })
  const made =
    kind === 'rsa' ? acme.crypto.createPrivateRsaKey() : acme.crypto.createPrivateEcdsaKey('P-256')
  const [key, csr] = await acme.crypto.createCsr({ altNames: [...settings.names] }, await made)
  const answers = settings.dnsHook === undefined ? overHttp(challenges) : overDns(settings.dnsHook)
  const chain = await client.auto({
    csr,
    // This machine may resolve its own names in another way than the ACME server does.
    skipChallengeVerification: true,
    challengePriority: [answers.type],
    async challengeCreateFn(authorization, challenge, text) {
      if (challenge.type !== answers.type) {
        throw new Error(`the ACME server offers no ${answers.type} for ${hostOf(authorization)}`)
      }
      await answers.add(hostOf(authorization), challenge, text)
    },
    async challengeRemoveFn(authorization, challenge, text) {
      await answers.remove(hostOf(authorization), challenge, text)
    },
  })
  replaceFile(file, `${key.toString().trim()}\n${chain}`, 0o600)
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

async function accountKeyIn(file: string, make: () => Promise<Buffer>): Promise<string> {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return createFileOnce(file, (await make()).toString(), 0o600)
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
    async add(_host, { token }, text) {
      challenges.add(token, text)
    },
    async remove(_host, { token }) {
      challenges.remove(token)
    },
  }
}

function overDns(hook: string): Answers {
  const call = async (verb: string, host: string, text: string) => {
    const args = [verb, `_acme-challenge.${host}`, text]
    await run(hook, args, { timeout: limits.acmeHookMsMax, maxBuffer: limits.acmeHookBytesMax })
  }
  return {
    type: 'dns-01',
    add: (host, _challenge, text) => call('add', host, text),
    remove: (host, _challenge, text) => call('remove', host, text),
  }
}

/** The name of a wildcard stands without its star. */
function hostOf({ identifier }: Authorization): string {
  return identifier.value
}
