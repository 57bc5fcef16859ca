import { type Fields, isJsonObject } from '../../../foundation/kernel/index.ts'
import type { Endpoint } from '../../scripting/index.ts'
import type { EndpointAnswer } from './answer.ts'
import type { DocumentSettings, WebserviceSettings } from './configuration.ts'
import type { CredentialScheme } from './demands.ts'
import { type EndpointRequest, socketMethod } from './endpoint-request.ts'
import { describedOperation, describedSchemas } from './schema-file.ts'

/** The path of a solution's own OpenAPI document, unless an endpoint of it answers there. */
const documentPath = '/openapi.json'

type Documented = Pick<EndpointRequest, 'message' | 'served' | 'settings' | 'uri'>

/** Answers with the document of the solution, if that is what is asked for, and it has one. */
export function ownDocument(request: Documented): EndpointAnswer | undefined {
  const { message, settings, uri } = request
  const [path] = uri.split('?')
  const isRead = message.method === 'GET' || message.method === 'HEAD'
  if (!isRead || path !== documentPath || settings.document === undefined) return undefined
  const { endpoints } = request.served
  const text = JSON.stringify(describe(endpoints, settings, settings.document))
  return {
    status: 200,
    headers: [['Content-Type', 'application/json']],
    body: Buffer.from(text),
  }
}

function describe(
  endpoints: readonly Endpoint[],
  { schemes, demands, schema }: WebserviceSettings,
  document: DocumentSettings,
) {
  const shown = endpoints.filter((one) => one.method !== socketMethod && isShown(one, document))
  const paths = Map.groupBy(shown, ({ path }) => path.replace(/\*\}$/, '}'))
  const known = new Set(demands.map(({ security }) => security))
  known.delete('unknown')
  return {
    openapi: '3.0.3',
    info: toInfo(document.info),
    paths: Object.fromEntries(
      [...paths].map(([path, of]) => [
        path,
        Object.fromEntries(
          of.map((one) => [one.method.toLowerCase(), describeOperation(path, one, schema)]),
        ),
      ]),
    ),
    components: { securitySchemes: describeSchemes(schemes), ...describedSchemas(schema) },
    ...(known.size > 0 && { security: [...known].map((one) => ({ [one]: [] })) }),
  }
}

/** Settings of projects may be of any type, and have fields that OpenAPI does not. */
function toInfo({ title = '', version = '1.0.0', description, contact, license }: Fields) {
  return {
    title: String(title),
    version: String(version),
    ...(description !== undefined && { description: String(description) }),
    ...(isJsonObject(contact) && { contact }),
    ...(isJsonObject(license) && typeof license.name === 'string' && { license }),
  }
}

/** A list names tags, paths, or endpoints with their methods. */
function isShown({ name, path, about }: Endpoint, { endpoints }: DocumentSettings): boolean {
  if (endpoints === undefined) return true
  const tags = about.tags.length === 0 ? ['default'] : about.tags
  const names = new Set(['*', name, path, ...tags])
  return endpoints.some((one) => names.has(one))
}

function describeOperation(
  path: string,
  { about, security, contentType, method }: Endpoint,
  schema: Fields,
) {
  const described = describedOperation(schema, path, method)
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const own = names.filter((name) => {
    return !described.parameters.some((one) => one.in === 'path' && one.name === name)
  })
  const parameters = [
    ...own.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
    ...described.parameters.filter((one) => one.in !== 'path' || names.includes(String(one.name))),
  ]
  const content = contentType === undefined ? {} : { content: { [contentType]: {} } }
  return {
    ...described.about,
    ...(about.tags.length > 0 && { tags: about.tags }),
    ...(about.summary !== undefined && { summary: about.summary }),
    ...(about.description !== undefined && { description: about.description }),
    ...(parameters.length > 0 && { parameters }),
    ...(described.requestBody && { requestBody: described.requestBody }),
    ...(security !== undefined && {
      security: security === 'none' ? [] : [{ [security]: [] }],
    }),
    responses: described.responses ?? {
      default: { description: 'The answer of the script.', ...content },
    },
  }
}

/** By the kinds that header lines name; the settings say where a key is. */
function describeSchemes(schemes: readonly CredentialScheme[]) {
  const key = schemes.find(({ type, name = '', in: place = '' }) => {
    return type === 'apiKey' && name !== '' && ['header', 'query'].includes(place)
  })
  return {
    basic: { type: 'http', scheme: 'basic' },
    bearer: { type: 'http', scheme: 'bearer' },
    apiKey: { type: 'apiKey', in: key?.in ?? 'header', name: key?.name ?? 'X-API-Key' },
  }
}
