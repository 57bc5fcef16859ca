import {
  Fault,
  type Fields,
  invalidField,
  isJsonObject,
  limits,
  parseYaml,
  YamlProblem,
} from '../../../foundation/kernel/index.ts'
import { checkService } from '../configurations/configuration.ts'

/**
 * `services/<script key>.yaml`, or in a folder of that name, or both of them merged: the service,
 * and what it is configured with.
 */
export type FolderService = {
  /** The files that configure it; refusals name the first. */
  readonly files: readonly string[]
  readonly alias: string
  /** Undefined if no file names it: then it is that of the script key. */
  readonly service: string | undefined
  readonly body: Fields
}

const places = /^services\/(?:([a-zA-Z0-9]+)\/\1|([a-zA-Z0-9]+))\.(?:json|ya?ml)$/

/** Returns the script key that the path of a service's file has; undefined for another file. */
export function aliasIn(standardPath: string): string | undefined {
  const [, nested, alias = nested] = places.exec(standardPath) ?? []
  return alias
}

/** The service of a file that is an OpenAPI document. */
const describedService = 'openapi'

function isDescription({ openapi, swagger, service }: Fields): boolean {
  return service === undefined && (typeof openapi === 'string' || typeof swagger === 'string')
}

/** Reads one file of a service. @throws Fault invalid_argument */
export function readServiceFile(file: string, alias: string, text: string): FolderService {
  const fields = objectIn(text)
  if (isDescription(fields)) {
    return { files: [file], alias, service: describedService, body: { definition: fields } }
  }
  const { service, ...body } = fields
  return {
    files: [file],
    alias,
    service: service === undefined ? undefined : checkService(service),
    body,
  }
}

/** Merges the files of each script key, in the order of their paths: the last one counts. */
export function mergeServices(services: readonly FolderService[]): FolderService[] {
  const byAlias = Map.groupBy(services, ({ alias }) => alias.toLowerCase())
  return [...byAlias.values()].flatMap(([first, ...more]) => {
    if (first === undefined) return []
    return [
      more.reduce((merged, { files, service, body }) => {
        return {
          files: [...merged.files, ...files],
          alias: merged.alias,
          service: service ?? merged.service,
          body: mergedFields(merged.body, body),
        }
      }, first),
    ]
  })
}

/** Objects are merged, everything else is replaced. */
function mergedFields(first: Fields, second: Fields): Fields {
  const merged = new Map(Object.entries(first))
  for (const [name, value] of Object.entries(second)) {
    const before = merged.get(name)
    const both = isJsonObject(before) && isJsonObject(value)
    merged.set(name, both ? mergedFields(before, value) : value)
  }
  return Object.fromEntries(merged)
}

/** The object that a file of YAML or JSON holds. @throws Fault invalid_argument */
export function objectIn(text: string): Fields {
  let value: unknown
  try {
    value = parseYaml(text, {
      aliasesMax: limits.definitionAliasesMax,
      valuesMax: limits.definitionValuesMax,
      depthMax: limits.jsonDepthMax,
    })
  } catch (error) {
    if (!(error instanceof YamlProblem)) throw error
    throw new Fault('invalid_argument', `The file ${error.message}`)
  }
  // A file of comments alone is empty.
  if (value === null || value === undefined) return {}
  if (!isJsonObject(value)) throw invalidField('The file', 'must hold an object')
  return value
}
