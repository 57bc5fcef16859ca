import type { TSchema } from '../../../foundation/kernel/index.ts'

/** A schema of the OpenAPI document: JSON Schema without the keywords of this project. */
export type DocumentSchema = Readonly<Record<string, unknown>>

type Node = Readonly<Record<string, unknown>>

/** Keywords that only this project's checks read. */
const own = new Set([
  'component',
  'rule',
  'missing',
  'numberAsText',
  'digitsAsNumber',
  'emptyAsMissing',
  'itemAsList',
  'wire',
  'wireNames',
])

/** Collects the schemas and the answers that stand by their names in the document. */
export class Components {
  readonly #schemas = new Map<string, DocumentSchema>()
  readonly #responses = new Map<string, DocumentSchema>()

  /** Returns the schema as the document has it: a reference if it has a name. */
  describe(schema: TSchema): DocumentSchema {
    return this.#describe(schema as unknown as Node)
  }

  /** Returns a reference to an answer, which the document has once. */
  response(name: string, answer: DocumentSchema): DocumentSchema {
    this.#responses.set(name, answer)
    return { $ref: `#/components/responses/${name}` }
  }

  /** All named schemas and answers, in the order of their names. */
  named(): Readonly<Record<'schemas' | 'responses', Readonly<Record<string, DocumentSchema>>>> {
    return { schemas: sorted(this.#schemas), responses: sorted(this.#responses) }
  }

  #describe(node: Node): DocumentSchema {
    const { component: name } = node
    const described = this.#fields(node)
    if (typeof name !== 'string') return described
    const known = this.#schemas.get(name)
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(described)) {
      throw new Error(`two schemas are called ${name}`)
    }
    this.#schemas.set(name, described)
    return { $ref: `#/components/schemas/${name}` }
  }

  #fields(node: Node): DocumentSchema {
    const fields: Record<string, unknown> = {}
    for (const [key, value] of Object.entries(node)) {
      if (own.has(key) || key.startsWith('~')) continue
      if (key === 'patternProperties') fields.additionalProperties = this.#values(value as Node)
      else fields[key] = this.#value(key, value)
    }
    const choices = fields.enum
    const words = Array.isArray(choices) && choices.every((one) => typeof one === 'string')
    return words && fields.type === undefined ? { type: 'string', ...fields } : fields
  }

  /** The names of such an object are free, so that it has one pattern. */
  #values(patterns: Node): unknown {
    return this.#describe(Object.values(patterns)[0] as Node)
  }

  #value(key: string, value: unknown): unknown {
    if (key === 'properties') {
      const entries = Object.entries(value as Record<string, Node>)
      return Object.fromEntries(entries.map(([name, node]) => [name, this.#describe(node)]))
    }
    if (key === 'anyOf') return (value as Node[]).map((node) => this.#describe(node))
    if (key === 'items') return this.#describe(value as Node)
    return value
  }
}

function sorted(named: ReadonlyMap<string, DocumentSchema>): Record<string, DocumentSchema> {
  return Object.fromEntries([...named].sort(([one], [other]) => (one < other ? -1 : 1)))
}
