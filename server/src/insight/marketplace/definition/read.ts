import {
  type DocumentProblem,
  Fault,
  isJsonObject,
  type Json,
  type JsonObject,
} from '../../../foundation/kernel/index.ts'
import type { DefinitionParts } from '../types.ts'
import { parseDocument } from './document.ts'
import { declaredOperations, defaultOperations, pathFields } from './operations.ts'
import { readParameters, withCredentials } from './parameters.ts'
import { getField } from './pointers.ts'
import { referenceProblems } from './references.ts'
import { definitionProblems, placeProblems } from './rules.ts'
import { readSecurity } from './security.ts'

/** Problems of a definition that the sentence of its refusal names; `problems` has all. */
const definitionProblemsShownMax = 5

/** A definition as it was read, and where the module is served. */
export type ModulePlace = DefinitionParts & { readonly base: string }

/** The host of the URL where a definition was read, or the one that the file names. */
export type DefinitionHost = 'url' | 'file'

/** A definition to be published. */
export type GivenDefinition = {
  readonly text: string
  /** The address of the module, if its file does not state it. */
  readonly base: string | null
  /** The address of the file; null if it was sent. */
  readonly definitionUrl: string | null
  /** The host that counts if there is no base: by default the file's. */
  readonly host?: DefinitionHost
  /** Keeps what breaks the rules with the definition, in place of a refusal. */
  readonly tolerant: boolean
  /** The prefixes of extension fields, such as `x-vendor-`. */
  readonly prefixes: readonly string[]
}

/**
 * Reads a definition by the rules of the specification. With a base URL beside it, its `host` and
 * `basePath` are not used.
 * @throws Fault definition_refused, with everything that is wrong.
 */
export function readDefinition(given: GivenDefinition): ModulePlace & { readonly title: string } {
  const { base, definitionUrl, tolerant } = given
  const parsed = parseDocument(given.text)
  if ('problem' in parsed) throw refusal([parsed.problem])
  const { document } = parsed
  const parts = readDocument(document, given.prefixes)
  const ofPlace = base === null ? placeProblems(document) : []
  const problems = [...parts.problems, ...ofPlace]
  if (problems.length > 0 && !tolerant) throw refusal(problems)
  const { host, basePath, info } = document
  const title = getField(info, 'title')
  const named = { ...parts, problems, title: typeof title === 'string' ? title : '' }
  if (base !== null) return { ...named, base }
  if (ofPlace.length === 0 && given.host !== 'url') {
    return { ...named, base: joinBase(chooseOrigin(host, definitionUrl), basePath) }
  }
  // A file that names no host that can be one: the module is where its file is.
  if (definitionUrl === null) throw refusal(ofPlace)
  return { ...named, base: joinBase(new URL(definitionUrl).origin, basePath) }
}

/** The host of a file by `https:`; by the scheme of its URL if it is the same host. */
function chooseOrigin(host: Json | undefined, definitionUrl: string | null): string {
  const at = definitionUrl === null ? null : new URL(definitionUrl)
  return at?.host === String(host).toLowerCase() ? at.origin : `https://${host}`
}

/** Returns whether a text that a module answered is its definition. */
export function isDefinition(text: string): boolean {
  const parsed = parseDocument(text)
  return 'document' in parsed && isJsonObject(parsed.document.paths)
}

/** The refusal of a definition. */
export function refusal(problems: readonly DocumentProblem[]): Fault {
  const most = definitionProblemsShownMax
  const first = problems.slice(0, most).map(({ pointer, detail }) => `${pointer}: ${detail}`)
  const more = problems.length > most ? `; and ${problems.length - most} more` : ''
  const detail = `The definition is refused: ${first.join('; ')}${more}.`
  return new Fault('definition_refused', detail, { problems })
}

/**
 * Reads the definition of a module in the field, which may break rules: they are kept with it. The
 * base is the URL that a person gave, with the file's `basePath`; its host is not used. Without a
 * definition, and for what every module has, the operations of the specification.
 */
export function readTolerantly(
  base: string,
  text: string | undefined,
  prefixes: readonly string[],
): ModulePlace {
  const parsed = text === undefined ? undefined : parseDocument(text)
  const hasPaths =
    parsed !== undefined && 'document' in parsed && isJsonObject(parsed.document.paths)
  if (!hasPaths) {
    const problems = parsed !== undefined && 'problem' in parsed ? [parsed.problem] : []
    const nothing = { version: '', parameters: [], security: [] }
    return { ...nothing, base: joinBase(base, ''), operations: defaultOperations, problems }
  }
  const { document } = parsed
  const parts = readDocument(document, prefixes)
  const problems = [...parts.problems, ...placeProblems(document)]
  return { ...parts, problems, base: joinBase(base, document.basePath) }
}

function readDocument(document: JsonObject, prefixes: readonly string[]): DefinitionParts {
  const read = readParameters(document, prefixes)
  const { parameters: declared, hidden, problems: ofParameters } = read
  const { schemes, problems: ofSecurity } = readSecurity(document, declared, prefixes)
  const parameters = withCredentials(declared, schemes, hidden)
  const listed = pathFields(document)
  const operations = declaredOperations({ document, listed, parameters, prefixes })
  const { info, insights, process } = defaultOperations
  const version = getField(document.info, 'version')
  return {
    version: typeof version === 'string' ? version : '',
    operations: { info, insights, process, ...operations },
    parameters,
    security: schemes,
    problems: [
      ...referenceProblems(document),
      ...definitionProblems(document, listed, operations, prefixes),
      ...ofParameters,
      ...ofSecurity,
    ],
  }
}

/** The base with the file's `basePath`, unless it ends with that already. */
function joinBase(base: string, basePath: Json | undefined): string {
  const url = new URL(base)
  const root = [url.origin, ...splitSegments(url.pathname)].join('/')
  const added = typeof basePath === 'string' ? splitSegments(basePath).join('/') : ''
  return new URL(added === '' || root.endsWith(`/${added}`) ? root : `${root}/${added}`).href
}

function splitSegments(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '')
}
