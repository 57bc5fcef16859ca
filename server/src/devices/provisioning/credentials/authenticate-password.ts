import {
  createFailureLimiter,
  createOnce,
  createVerified,
  Fault,
  limits,
  type Passwords,
} from '../../../foundation/kernel/index.ts'
import type { PasswordPair, ProvisionFirst } from '../activation/first-connect.ts'
import type { Connector } from '../connectors/connector.ts'
import type { Connectors } from '../connectors/connectors.ts'
import type { CredentialUse, Device } from '../device.ts'
import { checkIdentity } from '../identities/identity-format.ts'
import { provisioningLimits } from '../limits.ts'
import type { ProvisioningOptions } from '../options.ts'
import type { Authorizer } from './authorizer.ts'
import type { CachedCredential } from './cached-credential.ts'

/** Colons of `<identity>:<password>` at which the password may begin. */
const passwordColonsMax = 32

export type PasswordChecks = {
  /** Authenticates an identity of a connector by its password. */
  authenticatePassword(
    connectorId: string,
    identity: string,
    password: string,
    use: CredentialUse,
  ): Promise<Device>
  /**
   * The same for `<identity>:<password>` of HTTP Basic. An identity may hold colons itself (a MAC
   * address does), so each of them is tried; the right one is cached with the verified pair.
   */
  authenticateBasic(connectorId: string, userPass: string, use: CredentialUse): Promise<Device>
}

type PasswordChecksOptions = {
  readonly authorizer: Authorizer
  readonly passwords: Passwords
  readonly provisionFirst: ProvisionFirst
}

/**
 * Both throw Fault `unknown_credential`, `plain_connection`, `locked`, `overloaded`, and where a
 * first request may provision what an activation throws.
 */
export function createPasswordChecks(
  options: ProvisioningOptions,
  connectors: Pick<Connectors, 'find'>,
  { authorizer, passwords, provisionFirst }: PasswordChecksOptions,
): PasswordChecks {
  const matcher = createMatcher(options, passwords)

  async function find(connectorId: string, { encrypted }: CredentialUse): Promise<Connector> {
    const connector = connectorId === '' ? undefined : await connectors.find(connectorId)
    if (connector === undefined) {
      throw new Fault('unknown_credential', 'A password needs a host that names its connector.')
    }
    if (!encrypted && !connector.devmode) throw new Fault('plain_connection')
    return connector
  }

  async function check(
    connector: Connector,
    userPass: string,
    pairs: readonly PasswordPair[],
    use: CredentialUse,
  ): Promise<Device> {
    const device = await match(connector, userPass, pairs, use)
    if (device !== undefined) return device
    const identity = await provisionFirst(connector, pairs, use)
    const fresh = pairs.filter((pair) => pair.identity === identity)
    return (await match(connector, userPass, fresh, use)) ?? unknown()
  }

  async function match(
    connector: Connector,
    userPass: string,
    pairs: readonly PasswordPair[],
    use: CredentialUse,
  ): Promise<Device | undefined> {
    const name = matcher.toName(connector.id, userPass)
    for (const pair of matcher.likelyFirst(name, pairs)) {
      const cached = await authorizer.byIdentity(connector.id, pair.identity)
      if (cached === undefined) continue
      const who = `${connector.id}/${pair.identity} ${use.ip ?? ''}`
      const isRight = (hash: string) => matcher.matches(name, pair, hash, who)
      const verified = await verify(authorizer, cached, isRight)
      if (verified !== undefined) return authorizer.authorizeCredential(verified, connector, use)
    }
    return undefined
  }

  return {
    async authenticatePassword(connectorId, identity, password, use) {
      const connector = await find(connectorId, use)
      const pairs = isPossible({ identity, password }) ? [{ identity, password }] : []
      return check(connector, `${identity}:${password}`, pairs, use)
    },
    async authenticateBasic(connectorId, userPass, use) {
      const connector = await find(connectorId, use)
      return check(connector, userPass, readings(connector, userPass), use)
    },
  }
}

