import type { Endpoint } from '../../scripting/index.ts'
import type { EndpointAnswer } from './answer.ts'
import type { CredentialScheme, DocumentSettings, WebserviceSettings } from './configuration.ts'
import { type EndpointRequest, socketMethod } from './endpoint-request.ts'

/** Where a solution has its own OpenAPI document, unless an endpoint of it answers there. */
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
  { schemes }: WebserviceSettings,
  document: DocumentSettings,
) {
  const shown = endpoints.filter((one) => one.method !== socketMethod && isShown(one, document))
  const paths = Map.groupBy(shown, ({ path }) => path.replace(/\*\}$/, '}'))
  const { title = '', version = '1.0.0', ...info } = document.info
  return {
    openapi: '3.0.3',
    info: { title, version, ...info },
    paths: Object.fromEntries(
      [...paths].map(([path, of]) => [
        path,
        Object.fromEntries(of.map((one) => [one.method.toLowerCase(), operationOf(path, one)])),
      ]),
    ),
    components: { securitySchemes: { ...usualSchemes, ...schemesOf(schemes) } },
    ...(document.security.length > 0 && { security: document.security }),
  }
}

/** A list names paths, or an endpoint with its method. */
function isShown({ name, path }: Endpoint, { endpoints }: DocumentSettings): boolean {
  if (endpoints === undefined) return true
  return endpoints.some((one) => one === '*' || one === name || one === path)
}

function operationOf(path: string, { about, security, contentType }: Endpoint) {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
  const content = contentType === undefined ? {} : { content: { [contentType]: {} } }
  return {
    ...(about.tags.length > 0 && { tags: about.tags }),
    ...(about.summary !== undefined && { summary: about.summary }),
    ...(about.description !== undefined && { description: about.description }),
    ...(names.length > 0 && {
      parameters: names.map((name) => {
        return { name, in: 'path', required: true, schema: { type: 'string' } }
      }),
    }),
    ...(security !== 'none' && { security: [{ [security]: [] }] }),
    responses: { default: { description: 'The answer of the script.', ...content } },
  }
}

const usualSchemes = {
  basic: { type: 'http', scheme: 'basic' },
  bearer: { type: 'http', scheme: 'bearer' },
  apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
}

/** By their types: header lines name a scheme by its type. */
function schemesOf(schemes: readonly CredentialScheme[]) {
  return Object.fromEntries(schemes.map((one) => [one.type ?? one.name ?? '', one]))
}
