import { Fault, limits } from '../../../foundation/kernel/index.ts'
import type { ScriptHost } from '../runtime/host.ts'
import { toChunk } from './build.ts'
import { readEndpointLines } from './endpoint.ts'
import { readHeaders, readRetry } from './headers.ts'
import type { SyntaxProblem } from './program.ts'
import type { ScriptText } from './script.ts'

/** Compiles scripts and returns their problems, in the order of the scripts. */
export async function findProblems(
  host: Pick<ScriptHost, 'check'>,
  solutionId: string,
  scripts: readonly ScriptText[],
): Promise<SyntaxProblem[]> {
  const found = await Promise.all(
    scripts.map((script) => host.check(solutionId, toChunk(script, new Map()))),
  )
  return found.flatMap((problem) => problem ?? [])
}

/** Returns the problems of the header lines of one script, which must be its own. */
export function headerProblems({ kind, name, file, source }: ScriptText): SyntaxProblem[] {
  const { headers, problems } = readHeaders(file, source)
  const foreign = headers
    .filter(({ key }) => key.kind !== kind || key.name !== name)
    .map(({ line, key }) => ({ file, line, message: `The header is of another one: ${key.name}.` }))
  return [
    ...problems,
    ...foreign,
    ...readRetry(file, source).problems,
    ...readEndpointLines(file, source).problems,
  ]
}

/** @throws Fault script_refused that names each file and line. */
export function throwProblems(problems: readonly SyntaxProblem[]): void {
  if (problems.length === 0) return
  const shown = problems.slice(0, limits.complaintsMax)
  const lines = shown.map(({ file, line, message }) => `${file}:${line}: ${message}`)
  const more = problems.length - shown.length
  throw new Fault('script_refused', [...lines, ...(more > 0 ? [`${more} more`] : [])].join('\n'))
}
