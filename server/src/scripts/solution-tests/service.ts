import { posix } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Fault, isJsonObject, limits, parseJson } from '../../foundation/kernel/index.ts'
import type { Ended, Operation, ScriptValue, Service } from '../scripting/index.ts'
import { type CallFields, requestEndpoint } from './endpoint.ts'
import type { DataFile } from './schema.ts'
import type { TestInstance } from './tested-solution.ts'

export type TestServiceOptions = {
  readonly instance: Pick<TestInstance, 'httpUrl' | 'scripting'>
  /** The files that a test may read. */
  readonly data: readonly DataFile[]
  /** Aborted if the run is stopped: then a waiting test ends. */
  readonly stopping: AbortSignal
  /** Called with the outcome of each handler that a test has run. */
  readonly ended: (what: string, end: Ended) => void
}

const pauseMs = 100

/** The service that support.lua calls: what only the platform can do for a test. */
export function testService(options: TestServiceOptions): Service {
  const operations = new Map<string, Operation>([
    ['event', (call, args) => runHandler(options, call, toFields(args))],
    ['file', async (_, args) => ({ value: readEvent(options.data, toFields(args)) })],
    [
      'request',
      (call, args) =>
        requestEndpoint(
          options.instance.httpUrl,
          call.solutionId,
          toFields(args),
          call.remainingMs,
        ),
    ],
    ['pause', ({ signal }) => waitABit(AbortSignal.any([signal, options.stopping]))],
  ])
  const operation = (name: string) => operations.get(name)
  return { name: 'millracetest', always: true, events: [], operation }
}

async function waitABit(signal: AbortSignal): Promise<ScriptValue> {
  const waited = await pause(pauseMs, true, { signal }).catch(() => false)
  if (waited) return true
  return { type: 'ServerError', error: 'The tests were interrupted.', status: 503 }
}

type Call = Parameters<Operation>[0]
function toFields(args: ScriptValue): CallFields {
  return isJsonObject(args) ? (args as CallFields) : {}
}

/** A call of its own, with limits of its own, as an event of the platform makes it. */
async function runHandler(
  { instance, ended }: TestServiceOptions,
  { businessId, solutionId, depth, remainingMs }: Call,
  { service, event, argument = null }: CallFields,
): Promise<ScriptValue> {
  const [alias, name] = [String(service), String(event)]
  const end = await instance.scripting.api.run({
    businessId,
    solutionId,
    service: alias,
    event: name,
    argument,
    depth: depth + 1,
    wallMsMax: remainingMs,
  })
  ended(`${alias}_${name}`, end)
  return end.kind === 'returned' ? { value: end.value } : { ...end.error }
}

const folder = '/folder'

/** JSON of the folder alone: a test reads nothing else of its author's machine. */
function readEvent(data: readonly DataFile[], { path }: CallFields): ScriptValue {
  const file = posix.resolve(folder, String(path))
  const refused = (why: string) => new Fault('invalid_argument', `${path} ${why}`)
  if (!file.startsWith(`${folder}/`)) throw refused('is not in the folder')
  const found = data.find((one) => posix.join(folder, one.path) === file)
  if (found === undefined) throw refused('is not a file of the folder')
  const max = limits.scriptValueBytesMax
  if (found.bytes > max) throw refused(`has more than ${max} bytes`)
  if (found.text === undefined) throw refused('was left out: the JSON of the folder is too large')
  try {
    return parseJson(found.text) as ScriptValue
  } catch {
    throw refused('does not contain JSON')
  }
}
