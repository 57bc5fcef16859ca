import {
  Fault,
  type Fields,
  invalidField,
  isJsonObject,
  limits,
  parseJson,
  StrictObject,
  Type,
} from '../../kernel/index.ts'
import { checkService, storableField } from '../configurations/configuration.ts'
import { splitFile } from '../registry/headers.ts'
import type { SyntaxProblem } from '../registry/program.ts'
import { findRouteConflicts } from '../registry/route-conflicts.ts'
import {
  checkName,
  isLuaFile,
  type Script,
  type ScriptText,
  sourceSchema,
} from '../registry/script.ts'
import { type Layout, plainLayout, projectFile, readLayout } from './layout.ts'

/** A file of a folder of scripts; the path has `/` between its parts. */
export type FolderFile = { readonly path: string; readonly text: string }

/** The content of a folder, read. */
export type Folder = {
  readonly scripts: readonly ScriptText[]
  readonly services: readonly FolderService[]
  /** The content of its murano.yaml; null if there is none. */
  readonly project: Fields | null
  readonly problems: readonly SyntaxProblem[]
}

/**
 * `services/<script key>.json`, or in a folder of that name: the service, and what it is configured
 * with.
 */
export type FolderService = {
  readonly file: string
  readonly alias: string
  readonly service: string
  readonly body: Readonly<Record<string, unknown>>
}

const serviceFile = /^services\/(?:([a-zA-Z0-9]+)\/\1|([a-zA-Z0-9]+))\.json$/
const jsonFile = /^(?:[\w@-][\w.@-]*\/)*[\w@-][\w.@-]*\.json$/

/** Reads a whole folder, and lists all its problems. */
export function readFolder(files: readonly FolderFile[]): Folder {
  const problems: SyntaxProblem[] = []
  const scripts: ScriptText[] = []
  const services: FolderService[] = []
  const { project, layout } = readProject(files, problems)
  for (const { path, text } of files) {
    const standard = path === projectFile ? undefined : layout.standardPath(path)
    if (standard === undefined) continue
    try {
      const [, nested, alias = nested] = serviceFile.exec(standard) ?? []
      if (alias !== undefined) services.push(readService(path, alias, text))
      else if (path.endsWith('.json')) throw invalidField('The file', 'is in no place of a service')
      else scripts.push(...readScriptFile(path, text, standard, problems))
    } catch (error) {
      problems.push({ file: path, line: 1, message: sentenceOf(error) })
    }
  }
  const twice = [
    ...namedTwice(scripts),
    ...findRouteConflicts(scripts),
    ...configuredTwice(services),
  ]
  return { scripts, services, project, problems: [...problems, ...twice] }
}

/** The files of a folder as a request has them. */
export function createFilesSchema() {
  const file = StrictObject({ path: pathSchema, text: sourceSchema })
  const files = Type.Array(file, {
    missing: 'must be an array',
    maxItems: limits.scriptsMax + limits.configurationsMax,
  })
  return Type.Refine(
    files,
    (list) => pathTwice(list) === undefined,
    (list) => `must not hold ${pathTwice(list)} twice`,
  )
}

const pathSchema = Type.Refine(
  Type.String({
    description: 'With `/` between its parts.',
    missing: 'must be a string',
  }),
  isFilePath,
  () => 'must be of a .lua file, services/<script key>.json or murano.json',
)

function isFilePath(path: string): boolean {
  return isLuaFile(path) || (path.length <= limits.scriptNameCharsMax && isJsonFile(path))
}

function pathTwice(files: readonly FolderFile[]): string | undefined {
  const seen = new Set<string>()
  for (const { path } of files) {
    if (seen.has(path)) return path
    seen.add(path)
  }
  return undefined
}

/** The files that scripts came from, as they were. */
export function filesOf(scripts: readonly Script[]): FolderFile[] {
  const files = Map.groupBy(scripts, ({ file }) => file)
  return [...files].map(([path, parts]) => {
    const ordered = [...parts].sort((a, b) => a.firstLine - b.firstLine)
    return { path, text: ordered.map(textOf).join('') }
  })
}

/** An endpoint's file cannot have its kind in its name. */
function textOf({ kind, name, source }: Script): string {
  if (kind !== 'endpoint' || /^--#ENDPOINT\b/m.test(source)) return source
  return `--#ENDPOINT ${name}\n${source}`
}

function readScriptFile(
  path: string,
  text: string,
  standardPath: string,
  problems: SyntaxProblem[],
): ScriptText[] {
  const split = splitFile(path, text, standardPath)
  problems.push(...split.problems)
  const last = split.scripts.at(-1)
  if (last !== undefined && last.firstLine > limits.scriptFileLinesMax) {
    throw invalidField('The file', `has more than ${limits.scriptFileLinesMax} lines`)
  }
  for (const script of split.scripts) checkName(script)
  return [...split.scripts]
}

/** A file of JSON that a folder may have: the project, or one that lies in a folder of it. */
function isJsonFile(path: string): boolean {
  return path === projectFile || (path.includes('/') && jsonFile.test(path))
}

/** A project that cannot be read is a problem; the folder is then read as one without. */
function readProject(
  files: readonly FolderFile[],
  problems: SyntaxProblem[],
): { readonly project: Fields | null; readonly layout: Layout } {
  const none = { project: null, layout: plainLayout }
  const file = files.find(({ path }) => path === projectFile)
  if (file === undefined) return none
  try {
    const given = storableField('The file', objectIn(file.text), limits.configurationBytesMax)
    return { project: given, layout: readLayout(given) }
  } catch (error) {
    problems.push({ file: projectFile, line: 1, message: sentenceOf(error) })
    return none
  }
}

function readService(file: string, alias: string, text: string): FolderService {
  const { service = alias, ...body } = objectIn(text)
  return { file, alias, service: checkService(service), body }
}

function objectIn(text: string): Fields {
  let value: unknown
  try {
    value = parseJson(text)
  } catch (error) {
    throw new Fault('invalid_argument', (error as Error).message)
  }
  // A YAML file of comments alone is empty.
  if (value === null) return {}
  if (!isJsonObject(value)) throw invalidField('The file', 'must hold an object')
  return value
}

function configuredTwice(services: readonly FolderService[]): SyntaxProblem[] {
  return services.flatMap(({ alias, file }, at) => {
    const other = services.findIndex((one) => one.alias.toLowerCase() === alias.toLowerCase())
    if (other === at) return []
    const first = services[other]?.file ?? ''
    return [{ file, line: 1, message: `The service ${alias} is in ${first} already.` }]
  })
}

function namedTwice(scripts: readonly ScriptText[]): SyntaxProblem[] {
  const first = new Map<string, string>()
  return scripts.flatMap(({ kind, name, file, firstLine }) => {
    const other = first.get(`${kind} ${name}`)
    if (other === undefined) {
      first.set(`${kind} ${name}`, file)
      return []
    }
    return [{ file, line: firstLine, message: `The ${kind} ${name} is in ${other} already.` }]
  })
}

export function sentenceOf(error: unknown): string {
  if (error instanceof Fault && error.status < 500) return error.detail
  throw error
}
