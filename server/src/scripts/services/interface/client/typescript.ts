import type { OperationDefinition } from '../definition/definition.ts'
import type { Exposed } from '../exposed/exposed-definition.ts'
import { type PayloadSchema, toPayload } from '../schema/payload.ts'
import { listMembers, type Side, schemaKind } from './members.ts'
import { capitalised, splitLines, uniqueNames } from './text.ts'
import { quoted, toComment, toType } from './typescript-types.ts'

/** A method of the generated client. */
type Method = {
  readonly name: string
  /** `parameters: GetLevelParameters` */
  readonly takes: string
  readonly gives: string
  /** The types that it names, written out. */
  readonly types: readonly string[]
  readonly about: readonly string[]
}

/** Generates a TypeScript client of an exposed solution that needs only `fetch`. */
export function typescriptClient({ definition, solutionId }: Exposed): string {
  const base = capitalised(definition.default_script_key)
  const names = { client: `${base}Client`, options: `${base}ClientOptions`, error: `${base}Error` }
  const unique = uniqueNames(Object.values(names))
  const methods = definition.operations.map((operation) => makeMethod(operation, unique))
  return [
    '// Written by `millrace interface client --ts`; write it anew when the definition changes.\n',
    ...methods.flatMap(({ types }) => types),
    `${toComment([...splitLines(definition.name), ...splitLines(definition.description)], '')}${[
      `export interface ${names.client} {`,
      ...methods.map(({ name, takes, gives, about }) => {
        return `${toComment(about, '  ')}  readonly ${toKey(name)}: (${takes}) => Promise<${gives}>`
      }),
      '}\n',
    ].join('\n')}`,
    optionsText(names.options),
    errorText(names.error),
    createText(names, solutionId, methods),
  ].join('\n')
}

function makeMethod(operation: OperationDefinition, unique: (wanted: string) => string): Method {
  const { name, description = '' } = operation
  const parameters = toPayload(operation.parameters)
  const response = toPayload(operation.response)
  const takes = typeNamed(unique(`${capitalised(name)}Parameters`), parameters, 'given')
  const gives = typeNamed(unique(`${capitalised(name)}Response`), response, 'comes')
  const mark = mustBeGiven(parameters) ? '' : '?'
  return {
    name,
    takes: `parameters${mark}: ${takes.name}`,
    // A handler that returns nothing answers null.
    gives: response.type === 'null' ? `${gives.name} | undefined` : gives.name,
    types: [takes.text, gives.text],
    about: splitLines(description),
  }
}

function typeNamed(name: string, schema: PayloadSchema, side: Side) {
  const about = toComment(splitLines(schema.description ?? ''), '')
  const type = toType(schema, side, '')
  const text = type.startsWith('{') ? `interface ${name} ${type}` : `type ${name} = ${type}`
  return { name, text: `${about}export ${text}\n` }
}

/** A call without parameters sends an empty object if the schema requires an object. */
function mustBeGiven(schema: PayloadSchema): boolean {
  const kind = schemaKind(schema, 'given')
  if (kind === undefined || schema.default !== undefined) return false
  return kind !== 'object' || listMembers(schema, 'given').some(({ optional }) => !optional)
}

/** Avoids a method `then`, which makes an object a promise. Names of operations have no `_`. */
function toKey(name: string): string {
  return name === 'then' ? 'then_' : name
}

function optionsText(name: string): string {
  return `export interface ${name} {
  /** If the instance answers: \`https://millrace.example.com\`. */
  readonly url: string
  /** An API token of the solution's business, or of one that it lets in. */
  readonly token: string
  /** The solution, or the id of the subscription, whose parameters and quota count. */
  readonly subscriber?: string
  readonly fetch?: typeof globalThis.fetch
}
`
}

function errorText(name: string): string {
  return `/** What the instance, or the solution's script, refused. */
export class ${name} extends Error {
  readonly type: string
  readonly status: number

  constructor(status: number, answer: unknown) {
    const said: { type?: unknown; error?: unknown; message?: unknown } = Object(answer)
    super(String(said.error ?? said.message ?? answer))
    this.name = ${quoted(name)}
    this.type = String(said.type ?? (status < 500 ? 'QueryError' : 'ServerError'))
    this.status = status
  }
}
`
}

function createText(
  names: { readonly client: string; readonly options: string; readonly error: string },
  solutionId: string,
  methods: readonly Method[],
): string {
  const calls = methods.map(({ name, gives }) => {
    const call = `call(${quoted(name)}, parameters) as Promise<${gives}>`
    return `    ${toKey(name)}: (parameters) => ${call},`
  })
  const used = methods.length > 0
  const options = `${used ? '' : '_'}options: ${names.options}`
  return `export function create${names.client}(${options}): ${names.client} {
${used ? callText(names.error, solutionId) : ''}  return {
${calls.map((line) => `${line}\n`).join('')}  }
}
`
}

function callText(error: string, solutionId: string): string {
  return `  const { token, subscriber, fetch: ask = globalThis.fetch } = options
  const base = \`\${options.url.replace(/\\/+$/, '')}/api:1/solution/${solutionId}/interface/\`
  const query = subscriber === undefined ? '' : \`?subscriber=\${encodeURIComponent(subscriber)}\`

  async function call(operation: string, parameters: unknown): Promise<unknown> {
    const response = await ask(\`\${base}\${operation}\${query}\`, {
      method: 'POST',
      headers: { Authorization: \`Automation \${token}\`, 'Content-Type': 'application/json' },
      body: parameters === undefined ? null : JSON.stringify(parameters),
    })
    const text = await response.text()
    if (!response.ok) throw new ${error}(response.status, answerOf(text))
    return text === '' ? undefined : JSON.parse(text)
  }

  /** A proxy on the way may refuse in a language of its own. */
  function answerOf(text: string): unknown {
    try {
      return JSON.parse(text)
    } catch {
      return text
    }
  }

`
}
