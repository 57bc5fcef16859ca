import type { components } from '@millrace/client'
import { formatTime } from '../output/output.ts'
import { type Colours, errorLines, printable, type Sources } from './source-lines.ts'

type SolutionLine = components['schemas']['SolutionLine']

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
    for (const line of lines) print(`${indent}${formatLogged(line, colours)}`)
  }

  function end(line: SolutionLine): void {
    const key = callKey(line)
    print(formatHead(line, colours))
    say(running.get(key)?.lines ?? [])
    running.delete(key)
    if (line.type !== 'error') return
    const shown = errorLines(line.text, line.trace ?? [], sources(), colours)
    for (const one of shown) print(`${indent}${one.replaceAll('\n', `\n${indent}`)}`)
  }

  function showUntil(sinceMs: number): void {
    for (const [key, { lines, sinceMs: began }] of running) {
      const [first] = lines
      if (first === undefined || began > sinceMs) continue
      print(`${formatClock(first)}  ${colours.yellow('running')}  ${formatCall(first)}`)
      say(lines)
      running.delete(key)
    }
  }

  return {
    take(lines) {
      for (const line of lines) {
        if (line.usage !== undefined) end(line)
        else if (line.tracking_id === '')
          print(`${formatClock(line)}  ${formatLogged(line, colours)}`)
        else {
          const call = running.get(callKey(line)) ?? { lines: [], sinceMs: elapsedMs() }
          call.lines.push(line)
          running.set(callKey(line), call)
        }
      }
    },
    look: () => showUntil(elapsedMs() - longMs),
    end: () => showUntil(Number.POSITIVE_INFINITY),
  }
}

/** The same id goes through solutions, and through several handlers of one. */
function callKey({ tracking_id: trackingId, handler }: SolutionLine): string {
  return `${trackingId} ${handler}`
}

function formatHead(line: SolutionLine, { green, red }: Colours): string {
  const {
    cpu_ms: cpuMs = 0,
    service_calls: serviceCalls = 0,
    wall_ms: wallMs = 0,
  } = line.usage ?? {}
  const cost = [shortMs(wallMs), formatCpu(cpuMs), counted(serviceCalls, 'service call')].join(', ')
  const outcome = formatOutcome(line)
  const end = outcome === 'returned' ? green(outcome) : red(outcome)
  return `${formatClock(line)}  ${end}  ${formatCall(line)}  ${cost}`
}

/** The CPU time of a call. */
export function formatCpu(cpuMs: number): string {
  return `${shortMs(cpuMs)} CPU`
}

function shortMs(ms: number): string {
  return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`
}

/** A limit names itself in its error, and its place at the end. */
function formatOutcome({ type, text, trace }: SolutionLine): string {
  if (type === 'call') return 'returned'
  const [, limit] = /^limit (\w+):|\(limit (\w+)\)$/.exec(text)?.filter((one) => one) ?? []
  const [place] = trace?.[0]?.split(' in ') ?? []
  const isOwn = place !== undefined && !text.endsWith(`, at ${place}`)
  return limit === undefined || isOwn ? 'failed' : `stopped by ${limit}`
}

function formatCall({ handler, tracking_id: trackingId }: SolutionLine): string {
  return printable(`${handler.replace(/^handle_/, '')}  call ${trackingId}`)
}

function formatLogged({ level, text }: SolutionLine, { yellow, red, dim }: Colours): string {
  const shown = printable(text).replaceAll('\n', `\n${indent}`)
  if (level === 'error') return red(`${level}  ${shown}`)
  if (level === 'warn') return yellow(`${level}  ${shown}`)
  return `${dim(level)}  ${shown}`
}

function formatClock({ timestamp }: SolutionLine): string {
  return formatTime(timestamp).slice('2000-01-01T'.length, -1)
}

function counted(count: number, what: string): string {
  return count === 1 ? `1 ${what}` : `${count} ${what}s`
}
