import {
  type Fields,
  invalidField,
  isJsonObject,
  limits,
  parseYaml,
  pointerKeys,
  YamlProblem,
} from '../../../foundation/kernel/index.ts'

/** References in a described service's file that lead to one another. */
const cloudReferencesMax = 16

/** A document of a solution: OpenAPI 3, or Swagger 2.0. */
export type ApiDocument = {
  readonly fields: Fields
  readonly isSwagger: boolean
  /**
   * Returns the target of a `$ref` of the document; anything else as it is.
   * @throws Fault
   */
  resolve(value: unknown): unknown
}

/** The value of a document that is given as its text, YAML or JSON. @throws Fault */
export function parseDefinition(text: string): unknown {
  try {
    return parseYaml(text, {
      aliasesMax: limits.definitionAliasesMax,
      valuesMax: limits.definitionValuesMax,
      depthMax: limits.jsonDepthMax,
    })
  } catch (error) {
    if (!(error instanceof YamlProblem)) throw error
    throw invalidField('definition', error.message)
  }
}

/** @throws Fault invalid_argument for another kind of document */
export function openDocument(given: unknown): ApiDocument {
  if (!isJsonObject(given)) throw invalidField('definition', 'must be an OpenAPI document')
  const isSwagger = given.swagger === '2.0'
  if (!isSwagger && !/^3\.[01]\.\d+$/.test(String(given.openapi))) {
    throw invalidField('definition', 'must have openapi: 3.0.x or 3.1.x, or swagger: "2.0"')
  }
  const fields = given
  const known = new Map<string, unknown>()
  function follow(reference: string): unknown {
    let found: unknown = { $ref: reference }
    for (let hops = 0; isJsonObject(found) && typeof found.$ref === 'string'; hops += 1) {
      if (hops === cloudReferencesMax)
        throw invalidField('definition', 'has references in a circle')
      found = referredBy(fields, found.$ref)
    }
    known.set(reference, found)
    return found
  }
  return {
    fields,
    isSwagger,
    resolve(value) {
      if (!isJsonObject(value) || typeof value.$ref !== 'string') return value
      return known.has(value.$ref) ? known.get(value.$ref) : follow(value.$ref)
    },
  }
}

/** Only places in the document itself: no other file is read for a reference. */
function referredBy(document: Fields, reference: string): unknown {
  const shown = reference.slice(0, limits.nameCharsMax)
  if (!reference.startsWith('#/')) {
    throw invalidField('definition', `refers to ${shown}; only places in the document itself count`)
  }
  const found = pointerKeys(reference.slice(1)).reduce<unknown>(field, document)
  if (found === undefined) throw invalidField('definition', `has nothing at ${shown}`)
  return found
}

/** A field of an object, and nothing that it inherits. */
export function field(value: unknown, name: string): unknown {
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

/** The fields of an object; none of anything else. */
export function fieldsIn(value: unknown): [string, unknown][] {
  return isJsonObject(value) ? Object.entries(value) : []
}

/** The items of a list; none of anything else. */
export function itemsIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** Reads an extension field by its name behind the prefix; undefined if there is none. */
export type ReadExtension = (fields: unknown, name: string) => unknown

/** The field of the first prefix counts. */
export function createExtensions(prefixes: readonly string[]): ReadExtension {
  return (fields, name) => {
    if (!isJsonObject(fields)) return undefined
    const keys = prefixes.map((prefix) => `${prefix}${name}`)
    const key = keys.find((one) => Object.hasOwn(fields, one))
    return key === undefined ? undefined : fields[key]
  }
}
