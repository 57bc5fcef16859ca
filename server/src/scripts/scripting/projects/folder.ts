import {
  Fault,
  type Fields,
  invalidField,
  isJsonObject,
  limits,
  nextTurn,
  StrictObject,
  Type,
} from '../../../foundation/kernel/index.ts'
import { storableField } from '../configurations/configuration.ts'
import { scriptingLimits } from '../limits.ts'
import { splitFile } from '../registry/headers.ts'
import type { SyntaxProblem } from '../registry/program.ts'
import { findRouteConflicts } from '../registry/route-conflicts.ts'
import {
  checkName,
  isFilePath,
  isLuaFile,
  type ScriptText,
  sourceSchema,
} from '../registry/script.ts'
import type { PushNote, Script } from '../schema.ts'
import {
  idleFields,
  isDataFile,
  isProjectFile,
  isSchemaFile,
  type Layout,
  plainLayout,
  readLayout,
} from './layout.ts'
import {
  aliasIn,
  type FolderService,
  mergeServices,
  objectIn,
  readServiceFile,
} from './service-files.ts'

/** A file of a folder of scripts; the path has `/` between its parts. */
export type FolderFile = { readonly path: string; readonly text: string }

/** The content of a folder, read. */
export type Folder = {
  readonly scripts: readonly ScriptText[]
  readonly services: readonly FolderService[]
  /** The content of its murano.yaml; null if there is none. */
  readonly project: Fields | null
  /** The files that are part of the solution, as they are. */
  readonly files: readonly FolderFile[]
  readonly problems: readonly SyntaxProblem[]
  readonly notes: readonly PushNote[]
}

type Reading = {
  readonly scripts: ScriptText[]
  readonly services: FolderService[]
  readonly problems: SyntaxProblem[]
  readonly notes: PushNote[]
}

/**
 * Reads a whole folder, a file in a turn of the event loop, and lists all its problems.
 * @throws Fault invalid_argument for too many scripts
 */
export async function readFolder(files: readonly FolderFile[]): Promise<Folder> {
  const reading: Reading = { scripts: [], services: [], problems: [], notes: [] }
  const { project, layout } = readProject(files, reading)
  const own: FolderFile[] = []
  for (const file of files) {
    if (isProjectFile(file.path) || readOne(file, layout, reading)) own.push(file)
    await nextTurn()
  }
  const scripts = withoutDoubles(reading)
  if (scripts.length > limits.scriptsMax) {
    throw new Fault('invalid_argument', `A solution has at most ${limits.scriptsMax} scripts.`)
  }
  const { services, problems, notes } = reading
  return {
    scripts,
    services: mergeServices([...services, ...projectServices(files, project)]),
    project,
    files: own,
    problems: [...problems, ...namedTwice(scripts), ...findRouteConflicts(scripts)],
    notes,
  }
}

