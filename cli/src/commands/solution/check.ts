import type { components } from '@millrace/client'
import { defineCommand, exitCodes } from '../../command.ts'
import { readProject } from '../../solution/static-files.ts'

type Finding = components['schemas']['SolutionFinding']

export const solutionCheck = defineCommand({
  options: {
    dir: { meaning: 'The folder; also without --dir.', required: true },
    solution: { meaning: 'A solution whose services are taken into account, too.' },
  },
  operand: 'dir',
  example:
    `mkdir -p checked && echo 'Keystore.set({key = "a", value = 1})' > checked/timer_timer.lua && ` +
    'npx millrace solution check checked',
  routes: ['checkSolution'],
  async run({ dir, solution }, { call, input, out }) {
    const project = await readProject(input.path(dir))
    const files = project.files.map(({ path, text }) => ({ path, text }))
    const checked = await call('checkSolution', { files, solution })
    const noted = project.notes.map((note): Finding => {
      return { severity: 'warning', kind: 'setting', line: null, ...note }
    })
    const findings = [...noted, ...checked.findings]
    const errors = findings.filter(({ severity }) => severity === 'error').length
    const warnings = findings.length - errors
    out.show({ errors, warnings, findings }, () => [
      ...findings.map(formatFinding),
      `errors ${errors}, warnings ${warnings}`,
    ])
    return errors === 0 ? exitCodes.done : exitCodes.failed
  },
})

function formatFinding({ severity, kind, file, line, message }: Finding): string {
  const place = line === null ? file : `${file}:${line}`
  return `${severity.padEnd(7)} ${kind.padEnd(10)} ${place}: ${message}`
}
