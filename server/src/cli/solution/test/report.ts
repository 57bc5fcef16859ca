import { errorLines, type Sources, showError } from '@millrace/cli/source-lines'
import { type Colours, printable } from '../../terminal.ts'
import type { TestResult } from './run.ts'

/** Prints results as they come, and their counts at the end. */
export type Report = {
  add(result: TestResult): void
  end(elapsedMs: number): void
}

export type Counts = { passed: number; failed: number }

/** For people: a heading for each file, and below it its tests. */
export function peopleReport(
  print: (line: string) => void,
  sources: Sources,
  colours: Colours,
): Report {
  const { green, red, dim } = colours
  const counts: Counts = { passed: 0, failed: 0 }
  let heading: string | undefined
  return {
    add({ file, name, outcome, usage, error, printed }) {
      if (file !== heading) print(heading === undefined ? file : `\n${file}`)
      heading = file
      count(counts, outcome)
      const shown = outcome === 'passed' ? green('ok     ') : red(outcome.padEnd('stopped'.length))
      if (name !== undefined) {
        print(`  ${shown}  ${name}  ${dim(`${Math.round(usage.wallMs)} ms`)}`)
      }
      if (error === undefined) return
      for (const text of name === undefined ? error.text.split('\n') : [error.text]) {
        for (const line of errorLines(text, error.trace, sources, colours)) indented(print, line)
      }
      for (const { level, text } of printed) indented(print, dim(`${level}  ${printable(text)}`))
    },
    end(elapsedMs) {
      const seconds = (elapsedMs / 1_000).toFixed(1)
      const said = `${counts.passed} passed, ${counts.failed} failed, in ${seconds} s`
      print(`\n${counts.failed === 0 ? green(said) : red(said)}`)
    },
  }
}

/** For programs: one JSON object at the end. */
export function machineReport(print: (line: string) => void, sources: Sources): Report {
  const counts: Counts = { passed: 0, failed: 0 }
  const tests: object[] = []
  return {
    add({ file, name, outcome, usage, error, printed }) {
      count(counts, outcome)
      const { where, message, source } = showError(error?.text ?? '', error?.trace ?? [], sources)
      tests.push({
        file,
        name: name ?? null,
        outcome,
        ms: Math.round(usage.wallMs),
        cpu_ms: Math.round(usage.cpuMs),
        service_calls: usage.serviceCalls,
        ...(error === undefined
          ? {}
          : { error: { where: where ?? null, message, source, trace: error.trace } }),
        printed,
      })
    },
    end(elapsedMs) {
      print(JSON.stringify({ ...counts, ms: Math.round(elapsedMs), tests }, undefined, 2))
    },
  }
}

function count(counts: Counts, outcome: TestResult['outcome']): void {
  if (outcome === 'passed') counts.passed += 1
  else counts.failed += 1
}

function indented(print: (line: string) => void, text: string): void {
  print(`    ${text.replaceAll('\n', '\n    ')}`)
}
