import { createParser, Fault, isJsonObject, type TSchema, Type } from '../../kernel/index.ts'
import { convertQuery } from './query.ts'

type Part = 'params' | 'querystring' | 'headers' | 'body'

/** What Fastify calls for a part of a request. */
export type Validate = (value: unknown) => { readonly value: unknown } | { readonly error: Error }

/**
 * The check of a part of a request, for Fastify. A body or a query is refused with the sentence of
 * its first error; a path whose parameter is not valid names nothing that exists.
 */
export function compileValidation(schema: TSchema, part: Part): Validate {
  const parse = createParser(schema, {
    name: part === 'body' ? 'body' : 'query',
    path: '',
    objectRule: 'must be an object',
    firstIndex: 0,
    unknownField(name, place) {
      const prefix = place === 'body' ? '' : `${place}.`
      return `${prefix}${JSON.stringify(name)} is not a field here`
    },
  })
  const convert = part === 'querystring' ? convertQuery(schema) : undefined
  const isObject = 'type' in schema && schema.type === 'object'
  const mayMiss = part === 'body' && Type.IsOptional(schema)
  return (given) => {
    try {
      // Fastify gives null for a body that is not there.
      if (given === null && mayMiss) return { value: undefined }
      if (part === 'body' && isObject && !isJsonObject(given)) throw notAnObject()
      return { value: parse(convert === undefined ? given : convert(given)) }
    } catch (error) {
      return { error: part === 'params' ? new Fault('not_found') : (error as Error) }
    }
  }
}

function notAnObject(): Fault {
  return new Fault('malformed_request', 'The body must be a JSON object.')
}
