import { type Fields, isJsonObject } from '../../../foundation/kernel/index.ts'

/** An endpoint as the schema file of a project describes it, in the form of OpenAPI 3. */
export type DescribedOperation = {
  readonly about: Fields
  readonly parameters: readonly Fields[]
  readonly requestBody: Fields | undefined
  /** Undefined if it describes none. */
  readonly responses: Fields | undefined
}

const mediaType = 'application/json'

/** Reads an operation of `paths`, as Swagger 2.0 or OpenAPI 3 has it; passes over odd parts. */
export function describedOperation(
  schema: Fields,
  path: string,
  method: string,
): DescribedOperation {
  const operation = fieldsIn(fieldsIn(schema.paths)[path])[method.toLowerCase()]
  const { summary, description, parameters, requestBody, responses } = fieldsIn(operation)
  const all = Array.isArray(parameters) ? parameters.filter(isJsonObject) : []
  const body = all.find((one) => one.in === 'body')
  const given = isJsonObject(requestBody) ? (renamed(requestBody) as Fields) : undefined
  const answers = Object.entries(fieldsIn(responses))
  return {
    about: {
      ...(typeof summary === 'string' && { summary }),
      ...(typeof description === 'string' && { description }),
    },
    parameters: all.flatMap(convertParameter),
    requestBody: body === undefined ? given : convertBody(body),
    responses: answers.length === 0 ? undefined : Object.fromEntries(answers.map(convertAnswer)),
  }
}

/** Returns the schemas that operations refer to, as `components` has them. */
export function describedSchemas({ definitions, components }: Fields): { schemas?: Fields } {
  const schemas = { ...fieldsIn(fieldsIn(components).schemas), ...fieldsIn(definitions) }
  return Object.keys(schemas).length === 0 ? {} : { schemas: renamed(schemas) as Fields }
}

function fieldsIn(value: unknown): Fields {
  return isJsonObject(value) ? value : {}
}

const places = ['query', 'header', 'path', 'cookie']

/** A parameter of Swagger 2.0 has its type in itself, one of OpenAPI 3 in its schema. */
function convertParameter(parameter: Fields): Fields[] {
  const { name, in: place, required, description, schema, collectionFormat, ...type } = parameter
  if (typeof name !== 'string' || !places.includes(String(place))) return []
  const isList = place === 'query' && collectionFormat !== undefined && collectionFormat !== 'multi'
  return [
    {
      name,
      in: place,
      ...(typeof description === 'string' && { description }),
      required: place === 'path' || required === true,
      ...(isList && { explode: false }),
      schema: renamed(isJsonObject(schema) ? schema : type),
    },
  ]
}

function convertBody({ description, required, schema }: Fields): Fields {
  return {
    ...(typeof description === 'string' && { description }),
    required: required === true,
    content: { [mediaType]: { schema: renamed(fieldsIn(schema)) } },
  }
}

function convertAnswer([status, given]: [string, unknown]): [string, Fields] {
  const { description = '', schema, content } = fieldsIn(given)
  const described = { description: String(description) }
  if (isJsonObject(content)) return [status, { ...described, content: renamed(content) }]
  if (!isJsonObject(schema)) return [status, described]
  return [status, { ...described, content: { [mediaType]: { schema: renamed(schema) } } }]
}

/** Puts the references of Swagger 2.0 into the form of OpenAPI 3. */
function renamed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(renamed)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const isReference = name === '$ref' && typeof inner === 'string'
      const text = isReference && inner.replace(/^#\/definitions\//, '#/components/schemas/')
      return [name, isReference ? text : renamed(inner)]
    }),
  )
}
