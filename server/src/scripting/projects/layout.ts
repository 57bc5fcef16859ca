import { posix } from 'node:path'
import { type Fields, invalidField, isJsonObject, limits } from '../../kernel/index.ts'

/** Where the parts of a folder lie, and which of its files are of them. */
export type Layout = {
  /**
   * Returns the file's path in a folder without a project: `modules/a.lua`. Undefined if the file
   * is not part of the solution.
   */
  standardPath(path: string): string | undefined
}

/** The project's file in JSON, as it is pushed; its author writes `murano.yaml`. */
export const projectFile = 'murano.json'

const parts = ['modules', 'services', 'endpoints', 'routes'] as const

type Section = {
  readonly part: (typeof parts)[number]
  readonly location: string
  readonly include: readonly string[]
  readonly exclude: readonly string[]
}

/** The layout of a folder without a project: the standard paths. */
export const plainLayout: Layout = { standardPath: (path) => path }

/** Reads the layout of a folder from its project. @throws Fault invalid_argument */
export function readLayout(project: Fields): Layout {
  const { formatversion = '1.0.0' } = project
  if (formatversion !== '1.0.0') throw invalidField('formatversion', 'must be 1.0.0')
  const sections = parts.map((part) => readSection(part, project[part]))
  return {
    standardPath(path) {
      for (const { part, location, include, exclude } of sections) {
        if (!path.startsWith(`${location}/`)) continue
        const inside = path.slice(location.length + 1)
        const standard = `${part === 'routes' ? 'endpoints' : part}/${inside}`
        if (path.endsWith('.json')) return part === 'services' ? standard : undefined
        const isOut = exclude.some((one) => matches(one, inside) || matches(one, baseOf(inside)))
        if (!isOut && include.some((one) => matches(one, inside))) return standard
      }
      return undefined
    },
  }
}

function readSection(part: Section['part'], given: unknown): Section {
  const section = given ?? {}
  if (!isJsonObject(section)) throw invalidField(part, 'must be an object')
  const { location = part, include = '**/*.lua', exclude = [`*_test.lua`, '*_spec.lua'] } = section
  if (
    typeof location !== 'string' ||
    !/^(?:\.\/)?[\w@-][\w.@-]*(?:\/[\w@-][\w.@-]*)*\/?$/.test(location)
  ) {
    throw invalidField(`${part}.location`, 'must be a folder of the project')
  }
  return {
    part,
    location: posix.normalize(location).replace(/\/$/, ''),
    include: patternsOf(`${part}.include`, include),
    exclude: patternsOf(`${part}.exclude`, exclude),
  }
}

/** Few stars: a pattern is matched against each file. */
function patternsOf(field: string, given: unknown): readonly string[] {
  const { projectPatternsMax, projectPatternCharsMax } = limits
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

function baseOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
