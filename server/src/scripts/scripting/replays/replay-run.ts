import { readFileSync } from 'node:fs'
import {
  elapsedMs,
  Fault,
  type Json,
  type Logger,
  parseOwnJson,
} from '../../../foundation/kernel/index.ts'
import type { Operation } from '../configurations/service.ts'
import { scriptingLimits } from '../limits.ts'
import { handlerName, type LoadedSolution } from '../registry/build.ts'
import type { Program } from '../registry/program.ts'
import { createScriptHost } from '../runtime/create-host.ts'
import type { HostEnd, LoggedLine, LogText, ScriptHost, ServiceRequest } from '../runtime/host.ts'
import type { ScriptValue } from '../runtime/value.ts'
import { encodeValue } from '../runtime/value-json.ts'
import type { ReplayedCall, ReplayedRun } from '../schema.ts'
import type { RecordedEvent } from './recorded-events.ts'

export type ReplayServices = {
  /** Finds the operation that a call asks for; undefined if the solution has none such. */
  find(request: ServiceRequest): Promise<Operation | undefined>
  /** Makes a call. Never rejects. */
  route(request: ServiceRequest): Promise<ScriptValue>
}

export type ReplayRunOptions = {
  readonly services: ReplayServices
  readonly logger: Logger
}

const chunk = {
  name: '-millrace-replay.lua',
  source: readFileSync(new URL('./replay.lua', import.meta.url), 'utf8'),
  role: { kind: 'plain' },
} as const
const entry = 'handle_millracereplay_run'
const usPerSecond = 1_000_000
const seedRange = 2 ** 31
const event = 'event'

/**
 * Runs recorded events through scripts, in a thread of its own: what they keep in memory, and the
 * CPU that they take, are of the replay alone. The bounds on time and memory are of all its runs.
 */
export class ReplayRun {
  readonly #host: ScriptHost
  readonly #services: ReplayServices
  readonly #untilMs = elapsedMs() + scriptingLimits.replayMsMax
  #bytes = 0
  #calls: ReplayedCall[] = []
  #logs: LogText[] = []
  #version = 0

  constructor({ services, logger }: ReplayRunOptions) {
    this.#services = services
    const callService = (request: ServiceRequest) => this.#call(request)
    const log = (line: LoggedLine) => this.#log(line)
    const hooks = { callService, log }
    this.#host = createScriptHost({ hooks, logger, workers: 1, quarantineWorkers: 1 })
  }

  /** @throws Fault time_exceeded, invalid_argument if what they do is too much to be kept. */
  async run(
    { program, handlers }: LoadedSolution,
    events: readonly RecordedEvent[],
  ): Promise<ReplayedRun[]> {
    this.#version += 1
    const chunks = [chunk, ...program.chunks]
    const own = { ...program, version: this.#version, chunks }
    const runs: ReplayedRun[] = []
    for (const one of events) {
      const known = handlers.has(handlerName(one.alias, event))
      runs.push(known ? await this.#handle(own, one) : unhandled)
    }
    return runs
  }

  close(): Promise<void> {
    return this.#host.close()
  }

  async #handle(
    program: Program,
    { entry: { at, part, seq }, alias, argument }: RecordedEvent,
  ): Promise<ReplayedRun> {
    const leftMs = this.#untilMs - elapsedMs()
    if (leftMs <= 0) throw late()
    this.#calls = []
    this.#logs = []
    const { solutionId } = program
    const call = {
      handler: handlerName(alias, event),
      now: Math.floor(at / usPerSecond),
      seed: at % seedRange,
      event: argument,
    }
    const context = {
      solution_id: solutionId,
      tracking_id: `replay-${part}-${seq}`,
      service: alias,
    }
    const options = { handler: entry, args: [call], context, depth: 0, wallMsMax: leftMs }
    const end = await this.#host.call(program, options)
    if (elapsedMs() > this.#untilMs) throw late()
    const done = { calls: this.#calls, logs: this.#logs }
    if (this.#bytes > scriptingLimits.replayBytesMax) throw tooMuch()
    return { outcome: end.kind, error: toError(end), ...done }
  }

  async #call(request: ServiceRequest): Promise<ScriptValue> {
    const { service, operation: name, args } = request
    const operation = await this.#services.find(request)
    // An operation that is not there fails as it would; one that states nothing about itself may
    // change something.
    const made = operation === undefined || operation.effect?.reads(args) === true
    const text = encodeValue(args)
    this.#bytes += service.length + name.length + text.length
    if (this.#bytes > scriptingLimits.replayBytesMax) return null
    this.#calls.push({ service, operation: name, args: sorted(parseOwnJson(text)), made })
    if (made) return this.#services.route(request)
    return operation.effect === undefined ? {} : (operation.effect.answer() as ScriptValue)
  }

  #log({ level, text }: LoggedLine): void {
    this.#bytes += text.length
    if (this.#bytes <= scriptingLimits.replayBytesMax) this.#logs.push({ level, text })
  }
}

const unhandled: ReplayedRun = { outcome: 'none', error: null, calls: [], logs: [] }

function toError(end: HostEnd): string | null {
  return end.kind === 'returned' ? null : end.error.error
}

/** The order of a script's fields is another one in each machine. */
function sorted(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(sorted)
  const fields = Object.entries(value as Readonly<Record<string, Json>>)
  fields.sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(fields.map(([name, field]) => [name, sorted(field)]))
}

function late(): Fault {
  const seconds = scriptingLimits.replayMsMax / 1_000
  return new Fault('time_exceeded', `The replay was stopped after ${seconds} seconds.`)
}

function tooMuch(): Fault {
  const most = `${scriptingLimits.replayBytesMax} bytes of calls and logs`
  return new Fault('invalid_argument', `The scripts make more than ${most}; take a shorter range.`)
}
