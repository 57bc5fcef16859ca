import { posix } from 'node:path'
import {
  Fault,
  type Fields,
  invalidField,
  isJsonObject,
  limits,
} from '../../../foundation/kernel/index.ts'
import { isLuaFile } from '../registry/script.ts'

/** Patterns of `include`, and of `exclude`, of one part of a `murano.yaml`. */
const projectPatternsMax = 20
/** Characters of one of these patterns. */
const projectPatternCharsMax = 100

/** The places of the parts of a folder, and their files. */
export type Layout = {
  /**
   * Returns the file's path in a folder without a project: `modules/a.lua`. Undefined if the file
   * is not part of the solution.
   */
  standardPath(path: string): string | undefined
  /** The file that is run once, at the first push that has one; undefined if none is named. */
  readonly initScript?: string | undefined
}

const parts = ['modules', 'services', 'endpoints', 'routes'] as const

type Section = {
  readonly part: (typeof parts)[number]
  readonly location: string
  readonly include: readonly string[]
  readonly exclude: readonly string[]
}

/** The layout of a folder without a project: the standard paths. */
export const plainLayout: Layout = { standardPath: (path) => path }

/** True for the file of a project: `murano.yaml`, or the same in JSON. */
export function isProjectFile(path: string): boolean {
  return /^murano\.(?:json|ya?ml)$/.test(path)
}

/** True for the file that describes the endpoints of a project. */
export function isSchemaFile(standardPath: string): boolean {
  return /^endpoints\/schema\.(?:json|ya?ml)$/.test(standardPath)
}

/** True for a file of settings, JSON or YAML. */
export function isDataFile(path: string): boolean {
  return /\.(?:json|ya?ml)$/.test(path)
}

/** Reads the layout of a folder from its project; `note` gets what cannot be followed. */
export function readLayout(project: Fields, note: (sentence: string) => void): Layout {
  const { formatversion = '1.0.0' } = project
  if (formatversion !== '1.0.0') note('formatversion is not 1.0.0: the file is read as if it were')
  const sections = parts.map((part) => readSection(part, project[part], note))
  const initScript = initScriptIn(project)
  return {
    initScript,
    standardPath(path) {
      if (path === initScript) return 'services/config/init.lua'
      for (const { part, location, include, exclude } of sections) {
        if (!path.startsWith(`${location}/`)) continue
        const inside = path.slice(location.length + 1)
        const standard = `${part === 'routes' ? 'endpoints' : part}/${inside}`
        if (isSchemaFile(standard)) return standard
        if (isDataFile(path)) return part === 'services' ? standard : undefined
        const isOut = exclude.some((one) => matches(one, inside) || matches(one, baseName(inside)))
        if (!isOut && include.some((one) => matches(one, inside))) return standard
      }
      return undefined
    },
  }
}

/** The names of a project that have an effect here. */
const known = new Set<string>([
  'formatversion',
  'info',
  'options',
  'assets',
  'env_schema',
  'init_script',
  ...parts,
])

/** Returns a sentence for each field of a project that changes nothing. */
export function idleFields(project: Fields): string[] {
  const { options } = project
  const names = [
    ...Object.keys(project).filter((name) => !known.has(name)),
    ...(isJsonObject(options) ? Object.keys(options).map((name) => `options.${name}`) : []),
  ]
  return names.map((name) => `${name.slice(0, limits.nameCharsMax)} is kept and changes nothing`)
}

/** The path that `init_script` names, alone or as its `location`. */
function initScriptIn({ init_script: given }: Fields): string | undefined {
  const path = isJsonObject(given) ? given.location : given
  if (typeof path !== 'string' || path.includes('..')) return undefined
  const plain = path.replace(/^\.\//, '')
  return isLuaFile(plain) ? plain : undefined
}

function readSection(
  part: Section['part'],
  given: unknown,
  note: (sentence: string) => void,
): Section {
  const section = isJsonObject(given) ? given : {}
  if (section !== given && given !== undefined && given !== null) {
    note(`${part} is no object: it is kept and changes nothing`)
  }
  const { location, include, exclude } = section
  return {
    part,
    location: readOr(part, note, () => readLocation(`${part}.location`, location ?? part)),
    include: readOr(['**/*.lua'], note, () => parsePatterns(`${part}.include`, include)),
    exclude: readOr(['*_test.lua', '*_spec.lua'], note, () =>
      parsePatterns(`${part}.exclude`, exclude),
    ),
  }
}

/** A value that cannot be taken counts as left out. */
function readOr<Value>(
  usual: Value,
  note: (sentence: string) => void,
  read: () => Value | undefined,
): Value {
  try {
    return read() ?? usual
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    note(`${error.detail}: it is kept and changes nothing`)
    return usual
  }
}

/** A folder of the project, without a slash at its end. @throws Fault invalid_argument */
function readLocation(field: string, location: unknown): string {
  if (
    typeof location === 'string' &&
    /^(?:\.\/)?[\w@-][\w.@-]*(?:\/[\w@-][\w.@-]*)*\/?$/.test(location)
  ) {
    return posix.normalize(location).replace(/\/$/, '')
  }
  throw invalidField(field, 'must be a folder of the project')
}

/** Few stars: a pattern is matched against each file. */
function parsePatterns(field: string, given: unknown): readonly string[] | undefined {
  if (given === undefined) return undefined
  const list: unknown[] = Array.isArray(given) ? given : [given]
  const fits = list.every((one) => {
    return (
      typeof one === 'string' && one.length <= projectPatternCharsMax && /^[\w./@*-]+$/.test(one)
    )
  })
  if (fits && list.length <= projectPatternsMax) return list as string[]
  throw invalidField(field, `must be up to ${projectPatternsMax} patterns such as **/*.lua`)
}

function matches(pattern: string, path: string): boolean {
  return posix.matchesGlob(path, pattern)
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
