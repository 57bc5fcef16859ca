import { type components, unwrap } from '@millrace/client'
import { defineCommand, exitCodes } from '../../command.ts'
import { readFolder } from '../../solution/folder.ts'

type Finding = components['schemas']['SolutionFinding']

export const solutionCheck = defineCommand({
  options: {
    dir: { meaning: 'The folder; also without --dir.', required: true },
    solution: { meaning: 'A solution whose services count, too.' },
  },
  operand: 'dir',
  example:
    `mkdir -p checked && echo 'Keystore.set({key = "a", value = 1})' > checked/timer_timer.lua && ` +
    'npx millrace solution check checked',
  routes: ['checkSolution'],
  async run({ dir, solution }, { client, input, out }) {
    const files = (await readFolder(input.path(dir))).map(({ path, text }) => ({ path, text }))
    const body = { files, ...(solution !== undefined && { solution }) }
    const api = await client()
    const { findings } = await unwrap(api.POST('/api:1/solution-check', { body }))
    const errors = findings.filter(({ severity }) => severity === 'error').length
    const warnings = findings.length - errors
    out.show({ errors, warnings, findings }, () => [
      ...findings.map(lineOf),
      `errors ${errors}, warnings ${warnings}`,
    ])
    return errors === 0 ? exitCodes.done : exitCodes.failed
  },
})

function lineOf({ severity, kind, file, line, message }: Finding): string {
  const place = line === null ? file : `${file}:${line}`
  return `${severity.padEnd(7)} ${kind.padEnd(10)} ${place}: ${message}`
}
