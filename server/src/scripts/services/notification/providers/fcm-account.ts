import { hash } from 'node:crypto'
import { type JsonObject, parseJsonObject } from '../../../../foundation/kernel/index.ts'
import { wrongKey } from './jwt.ts'
import { wrongUrl } from './settings.ts'

/** A key, or an account with its key, in the settings of a provider. */
const pushKeyCharsMax = 16 * 1024

/** The fields of a service account's JSON file that are used. */
export type ServiceAccount = {
  readonly projectId: string
  readonly email: string
  readonly key: string
  readonly keyId: string | undefined
  readonly tokenUri: string
  /** A hash of its fields: an account with another key is another account. */
  readonly fingerprint: string
}

const googles = 'https://oauth2.googleapis.com/token'

function readText(value: JsonObject, name: string): string {
  const text = value[name]
  return typeof text === 'string' ? text : ''
}

export function readAccount(text: string): ServiceAccount {
  const file = parseJsonObject(text) ?? {}
  const [email, key] = [readText(file, 'client_email'), readText(file, 'private_key')]
  const tokenUri = readText(file, 'token_uri') || googles
  return {
    projectId: readText(file, 'project_id'),
    email,
    key,
    tokenUri,
    keyId: readText(file, 'private_key_id') || undefined,
    fingerprint: hash('sha256', JSON.stringify([email, key, tokenUri]), 'base64'),
  }
}

/** Returns the rule that a service account violates, without its key; undefined: it is valid. */
export function wrongAccount(text: string): string | undefined {
  const most = pushKeyCharsMax
  if (text.length > most) return `of at most ${most} characters`
  const { projectId, email, key, tokenUri } = readAccount(text)
  if (!/^[a-z0-9:.-]{1,100}$/.test(projectId)) return 'a service account with its project_id'
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) return 'a service account with its client_email'
  if (wrongKey('RS256', key) !== undefined) return 'a service account with its private_key'
  return wrongUrl(tokenUri) === undefined ? undefined : 'a service account with its token_uri'
}