/** A cached credential may have been replaced: then the database decides. */
async function verify(
  authorizer: Authorizer,
  cached: CachedCredential,
  isRight: (hash: string) => Promise<boolean>,
): Promise<CachedCredential | undefined> {
  const matching = await matchingCredential(cached, isRight)
  if (matching !== undefined) return matching
  const current = await authorizer.reread(cached)
  if (current === undefined || isSame(current, cached)) return undefined
  return matchingCredential(current, isRight)
}

function unknown(): never {
  throw new Fault('unknown_credential')
}

/** Returns the right password of the one or two that an identity may have. */
async function matchingCredential(
  known: CachedCredential,
  isRight: (hash: string) => Promise<boolean>,
): Promise<CachedCredential | undefined> {
  for (const one of [known, known.next]) {
    if (one === null || one.awaits || one.hash === null || one.authType !== 'password') continue
    if (await isRight(one.hash)) return one
  }
  return undefined
}

function isSame(one: CachedCredential, other: CachedCredential): boolean {
  return (
    one.authType === other.authType &&
    one.hash === other.hash &&
    one.next?.hash === other.next?.hash &&
    one.awaits === other.awaits
  )
}

/** Compares a password with a hash: from the cache, else by argon2, limited per client. */
function createMatcher({ clock, random, logger }: ProvisioningOptions, passwords: Passwords) {
  const verified = createVerified<{ identity: string; hash: string }>({
    clock,
    random,
    pairsMax: limits.devicePasswordsRememberedMax,
  })
  const once = createOnce<boolean>()
  const throttle = createFailureLimiter({
    clock,
    failuresMax: provisioningLimits.failedDevicePasswordsPerMinuteMax,
    keysMax: limits.devicePasswordsRememberedMax,
    // Not a 401: a device would drop its credential because another client guesses at it.
    refusal: () => new Fault('overloaded', undefined, { retryAfterS: limits.retryAfterS }),
    onReached: (who) =>
      logger.warn({ who }, 'too many wrong passwords; not looked at for a minute'),
  })
  return {
    toName: verified.toName,
    likelyFirst(name: string, pairs: readonly PasswordPair[]): readonly PasswordPair[] {
      const likely = verified.find(name)?.identity
      const isLikely = ({ identity }: PasswordPair) => identity === likely
      return [...pairs.filter(isLikely), ...pairs.filter((pair) => !isLikely(pair))]
    },
    async matches(name: string, pair: PasswordPair, hash: string, who: string): Promise<boolean> {
      const { identity, password } = pair
      const before = verified.find(name)
      if (before?.identity === identity && before.hash === hash) return true
      const matched = await once(`${name} ${hash}`, () =>
        throttle(who, () => passwords.verify(password, hash)),
      )
      if (matched) verified.remember(name, { identity, hash })
      return matched
    },
  }
}

/** Readings that conform to the connector's format come first: of a MAC address only one does. */
function readings(connector: Connector, userPass: string): PasswordPair[] {
  const pairs: PasswordPair[] = []
  let at = userPass.indexOf(':')
  while (at >= 0 && pairs.length < passwordColonsMax) {
    pairs.push({ identity: userPass.slice(0, at), password: userPass.slice(at + 1) })
    at = userPass.indexOf(':', at + 1)
  }
  const conforms = ({ identity: one }: PasswordPair) =>
    checkIdentity(connector.identityFormat, one) === undefined
  const possible = pairs.filter(isPossible)
  return [...possible.filter(conforms), ...possible.filter((pair) => !conforms(pair))]
}

function isPossible({ identity, password }: PasswordPair): boolean {
  const bytes = Buffer.byteLength(password)
  return (
    identity !== '' &&
    identity.length <= limits.identityCharsMax * 2 &&
    !identity.includes('\0') &&
    bytes >= provisioningLimits.devicePasswordBytesMin &&
    bytes <= limits.devicePasswordBytesMax
  )
}
