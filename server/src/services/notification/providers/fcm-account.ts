import { hash } from 'node:crypto'
import { type JsonObject, limits, parseJsonObject } from '../../../kernel/index.ts'
import { wrongKey } from './jwt.ts'
import { wrongUrl } from './settings.ts'

/** What is used of a service account's JSON file. */
export type ServiceAccount = {
  readonly projectId: string
  readonly email: string
  readonly key: string
  readonly keyId: string | undefined
  readonly tokenUri: string
  /** Of all that makes it this account: one whose key was replaced is another. */
  readonly fingerprint: string
}

const googles = 'https://oauth2.googleapis.com/token'

function textOf(value: JsonObject, name: string): string {
  const text = value[name]
  return typeof text === 'string' ? text : ''
}

export function readAccount(text: string): ServiceAccount {
  const file = parseJsonObject(text) ?? {}
  const [email, key] = [textOf(file, 'client_email'), textOf(file, 'private_key')]
  const tokenUri = textOf(file, 'token_uri') || googles
  return {
    projectId: textOf(file, 'project_id'),
    ...{ email, key, tokenUri },
    keyId: textOf(file, 'private_key_id') || undefined,
    fingerprint: hash('sha256', JSON.stringify([email, key, tokenUri]), 'base64'),
  }
}

/** What a service account must be, where it is not that. Its key is not repeated. */
export function wrongAccount(text: string): string | undefined {
  const most = limits.pushKeyCharsMax
  if (text.length > most) return `of at most ${most} characters`
  const { projectId, email, key, tokenUri } = readAccount(text)
  if (!/^[a-z0-9:.-]{1,100}$/.test(projectId)) return 'a service account with its project_id'
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) return 'a service account with its client_email'
  if (wrongKey('RS256', key) !== undefined) return 'a service account with its private_key'
  return wrongUrl(tokenUri) === undefined ? undefined : 'a service account with its token_uri'
}