/** `endpoints.cors` and `assets.default_page` of the project are settings of webservice. */
function projectServices(files: readonly FolderFile[], project: Fields | null): FolderService[] {
  const { endpoints, assets } = project ?? {}
  const file = files.find(({ path }) => isProjectFile(path))
  const cors = isJsonObject(endpoints) ? endpoints.cors : undefined
  const page = isJsonObject(assets) ? assets.default_page : undefined
  const body = {
    ...(cors !== undefined && { cors }),
    ...(page !== undefined && { default_page: String(page).replace(/^\.?\//, '') }),
  }
  if (file === undefined || Object.keys(body).length === 0) return []
  return [{ files: [file.path], alias: 'webservice', service: undefined, body }]
}

/** @returns false for a file that is no part of the solution. */
function readOne({ path, text }: FolderFile, layout: Layout, reading: Reading): boolean {
  const standard = layout.standardPath(path)
  if (standard === undefined) return false
  try {
    const alias = aliasIn(standard)
    if (alias !== undefined) reading.services.push(readServiceFile(path, alias, text))
    else if (isSchemaFile(standard)) readSchemaFile(path, text, reading)
    else if (isDataFile(path)) reading.notes.push({ file: path, message: noPlace })
    else readScriptFile(path, text, standard, reading)
  } catch (error) {
    reading.problems.push({ file: path, line: 1, message: toSentence(error) })
  }
  return true
}

/**
 * The description of endpoints that a project has beside them is a setting of webservice. It
 * checks nothing, so one that cannot be read refuses no push.
 */
function readSchemaFile(path: string, text: string, { services, notes }: Reading): void {
  try {
    const body = { schema: objectIn(text) }
    services.push({ files: [path], alias: 'webservice', service: undefined, body })
    notes.push({ file: path, message: schemaNote })
  } catch (error) {
    notes.push({ file: path, message: `${toSentence(error)}: it is kept and has no effect` })
  }
}

const schemaNote = 'is part of /openapi.json; no request is checked against it'

const noPlace = 'is in no place of a service: it is kept and has no effect'

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
  isPushed,
  (path) => {
    const shown = JSON.stringify(path.slice(0, limits.nameCharsMax))
    return `must be of a .lua file, services/<script key>.yaml or murano.yaml, not ${shown}`
  },
)

/** A file of data is the project, or lies in a folder of it. */
function isPushed(path: string): boolean {
  if (isLuaFile(path) || isProjectFile(path)) return true
  return isFilePath(path) && isDataFile(path) && path.includes('/')
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
export function toFiles(scripts: readonly Script[]): FolderFile[] {
  const files = Map.groupBy(scripts, ({ file }) => file)
  return [...files].map(([path, parts]) => {
    const ordered = [...parts].sort((a, b) => a.firstLine - b.firstLine)
    return { path, text: ordered.map(restoreText).join('') }
  })
}

/** An endpoint's file cannot have its kind in its name. */
function restoreText({ kind, name, source }: Script): string {
  if (kind !== 'endpoint' || /^--#ENDPOINT\b/m.test(source)) return source
  return `--#ENDPOINT ${name}\n${source}`
}

function readScriptFile(path: string, text: string, standardPath: string, reading: Reading): void {
  const { scripts, problems, notes } = splitFile(path, text, standardPath)
  reading.problems.push(...problems)
  reading.notes.push(...notes.map((message) => ({ file: path, message })))
  const last = scripts.at(-1)
  if (last !== undefined && last.firstLine > scriptingLimits.scriptFileLinesMax) {
    throw invalidField('The file', `has more than ${scriptingLimits.scriptFileLinesMax} lines`)
  }
  for (const script of scripts) checkName(script)
  reading.scripts.push(...scripts)
}

/** A project that cannot be read is a problem; the folder is then read as one without. */
function readProject(
  files: readonly FolderFile[],
  { problems, notes }: Reading,
): { readonly project: Fields | null; readonly layout: Layout } {
  const none = { project: null, layout: plainLayout }
  const [file, ...more] = files.filter(({ path }) => isProjectFile(path))
  if (file === undefined) return none
  for (const { path } of more)
    notes.push({ file: path, message: `${file.path} is read in its place` })
  try {
    const given = storableField(
      'The file',
      objectIn(file.text),
      scriptingLimits.configurationBytesMax,
    )
    const note = (message: string) => void notes.push({ file: file.path, message })
    const layout = readLayout(given, note)
    for (const message of [...idleFields(given), ...initNotes(files, given, layout)]) note(message)
    return { project: given, layout }
  } catch (error) {
    problems.push({ file: file.path, line: 1, message: toSentence(error) })
    return none
  }
}

function initNotes(
  files: readonly FolderFile[],
  { init_script: given }: Fields,
  { initScript }: Layout,
): string[] {
  if (given === undefined || files.some(({ path }) => path === initScript)) return []
  return ['init_script names no .lua file of the project: nothing is run']
}

/**
 * If several scripts have one handler, one counts, and the others are noted: that of a file of the
 * handler's name, else the first.
 */
function withoutDoubles({ scripts, notes }: Reading): ScriptText[] {
  const handlers = Map.groupBy(scripts, ({ kind, name }) => `${kind} ${name}`)
  const counting = new Map(
    [...handlers].map(([key, all]) => [key, all.find(isInOwnFile) ?? all[0]] as const),
  )
  return scripts.filter((script) => {
    if (script.kind !== 'handler') return true
    const chosen = counting.get(`handler ${script.name}`)
    if (chosen === script || chosen === undefined) return true
    const message = `the handler ${script.name} of ${chosen.file} is used in place of this one`
    notes.push({ file: script.file, message })
    return false
  })
}

/** True if the file has the name of its handler: `x_y.lua`, `x/y.lua`. */
function isInOwnFile({ name, file }: ScriptText): boolean {
  const at = name.lastIndexOf('_')
  const paths = [name, `${name.slice(0, at)}/${name.slice(at + 1)}`].map((one) => `${one}.lua`)
  return paths.some((path) => file === path || file.endsWith(`/${path}`))
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

export function toSentence(error: unknown): string {
  if (error instanceof Fault && error.status < 500) return error.detail
  throw error
}
