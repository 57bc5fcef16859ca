import type { InsightModule } from '../module/define-module.ts'
import type { ConfigParameter } from '../protocol.ts'
import type { Credentials } from '../serve/credentials.ts'
import { definitions } from './schemas.ts'

export type Placement = {
  /** With the port, where it is not the scheme's own. */
  readonly host: string
  readonly basePath: string
  readonly scheme?: 'https' | 'http'
  readonly credentials?: Credentials
}

/** The module's OpenAPI 2.0 definition, as `GET /interface` answers it. */
export function makeOpenApi(module: InsightModule, placement: Placement): object {
  const { credentials } = placement
  const parameters = [...module.configuration, ...listParameters(module, credentials)]
  return {
    swagger: '2.0',
    info: {
      title: module.info.name,
      description: module.info.description,
      version: module.version,
      ...(parameters.length === 0 ? {} : { 'x-vendor-config-parameters': parameters }),
    },
    host: placement.host,
    basePath: placement.basePath,
    schemes: [placement.scheme ?? 'https'],
    consumes: ['application/json'],
    produces: ['application/json'],
    tags: [{ name: 'insight', description: module.info.description || module.info.name }],
    ...makeSecurity(credentials),
    paths,
    definitions,
  }
}

/** The values of the credentials come from the configuration, so it must ask for them. */
function listParameters(
  module: InsightModule,
  credentials: Credentials | undefined,
): ConfigParameter[] {
  if (credentials === undefined) return []
  const secret = { type: 'string', format: 'password', required: true }
  const asked: ConfigParameter[] =
    credentials.type === 'apiKey'
      ? [{ name: credentials.name, description: 'API key of the module', ...secret }]
      : [
          { name: 'username', description: 'User name', type: 'string', required: true },
          { name: 'password', description: 'Password', ...secret },
        ]
  return asked.filter(({ name }) => !module.configuration.some((it) => it.name === name))
}

function makeSecurity(credentials: Credentials | undefined): object {
  if (credentials === undefined) return {}
  const definition =
    credentials.type === 'basic'
      ? { type: 'basic' }
      : { type: 'apiKey', in: credentials.in, name: credentials.name }
  return {
    securityDefinitions: { [credentials.type]: definition },
    security: [{ [credentials.type]: [] }],
  }
}

const ref = (name: string) => ({ $ref: `#/definitions/${name}` })
const failure = { default: { description: 'Failure', schema: ref('ErrorResponse') } }

function operation(
  operationId: string,
  summary: string,
  parameters: readonly object[],
  schema: object,
): object {
  const success = { 200: { description: summary, schema } }
  const responses = { ...success, ...failure }
  return { operationId, summary, tags: ['insight'], parameters, responses }
}

function body(name: string): readonly object[] {
  return [{ in: 'body', name: 'body', required: true, schema: ref(name) }]
}

const functionId = { in: 'path', name: 'function_id', type: 'string', required: true }
const processAnswer = {
  type: 'array',
  description: 'One array an outlet, in outlet order',
  items: { type: 'array', items: ref('SignalData') },
}

const paths = {
  '/info': { get: operation('info', 'About the module', [], ref('InsightInfoResults')) },
  '/insights': {
    post: operation(
      'insights',
      'The functions of a group',
      body('InsightsFilterParams'),
      ref('InsightListResults'),
    ),
  },
  '/insight/{function_id}': {
    get: operation('insight', 'One function', [functionId], ref('InsightInfo')),
  },
  '/lifecycle': {
    post: operation('lifecycle', 'A linkage was created or deleted', body('LifecycleEvent'), {
      type: 'object',
    }),
  },
  '/process': {
    post: operation('process', 'Run a function', body('ProcessRequest'), processAnswer),
  },
}
