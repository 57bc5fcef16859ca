import { createHash, timingSafeEqual } from 'node:crypto'
import {
  createFailureLimiter,
  createOnce,
  Fault,
  limits,
  readableText,
} from '../../../../foundation/kernel/index.ts'
import type { Configuration } from '../../../scripting/index.ts'
import type { Where } from '../actions.ts'
import { isSid } from '../ids.ts'
import { notificationLimits } from '../limits.ts'
import { type NotificationOptions, serviceNames } from '../options.ts'
import { openConfiguration, type ProviderConfiguration } from '../providers/configuration.ts'

/** Configurations of one AccountSid whose tokens are compared. */
const notificationAccountHoldersMax = 10_000

/** The solution of a request, and the account that it names. */
export type AccountCaller = Where & { readonly accountSid: string }

/** @throws Fault unknown_credential, not_found, too_many_requests */
export type FindCaller = (
  authorization: string | undefined,
  serviceSid: string,
  ip: string,
) => Promise<AccountCaller>

type Candidate = {
  readonly configuration: Configuration
  readonly providerConfiguration: ProviderConfiguration
}

/** Finds the solution that has configured the AccountSid with the same AuthToken. */
export function createAccounts(options: NotificationOptions): FindCaller {
  const { clock, logger } = options
  const throttle = createFailureLimiter({
    clock,
    failuresMax: notificationLimits.notificationRestFailuresPerMinuteMax,
    keysMax: limits.signInsRememberedMax,
    refusal: () =>
      new Fault('too_many_requests', 'Too many wrong tokens. Try again in a minute.', {
        retryAfterS: 60,
      }),
    onReached: (key) => logger.warn({ key }, 'too many wrong tokens of a notification account'),
  })

  const once = createOnce<Candidate[]>()

  async function holders(accountSid: string, token: string, ip: string): Promise<Candidate[]> {
    let known: Candidate[] = []
    await throttle(`${accountSid} ${ip}`, async () => {
      known = await readHolders(options, accountSid, token)
      return known.length > 0
    })
    return known
  }

  return async (authorization, serviceSid, ip) => {
    const [accountSid, token] = readBasic(authorization)
    // Simultaneous requests with one token count as one attempt.
    const name = `${accountSid} ${ip} ${digest(token).toString('hex')}`
    const known = await once(name, () => holders(accountSid, token, ip))
    if (known.length === 0) throw new Fault('unknown_credential')
    const { businessId, solutionId } = chosen(known, serviceSid).configuration
    return { businessId, solutionId, accountSid }
  }
}

/** @throws Fault unknown_credential */
function readBasic(authorization = ''): [sid: string, token: string] {
  const [, encoded] = /^Basic +([\w+/=-]+) *$/i.exec(authorization) ?? []
  const [, sid, token] =
    /^([^:]*):(.*)$/s.exec(readableText(Buffer.from(encoded ?? '', 'base64'))) ?? []
  if (isSid(sid) && token !== undefined && token !== '') return [sid, token]
  throw new Fault('unknown_credential')
}

/** Solutions may configure any AccountSid, so the tokens of all of them are compared. */
async function readHolders(
  options: NotificationOptions,
  accountSid: string,
  token: string,
): Promise<Candidate[]> {
  const found: Candidate[] = []
  const limit = limits.pageMax
  const parameters = { AccountSid: accountSid }
  for (const service of serviceNames) {
    for (let offset = 0; offset < notificationAccountHoldersMax; offset += limit) {
      const asked = { parameters, offset, limit }
      const { items } = await options.configurations.ofService(service, asked)
      for (const configuration of items) {
        const setup = openConfiguration(configuration, configuration.solutionId, options.secrets)
        if (isToken(setup, token)) found.push({ configuration, providerConfiguration: setup })
      }
      if (items.length < limit) break
    }
  }
  return found
}

/** Compares in constant time. */
function isToken(setup: ProviderConfiguration, token: string): boolean {
  try {
    const { authToken } = setup.account()
    return authToken !== '' && timingSafeEqual(digest(authToken), digest(token))
  } catch (error) {
    // An unreadable secret of one solution must not lock out the others.
    if (error instanceof Fault && error.code === 'secret_unreadable') return false
    throw error
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** A configuration with a ServiceSid is for that one alone; one without, for every other. */
function chosen(known: readonly Candidate[], serviceSid: string): Candidate {
  const [own] = known.filter(({ providerConfiguration: setup }) => setup.serviceSid === serviceSid)
  if (own !== undefined) return own
  const [any, second] = known.filter(({ providerConfiguration: setup }) => setup.serviceSid === '')
  if (any !== undefined && second === undefined) return any
  const which = 'its configuration says which by ServiceSid'
  const why =
    any === undefined ? 'The account has no such service' : 'Several solutions have this account'
  throw new Fault('not_found', `${why}: ${which}.`)
}
