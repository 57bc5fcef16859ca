import { createSettingsParser, invalidField } from '../../../foundation/kernel/index.ts'
import type { AuthType } from '../credentials/auth-type.ts'
import type { Tag } from './identity.ts'
import { createExpireSchema, createIdentityChangeSchema, createTagsSchema } from './schemas.ts'

export type WhitelistPart = {
  readonly activateUntil: number | null | undefined
  readonly locked: boolean | undefined
  readonly reprovision: boolean | undefined
  readonly tags: readonly Tag[] | undefined
  readonly authType: AuthType | undefined
  readonly certificate: string | undefined
}

const parse = createSettingsParser(createIdentityChangeSchema, 'identity', '')

/** @throws Fault `invalid_argument`, naming the field as the management API does. */
export function parseWhitelist(input: unknown): WhitelistPart {
  const { auth = {}, locked, reprovision, tags } = parse(input)
  if (auth.key !== undefined && auth.type !== 'certificate') {
    throw invalidField('auth.key', 'belongs to auth.type csr or certificate')
  }
  return {
    activateUntil: toDeadline(auth.expire),
    locked,
    reprovision,
    tags,
    authType: auth.type,
    certificate: auth.key,
  }
}

/** 0 is no deadline. */
export function toDeadline(expire: number | null | undefined): number | null | undefined {
  return expire === 0 ? null : expire
}

/**
 * A deadline in microseconds; `null` and 0 are none.
 * @throws Fault `invalid_argument`; also for what is in another unit by its size.
 */
export const parseExpire = createSettingsParser(createExpireSchema, 'expire')

/** @throws Fault `invalid_argument`, naming the field. */
export const parseTags = createSettingsParser(createTagsSchema, 'tags')
