import { readHeaders } from './headers.ts'
import type { SyntaxProblem } from './program.ts'
import type { ScriptText } from './script.ts'

/**
 * Endpoints of one method whose paths differ only in the names of their parameters: they take the
 * same requests, so that the later one would never run.
 */
export function findRouteConflicts(scripts: readonly ScriptText[]): SyntaxProblem[] {
  const first = new Map<string, ScriptText>()
  return scripts.flatMap((script) => {
    if (script.kind !== 'endpoint') return []
    const shape = routeShape(script.name)
    const other = first.get(shape)
    if (other === undefined) first.set(shape, script)
    if (other === undefined || other.name === script.name) return []
    const message = `The endpoint ${script.name} takes what ${other.name} of ${other.file} takes.`
    return [{ file: script.file, line: headerLine(script), message }]
  })
}

/** `GET /a/{}`: the part of the name that requests are matched by. */
function routeShape(name: string): string {
  const parts = name.split('/').map((part) => {
    const [, star] = /^\{\w+(\*?)\}$/.exec(part) ?? []
    return star === undefined ? decoded(part) : `{${star}}`
  })
  return parts.join('/')
}

/** The character of `%2F` is no end of a part. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part).replaceAll('/', '%2F')
  } catch {
    return part
  }
}

/** The line of its header, if it has one. */
function headerLine({ file, firstLine, source }: ScriptText): number {
  const [header] = readHeaders(file, source).headers
  return firstLine - 1 + (header?.line ?? 1)
}
