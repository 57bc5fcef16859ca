import { hasCode } from '../../../ui/errors.ts'

/** A problem in a line of a script. */
export type ScriptProblem = { readonly line: number; readonly message: string }

/** Returns the lines that an error names; none if it is not about what the script says. */
export function parseProblems(error: Error | null): readonly ScriptProblem[] {
  if (!hasCode(error, 'script_refused')) return []
  return error.message.split('\n').flatMap((text) => {
    const [, line, message] = /^.*?:(\d+): (.*)$/.exec(text) ?? []
    return line === undefined || message === undefined ? [] : [{ line: Number(line), message }]
  })
}
