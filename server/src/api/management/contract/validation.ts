import {
  createParser,
  Fault,
  invalidField,
  isJsonObject,
  type Parser,
  type Static,
  type TSchema,
  Type,
} from '../../../foundation/kernel/index.ts'

type Part = 'params' | 'querystring' | 'headers' | 'body'

/** The function that Fastify calls for a part of a request. */
export type Validate = (value: unknown) => { readonly value: unknown } | { readonly error: Error }

/**
 * The check of a part of a request, for Fastify. A body or a query is refused with the sentence of
 * its first error; a path whose parameter is not valid names nothing that exists.
 */
export function compileValidation(schema: TSchema, part: Part): Validate {
  const parse = makeParser(schema, part)
  const mayMiss = part === 'body' && Type.IsOptional(schema)
  return (given) => {
    try {
      // Fastify gives null for a body that is not there.
      if (given === null && mayMiss) return { value: undefined }
      return { value: parse(given) }
    } catch (error) {
      return { error: part === 'params' ? new Fault('not_found') : (error as Error) }
    }
  }
}

function makeParser(schema: TSchema, part: Part): Parser<unknown> {
  if (part === 'body') return createBodyParser(schema)
  return part === 'querystring' ? createQueryParser(schema) : createPartParser(schema, 'query')
}

/** The check of JSON that a route reads itself. */
export function createBodyParser<Schema extends TSchema>(schema: Schema): Parser<Static<Schema>> {
  const parse = createPartParser(schema, 'body')
  const isObject = 'type' in schema && schema.type === 'object'
  return (given) => {
    if (isObject && !isJsonObject(given)) throw notAnObject()
    return parse(given)
  }
}

/** The check of parameters of a query, or of the fields of a form, which are texts too. */
export function createQueryParser<Schema extends TSchema>(schema: Schema): Parser<Static<Schema>> {
  const parse = createPartParser(schema, 'query')
  const convert = convertQuery(schema)
  return (given) => {
    const query = parse(convert(given))
    refuseNul(query as Readonly<Record<string, unknown>>)
    return query
  }
}

/** No text that is stored holds a NUL, so what is found by one is a mistake of the caller. */
function refuseNul(query: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(query)) {
    const texts = Array.isArray(value) ? value : [value]
    if (texts.some((text) => typeof text === 'string' && text.includes('\0'))) {
      throw invalidField(name, 'holds a NUL, which no text has')
    }
  }
}

function createPartParser<Schema extends TSchema>(schema: Schema, name: 'body' | 'query') {
  return createParser(schema, {
    name,
    path: '',
    objectRule: 'must be an object',
    firstIndex: 0,
    unknownField(field, place) {
      const prefix = place === 'body' ? '' : `${place}.`
      return `${prefix}${JSON.stringify(field)} is not a field here`
    },
  })
}

function notAnObject(): Fault {
  return new Fault('malformed_request', 'The body must be a JSON object.')
}

type Convert = (value: unknown) => unknown

/**
 * The conversion of a query's texts to what its schema has: digits to a whole number, `true` and
 * `false`, and a list with commas between its items. An empty parameter counts as left out. A text
 * that is none of these stays, for the refusal to name.
 */
function convertQuery(schema: TSchema): Convert {
  const { properties = {} } = schema as { properties?: Record<string, Field> }
  const converts = new Map(
    Object.entries(properties).map(
      ([name, field]) => [name, conversions[fieldType(field)]] as const,
    ),
  )
  return (query) => {
    const entries = Object.entries(query as Record<string, unknown>)
    const given = entries.filter(([, value]) => value !== '')
    return Object.fromEntries(
      given.map(([name, value]) => [name, converts.get(name)?.(value) ?? value]),
    )
  }
}

type Field = { readonly type?: string; readonly anyOf?: readonly Field[] }

/** The type of a field, or the first one of those that it may have. */
function fieldType({ type, anyOf: [first] = [] }: Field): string {
  return type ?? (first === undefined ? '' : fieldType(first))
}

/** A number above 2^53 would be another one, which the database does not give back. */
function isWhole(text: unknown): boolean {
  return typeof text === 'string' && /^\d+$/.test(text) && Number.isSafeInteger(Number(text))
}

const conversions: Readonly<Record<string, Convert>> = {
  integer: (text) => (isWhole(text) ? Number(text) : text),
  boolean: (text) => (text === 'true' ? true : text === 'false' ? false : text),
  array: (text) => (typeof text === 'string' ? text.split(',').map((item) => item.trim()) : text),
}
