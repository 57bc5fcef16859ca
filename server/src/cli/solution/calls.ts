import type { SolutionLine } from '../../activity/index.ts'
import { print as printLine } from '../command.ts'
import { type Colours, printable } from '../terminal.ts'
import { timeOf } from '../values.ts'
import { errorLines, type Sources } from './source-lines.ts'
import { placeIn } from './source-place.ts'

export type CallViewOptions = {
  readonly print: (line: string) => void
  readonly colours: Colours
  /** The scripts as they were pushed last. */
  readonly sources: () => Sources
  /** Milliseconds that only move forward. */
  readonly elapsedMs: () => number
}

/** Prints a log call by call: the outcome of a call, and below it the lines that it logged. */
export type CallView = {
  take(lines: readonly SolutionLine[]): void
  /** Prints the lines so far of calls that run for long. */
  look(): void
  /** Shows all that is left. */
  end(): void
}

type Running = { readonly lines: SolutionLine[]; readonly sinceMs: number }

const longMs = 2_000
const indent = '    '

export function createCallView({ print, colours, sources, elapsedMs }: CallViewOptions): CallView {
  const running = new Map<string, Running>()

  function say(lines: readonly SolutionLine[]): void {
    for (const line of lines) print(`${indent}${saidOf(line, colours)}`)
  }

  function end(line: SolutionLine): void {
    const key = keyOf(line)
    print(headOf(line, colours))
    say(running.get(key)?.lines ?? [])
    running.delete(key)
    if (line.kind !== 'error') return
    const shown = errorLines(line.text, line.trace ?? [], sources(), colours)
    for (const one of shown) print(`${indent}${one.replaceAll('\n', `\n${indent}`)}`)
  }

  function showUntil(sinceMs: number): void {
    for (const [key, { lines, sinceMs: began }] of running) {
      const [first] = lines
      if (first === undefined || began > sinceMs) continue
      print(`${clockOf(first)}  ${colours.yellow('running')}  ${whatOf(first)}`)
      say(lines)
      running.delete(key)
    }
  }

  return {
    take(lines) {
      for (const line of lines) {
        if (line.usage !== undefined) end(line)
        else if (line.trackingId === '') print(`${clockOf(line)}  ${saidOf(line, colours)}`)
        else {
          const call = running.get(keyOf(line)) ?? { lines: [], sinceMs: elapsedMs() }
          call.lines.push(line)
          running.set(keyOf(line), call)
        }
      }
    },
    look: () => showUntil(elapsedMs() - longMs),
    end: () => showUntil(Number.POSITIVE_INFINITY),
  }
}

/** One id goes through solutions, and through several handlers of one. */
function keyOf({ trackingId, handler }: SolutionLine): string {
  return `${trackingId} ${handler}`
}

function headOf(line: SolutionLine, { green, red }: Colours): string {
  const { cpuMs = 0, serviceCalls = 0, wallMs = 0 } = line.usage ?? {}
  const cost = [shortMs(wallMs), cpuOf(cpuMs), counted(serviceCalls, 'service call')].join(', ')
  const outcome = outcomeOf(line)
  const end = outcome === 'returned' ? green(outcome) : red(outcome)
  return `${clockOf(line)}  ${end}  ${whatOf(line)}  ${cost}`
}

/** The CPU time of a call. */
function cpuOf(cpuMs: number): string {
  return `${shortMs(cpuMs)} CPU`
}

function shortMs(ms: number): string {
  return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`
}

/** A limit names itself in its error, and its place at the end. */
function outcomeOf({ kind, text, trace }: SolutionLine): string {
  if (kind === 'call') return 'returned'
  const [, limit] = /^limit (\w+):|\(limit (\w+)\)$/.exec(text)?.filter((one) => one) ?? []
  const [place] = trace?.[0]?.split(' in ') ?? []
  const isOwn = place !== undefined && !text.endsWith(`, at ${place}`)
  return limit === undefined || isOwn ? 'failed' : `stopped by ${limit}`
}

function whatOf({ handler, trackingId }: SolutionLine): string {
  return printable(`${handler.replace(/^handle_/, '')}  call ${trackingId}`)
}

function saidOf({ level, text }: SolutionLine, { yellow, red, dim }: Colours): string {
  const shown = printable(text).replaceAll('\n', `\n${indent}`)
  if (level === 'error') return red(`${level}  ${shown}`)
  if (level === 'warn') return yellow(`${level}  ${shown}`)
  return `${dim(level)}  ${shown}`
}

function clockOf({ at }: SolutionLine): string {
  return timeOf(at).slice('2000-01-01T'.length, -1)
}

function counted(count: number, what: string): string {
  return count === 1 ? `1 ${what}` : `${count} ${what}s`
}

/** Prints lines of a log, one by one. */
export function printLines(lines: readonly SolutionLine[]): void {
  for (const line of lines) printLine(formatLine(line))
}

const levelWidth = 5

function formatLine({ at, level, handler, text, usage, trace = [] }: SolutionLine): string {
  const who = handler === '' ? '' : `  ${handler}`
  const cost = usage === undefined ? '' : `  ${Math.round(usage.wallMs)} ms, ${cpuOf(usage.cpuMs)}`
  // The first place of a trace stands in the text, unless that is of an error that is a value.
  const more = trace.length > 1 || placeIn(text) === undefined
  const places = more ? trace.map((place) => `\n  at ${place}`).join('') : ''
  return printable(`${timeOf(at)}  ${level.padEnd(levelWidth)}${who}  ${text}${cost}${places}`)
}
