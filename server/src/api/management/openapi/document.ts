import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ErrorCode, errorCatalogue, parseOwnJson } from '../../../foundation/kernel/index.ts'
import { refusalSchema } from '../contract/common.ts'
import {
  type AnswerContent,
  type Contract,
  isStream,
  type RouteDetails,
  tags,
} from '../contract/contract.ts'
import { refusalsByStatus } from '../contract/refusals.ts'
import { Components, type DocumentSchema } from './schema.ts'

type Fields = Readonly<Record<string, unknown>>

/** An OpenAPI 3.1 document. */
export type OpenApiDocument = Fields & {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Fields>>>>
}

const description = [
  'The management API of Millrace. The colon of `/api:1` may be sent as `%3A`. A field that is not',
  'known is refused, never ignored. Times are in microseconds since 1970.',
].join(' ')

const securitySchemes = {
  basic: { type: 'http', scheme: 'basic', description: 'E-mail address and password of a user.' },
  session: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: '`token <token>`, from `POST /api:1/token`.',
  },
  operator: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description:
      '`Operator <token>`, from `operator.json` of the data directory, on the same machine. The ' +
      'header `Millrace-Business` names the business.',
  },
  apiToken: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: '`Automation <API token>`, for programs, with the permissions of its role.',
  },
}

const anyCredential = Object.keys(securitySchemes).map((name) => ({ [name]: [] }))

/** Describes the routes of the management API. */
export function describeApi(
  contracts: readonly Contract[],
  version = ownVersion(),
): OpenApiDocument {
  const components = new Components()
  const paths: Record<string, Record<string, Fields>> = {}
  for (const contract of contracts) {
    const path = contract.path.replace(/:([a-z]\w*)/g, '{$1}')
    paths[path] ??= {}
    paths[path][contract.method.toLowerCase()] = describeRoute(contract, components)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Millrace management API',
      version,
      description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: Object.entries(tags).map(([name, text]) => ({ name, description: text })),
    paths: Object.fromEntries(
      Object.entries(paths).sort(([one], [other]) => (one < other ? -1 : 1)),
    ),
    components: { ...components.named(), securitySchemes },
  }
}

function describeRoute(contract: Contract, components: Components): Fields {
  const { id, tag, summary, permission } = contract
  const details = contract.details()
  const parameters = [
    ...listParameters('path', details.params, components),
    ...listParameters('query', details.query, components),
    ...listParameters('header', details.headers, components),
  ]
  const isOpen = permission === 'none'
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(details.description !== undefined && { description: details.description }),
    // The security of each operation: simple clients do not read it for the whole document.
    security: isOpen ? [] : permission === 'operator' ? [{ operator: [] }] : anyCredential,
    ...(!isOpen && !['account', 'operator'].includes(permission) && { 'x-permission': permission }),
    ...(parameters.length > 0 && { parameters }),
    ...(details.body !== undefined && { requestBody: describeBody(details, components) }),
    responses: describeAnswers(contract, components),
  }
}

function listParameters(
  place: 'path' | 'query' | 'header',
  schema: RouteDetails['query'],
  components: Components,
): Fields[] {
  const { properties = {}, required = [] } = schema ?? {}
  return Object.entries(properties).map(([name, field]) => {
    const { description: text, ...rest } = components.describe(field)
    return {
      name,
      in: place,
      ...(text !== undefined && { description: text }),
      required: place === 'path' || (required as readonly string[]).includes(name),
      schema: rest,
    }
  })
}

function describeBody({ body, example }: RouteDetails, components: Components): Fields {
  if (body === undefined) return {}
  const shown = example?.request === undefined ? {} : { example: example.request }
  if (!isStream(body)) {
    const schema = components.describe(body)
    const required = !('~optional' in body)
    return { required, content: { 'application/json': { schema, ...shown } } }
  }
  const schema = body.schema === undefined ? {} : components.describe(body.schema)
  const content = Object.fromEntries(body.stream.map((type) => [type, { schema, ...shown }]))
  return { description: `At most ${body.bytesMax} bytes.`, required: true, content }
}

function describeAnswers(contract: Contract, components: Components): Fields {
  const { answers, example, anyAnswer } = contract.details()
  const shown = example?.answer
  const good = Object.entries(answers).map(([status, content]) => [
    status,
    describeAnswer(content, components, shown),
  ])
  const refusals = [...refusalsByStatus(contract)].map(([status, codes]) => [
    String(status),
    describeRefusal(codes, components),
  ])
  const other = { description: "The program's own answer.", content: { 'application/json': {} } }
  return Object.fromEntries([...refusals, ...good, ...(anyAnswer ? [['default', other]] : [])])
}

function describeAnswer(
  { description: text, json, events, text: type, headers = {} }: AnswerContent,
  components: Components,
  example: unknown,
): Fields {
  const shown = example === undefined ? {} : { example }
  const content: Record<string, unknown> = {}
  if (json !== undefined) {
    content['application/json'] = { schema: components.describe(json), ...shown }
  }
  if (events !== undefined) {
    content['text/event-stream'] = {
      schema: { type: 'string' },
      'x-event-data': Object.fromEntries(
        Object.entries(events).map(([name, data]) => [name, components.describe(data)]),
      ),
    }
  }
  if (type !== undefined) content[type] = { schema: { type: 'string' } }
  const named = Object.entries(headers).map(([name, schema]) => {
    const { description: meaning, ...rest } = components.describe(schema)
    return [name, { ...(meaning !== undefined && { description: meaning }), schema: rest }]
  })
  return {
    description: text,
    ...(named.length > 0 && { headers: Object.fromEntries(named) }),
    ...(Object.keys(content).length > 0 && { content }),
  }
}

/** Routes that refuse with the same codes share one answer of the document. */
function describeRefusal(codes: readonly ErrorCode[], components: Components): DocumentSchema {
  const lines = codes.map((code) => `\`${code}\`: ${errorCatalogue[code].text}`)
  const schema = components.describe(refusalSchema)
  const content = { 'application/json': { schema } }
  return components.response(codes.join('.'), { description: lines.join(' '), content })
}

function ownVersion(): string {
  const manifest = join(import.meta.dirname, '..', '..', '..', '..', 'package.json')
  return parseOwnJson<{ version: string }>(readFileSync(manifest, 'utf8')).version
}
