import type { components } from '@millrace/client'
import type { Output } from '../../output/output.ts'
import { makeColours } from '../colours.ts'
import { errorLines, printable, type Sources, showError } from '../source-lines.ts'

/** The result of a test; `file` is that of the tests, or the folder that cannot be pushed. */
export type TestResult = components['schemas']['SolutionTestResult'] & { readonly file: string }

/** Prints results as they come, and their counts at the end. */
export type Report = {
  add(result: TestResult): void
  end(elapsedMs: number): void
}

type Counts = { passed: number; failed: number }

/** For people: a heading for each file, and below it its tests. */
export function peopleReport(out: Output, sources: Sources): Report {
  const colours = makeColours(out)
  const { green, red, dim } = colours
  const counts: Counts = { passed: 0, failed: 0 }
  const indented = (text: string) => out.print(`    ${text.replaceAll('\n', '\n    ')}`)
  let heading: string | undefined
  return {
    add({ file, name, outcome, usage, error, printed }) {
      if (file !== heading) out.print(heading === undefined ? file : `\n${file}`)
      heading = file
      count(counts, outcome)
      const shown = outcome === 'passed' ? green('ok     ') : red(outcome.padEnd('stopped'.length))
      if (name !== null) out.print(`  ${shown}  ${name}  ${dim(`${Math.round(usage.wall_ms)} ms`)}`)
      if (error === undefined) return
      for (const text of name === null ? error.text.split('\n') : [error.text]) {
        for (const line of errorLines(text, error.trace, sources, colours)) indented(line)
      }
      for (const { level, text } of printed) indented(dim(`${level}  ${printable(text)}`))
    },
    end(elapsedMs) {
      const seconds = (elapsedMs / 1_000).toFixed(1)
      const said = `${counts.passed} passed, ${counts.failed} failed, in ${seconds} s`
      out.print(`\n${counts.failed === 0 ? green(said) : red(said)}`)
    },
  }
}

/** For programs: one JSON object at the end. */
export function machineReport(out: Output, sources: Sources): Report {
  const counts: Counts = { passed: 0, failed: 0 }
  const tests: object[] = []
  return {
    add({ file, name, outcome, usage, error, printed }) {
      count(counts, outcome)
      const { where, message, source } = showError(error?.text ?? '', error?.trace ?? [], sources)
      tests.push({
        file,
        name,
        outcome,
        ms: Math.round(usage.wall_ms),
        cpu_ms: Math.round(usage.cpu_ms),
        service_calls: usage.service_calls,
        ...(error === undefined
          ? {}
          : { error: { where: where ?? null, message, source, trace: error.trace } }),
        printed,
      })
    },
    end(elapsedMs) {
      out.show({ ...counts, ms: Math.round(elapsedMs), tests }, () => [])
    },
  }
}

function count(counts: Counts, outcome: TestResult['outcome']): void {
  if (outcome === 'passed') counts.passed += 1
  else counts.failed += 1
}
