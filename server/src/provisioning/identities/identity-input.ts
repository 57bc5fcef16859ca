import {
  createSettingsParser,
  invalidField,
  isJsonObject,
  omitUndefined,
} from '../../kernel/index.ts'
import type { AuthType } from '../credentials/auth-type.ts'
import type { Tag } from './identity.ts'
import {
  authTypeSchema,
  createExpireSchema,
  createIdentityInputSchema,
  createTagsSchema,
} from './schemas.ts'

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
  readonly certificate: string | undefined
}

const parse = createSettingsParser(() => createIdentityInputSchema(authTypeSchema), 'identity', '')

/** @throws Fault `invalid_argument`, naming the field as the management API does. */
export function parseWhitelist(input: WhitelistInput): WhitelistPart {
  // A list has no fields that the schema could refuse below.
  if (!isJsonObject(input)) throw invalidField('identity', 'must be an object')
  const { expire, authType: type, certificate: key, ...rest } = input
  const given = omitUndefined({ auth: omitUndefined({ expire, type, key }), ...rest })
  const { auth = {}, locked, reprovision, tags } = parse(given)
  if (auth.key !== undefined && auth.type !== 'certificate') {
    throw invalidField('auth.key', 'belongs to auth.type csr or certificate')
  }
  return {
    activateUntil: deadlineOf(auth.expire),
    locked,
    reprovision,
    tags,
    authType: auth.type,
    certificate: auth.key,
  }
}

/** 0 is no deadline. */
export function deadlineOf(expire: number | null | undefined): number | null | undefined {
  return expire === 0 ? null : expire
}

/**
 * A deadline in microseconds; `null` and 0 are none.
 * @throws Fault `invalid_argument`; also for what is in another unit by its size.
 */
export const parseExpire = createSettingsParser(createExpireSchema, 'expire')

/** @throws Fault `invalid_argument`, naming the field. */
export const parseTags = createSettingsParser(createTagsSchema, 'tags')
