import { findSource, markFault, placeIn } from './source-place.ts'

/** Colours and weights on a terminal; elsewhere they return the text unchanged. */
export type Colours = Readonly<
  Record<'red' | 'green' | 'yellow' | 'dim' | 'bold', (text: string) => string>
>

/** The files of scripts by their paths, as they were at the time of the message. */
export type Sources = ReadonlyMap<string, string>

export type Shown = {
  /** The place, as `file.lua:3` or `file.lua:3:7`; undefined if unknown. */
  readonly where: string | undefined
  readonly message: string
  /** The line of source with its marks below; empty if the file is unknown. */
  readonly source: readonly string[]
}

/**
 * A script's error in the form of compilers. An error that is a value names no place: then
 * the innermost one of its trace is meant.
 */
export function showError(text: string, trace: readonly string[], sources: Sources): Shown {
  const own = placeIn(text)
  const place = own ?? placeIn((trace[0] ?? '').replace(/ in .*$/s, ''))
  if (place === undefined) return { where: undefined, message: text, source: [] }
  const message = own?.message ?? text
  const { line } = place
  const found = findSource(sources, place.file)
  const said = found?.text.split('\n')[line - 1]?.replace(/\r$/, '')
  const file = found?.file ?? place.file
  if (said === undefined) return { where: `${file}:${line}`, message, source: [] }
  const { column, under } = markFault(said, message)
  const number = String(line)
  return {
    where: `${file}:${line}${column === undefined ? '' : `:${column}`}`,
    message,
    source: [`  ${number} | ${said}`, `  ${' '.repeat(number.length)} | ${under}`],
  }
}

/** Output of scripts may contain control sequences of terminals. */
export function printable(text: string): string {
  return text.replaceAll(/(?![\n\t])\p{Cc}/gu, '\ufffd')
}

/** The same as lines for a terminal. */
export function errorLines(
  text: string,
  trace: readonly string[],
  sources: Sources,
  { red, bold, dim }: Colours,
): string[] {
  const { where, message, source } = showError(text, trace, sources)
  const [line, marks] = source
  // The first place of a trace is the one that is shown already, where it stands alone.
  const places = trace.length > 1 ? trace : []
  return [
    `${where === undefined ? '' : `${bold(printable(where))}: `}${red(printable(message))}`,
    ...(line === undefined ? [] : [printable(line)]),
    ...(marks === undefined ? [] : [red(marks)]),
    ...places.map((place) => dim(`  at ${printable(place)}`)),
  ]
}
