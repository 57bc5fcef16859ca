import { type Caller, faultOfSuccess } from '../../conformance/caller.ts'
import { readPaths } from '../../conformance/paths.ts'
import { type Insight, type ProcessRequest, readInsightList } from '../../protocol.ts'
import { makeCalls, type Recording } from './signals.ts'

/** A call: the inputs, and the outputs beside them. */
export type Line = {
  readonly function: string
  /** Such as `signal=20.5`. */
  readonly input: string
  /** Such as `scaled=41`; an error begins with `error`. */
  readonly output: string
}

const shownMax = 200

/** A module as it is served: its functions, and the path of its process call. */
export type ServedModule = {
  readonly functions: readonly Insight[]
  readonly process: string
}

/** Reads what is served; the reason where it cannot be read. */
export async function readServed({ get, post }: Caller): Promise<ServedModule | string> {
  const { insights, process } = readPaths((await get('/interface')).json)
  const answer = await post(insights, { group_id: '' })
  const fault = faultOfSuccess(answer)
  if (fault !== undefined) return fault
  const read = readInsightList(answer.json)
  return read.error ?? { functions: read.value.insights, process }
}

/** Sends signals to each function. An action without recorded signals is not run. */
export async function* runRound(
  caller: Caller,
  { functions, process }: ServedModule,
  recordings: ReadonlyMap<string, Recording>,
  nowMs: number,
): AsyncGenerator<Line> {
  for (const insight of functions) {
    const recording = recordings.get(insight.id)
    if (insight.type === 'action' && recording === undefined) continue
    for (const request of makeCalls(insight, recording, nowMs)) {
      const answer = await caller.post(process, request)
      const fault = faultOfSuccess(answer)
      const output =
        fault === undefined ? formatOutput(insight, answer.json) : formatError(fault, answer.json)
      yield { function: insight.id, input: formatInput(request), output }
    }
  }
}

function formatInput({ data }: ProcessRequest): string {
  return data.map(({ tags, value }) => `${tags?.inlet ?? 'value'}=${shown(value)}`).join(' ')
}

function formatOutput({ outlets }: Insight, json: unknown): string {
  const answered: readonly unknown[] = Array.isArray(json) ? json : []
  const values = answered.flatMap((outlet, index) =>
    (Array.isArray(outlet) ? outlet : []).map(
      (signal) => `${outlets[index]?.name ?? index}=${shown(signal?.value)}`,
    ),
  )
  return values.length === 0 ? '-' : values.join(' ')
}

function formatError(fault: string, json: unknown): string {
  const { name, message } = { ...(json as object) } as { name?: unknown; message?: unknown }
  return `error ${name === undefined ? fault : `${name}: ${message}`}`
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, shownMax)
}
