import { invalidField, isJsonObject } from '../../../foundation/kernel/index.ts'
import { type ApiDocument, field, fieldsIn } from './document.ts'

export type CloudScheme =
  | { readonly type: 'apiKey'; readonly in: 'header' | 'query' | 'cookie'; readonly name: string }
  | { readonly type: 'basic' }
  | { readonly type: 'bearer' }
  /** OAuth 2 with client credentials (RFC 6749, 4.4). */
  | { readonly type: 'client'; readonly tokenUrl: string }
  /** Another one: an operation that demands it cannot be called. */
  | { readonly type: 'other' }

/** Reads how a service authenticates its callers. @throws Fault invalid_argument */
export function readSchemes(document: ApiDocument): ReadonlyMap<string, CloudScheme> {
  const { fields, isSwagger } = document
  const given = isSwagger ? fields.securityDefinitions : field(fields.components, 'securitySchemes')
  return new Map(
    fieldsIn(given).map(([name, scheme]) => [name, readScheme(name, document.resolve(scheme))]),
  )
}

function readScheme(name: string, scheme: unknown): CloudScheme {
  const type = field(scheme, 'type')
  const kind = String(field(scheme, 'scheme')).toLowerCase()
  if (type === 'basic' || (type === 'http' && kind === 'basic')) return { type: 'basic' }
  // Files of the field have it as a type of Swagger 2.0, which has none of that name.
  if (type === 'bearer' || (type === 'http' && kind === 'bearer')) return { type: 'bearer' }
  if (type === 'apiKey') return readApiKey(name, scheme)
  if (type !== 'oauth2') return { type: 'other' }
  const flow = field(field(scheme, 'flows'), 'clientCredentials')
  const isApplication = field(scheme, 'flow') === 'application'
  const tokenUrl = field(isJsonObject(flow) ? flow : isApplication ? scheme : undefined, 'tokenUrl')
  // Without this flow a token that somebody has got elsewhere is given.
  if (tokenUrl === undefined) return { type: 'bearer' }
  const url = typeof tokenUrl === 'string' ? URL.parse(tokenUrl) : null
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw invalidField('definition', `has no tokenUrl of http or https in the scheme ${name}`)
  }
  return { type: 'client', tokenUrl: url.href }
}

/** A name of RFC 9110, so that nothing else can be written into the request. */
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/

function readApiKey(name: string, scheme: unknown): CloudScheme {
  const place = (['header', 'query', 'cookie'] as const).find((one) => one === field(scheme, 'in'))
  const key = field(scheme, 'name')
  if (place === undefined || typeof key !== 'string' || !token.test(key)) {
    throw invalidField('definition', `has no place for the key of the scheme ${name}`)
  }
  return { type: 'apiKey', in: place, name: key }
}
