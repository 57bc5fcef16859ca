import {
  arrayField,
  booleanField,
  choiceField,
  invalidField,
  limits,
  objectField,
  refuseUnit,
  textField,
} from '../../kernel/index.ts'
import { type AuthType, authTypes } from '../credentials/auth-type.ts'

/*
 * The life of an identity.
 *
 * It begins when an operator whitelists it: it is `whitelisted`, and may be activated until its
 * window closes; then it is `expired`, and the operator may open another window by whitelisting
 * it again. On a connector with self-registration it may also begin with its own activation.
 *
 * An activation gives it a credential: it is `provisioned`, and no second activation succeeds.
 * `devmode` is the same, said of a credential that crossed a connection that was not encrypted.
 *
 * The operator may order that it be activated again: it is `reprovision`. Its credential is unknown
 * from then on, which makes the device activate; it has a window for that, as at first, and is
 * `expired` after it. Withdrawing the order makes the old credential known again.
 *
 * The operator may lock it in any of these states: it is `locked`, its credential is refused and
 * so is an activation, until it is unlocked and is what it was before.
 *
 * Removing it ends it, with its credential and its values; the same name may begin anew.
 *
 * Kept are the facts (locked, reprovision, devmode, activate_until, provisioned_at); the status is
 * derived from them and the clock whenever somebody asks. Each step is one guarded statement in
 * store/identities.ts, where the guards are.
 */
export const statuses = [
  'whitelisted',
  'provisioned',
  'locked',
  'reprovision',
  'expired',
  'devmode',
] as const
export type Status = (typeof statuses)[number]

export type Tag = { readonly name: string; readonly value: string }

/** The two values of a resource on a device, as texts, and the time of the newer one. */
export type ResourceValue = {
  /** The value that the device wrote last; null: none. */
  readonly reported: string | null
  /** The desired value: set from the cloud, or written by the device. */
  readonly set: string
  /** Microseconds. */
  readonly timestamp: number
}

export type State = Readonly<Record<string, ResourceValue>>

/** An identity as operators see it. */
export type IdentityRecord = {
  readonly identity: string
  readonly auth: {
    readonly type: AuthType
    /** Microseconds; while it may be activated and has a deadline, or had one. */
    readonly expire?: number
    /** The certificate as PEM, where it was signed or given here; not in lists. */
    readonly key?: string
  }
  readonly state: State
  /** Only where the values pass `limits.stateBytesMax`: then `state` holds those that fit. */
  readonly stateCut?: true
  readonly locked: boolean
  readonly reprovision: boolean
  readonly devmode: boolean
  readonly lastip: string | null
  /** Microseconds. */
  readonly lastseen: number | null
  readonly status: Status
  /** True if it was seen within `limits.deviceOnlineMs`. */
  readonly online: boolean
  readonly tags: readonly Tag[]
}

/** The fields of an identity that an operator may give; every field is checked here. */
export type WhitelistInput = {
  /**
   * Microseconds. `null` or 0: no deadline. Left out: `activationWindowHours` from now for a new
   * identity and for one whose window has closed, else as it was; a lock opens no window.
   */
  readonly expire?: unknown
  readonly locked?: unknown
  /** True orders a provisioned device to activate again; false withdraws the order. */
  readonly reprovision?: unknown
  /** `[{name, value}]` */
  readonly tags?: unknown
  /** The method of authentication. Only `certificate` can be chosen; else it is the present one. */
  readonly authType?: unknown
  /** The certificate that alone provisions it, PEM; with the authType `certificate`. */
  readonly certificate?: unknown
}

export type WhitelistPart = {
  readonly activateUntil: number | null | undefined
  readonly locked: boolean | undefined
  readonly reprovision: boolean | undefined
  readonly tags: readonly Tag[] | undefined
  readonly authType: AuthType | undefined
  readonly certificate: unknown
}

/** @throws Fault `invalid_argument`, naming the field. */
export function parseWhitelist(input: WhitelistInput): WhitelistPart {
  const part: WhitelistInput = objectField('identity', input, [
    'expire',
    'locked',
    'reprovision',
    'tags',
    'authType',
    'certificate',
  ])
  const flag = (field: string, value: unknown) =>
    value === undefined ? undefined : booleanField(field, value)
  const authType =
    part.authType === undefined ? undefined : choiceField('auth.type', part.authType, authTypes)
  if (part.certificate !== undefined && authType !== 'certificate') {
    throw invalidField('auth.key', 'belongs to auth.type csr or certificate')
  }
  return {
    activateUntil: parseExpire('auth.expire', part.expire),
    locked: flag('locked', part.locked),
    reprovision: flag('reprovision', part.reprovision),
    tags: part.tags === undefined ? undefined : parseTags(part.tags),
    authType,
    certificate: part.certificate,
  }
}

/**
 * A deadline in microseconds; `null` and 0 are none.
 * @throws Fault `invalid_argument`, naming the field; also for what is in another unit by its size.
 */
export function parseExpire(field: string, value: unknown): number | null | undefined {
  if (value === undefined) return undefined
  if (value === null || value === 0) return null
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) {
    throw invalidField(field, 'must be a whole number of microseconds, null or 0')
  }
  const refusal = refuseUnit(value)
  if (refusal !== undefined) throw invalidField(field, refusal)
  return value
}

/** @throws Fault `invalid_argument`, naming the field. */
export function parseTags(value: unknown): readonly Tag[] {
  return arrayField('tags', value, limits.tagsMax).map((item) => {
    const tag = objectField('tags', item, ['name', 'value'])
    return {
      name: textField('tags.name', tag.name, { charsMin: 1, charsMax: limits.nameCharsMax }),
      value: textField('tags.value', tag.value, { charsMax: limits.settingCharsMax }),
    }
  })
}
