import { isObject } from '../protocol/reading.ts'
import {
  type Insight,
  readInfo,
  readInsight,
  readInsightList,
  readProcessAnswer,
  type SignalData,
} from '../protocol.ts'
import { type Caller, faultOfFailure, faultOfSuccess } from './caller.ts'
import type { Check } from './check-module.ts'
import { check, type Paths } from './definition-checks.ts'
import { probe, sampleLinkId, sampleRequest } from './sample.ts'

const unknownFunction = 'no-such-function-conformance'
/** A module that answers more to one sample is mistaken. */
const sampleValuesMax = 10_000

/** Checks `GET /info`; returns whether it requests lifecycle events. */
export async function checkInfo(
  { get }: Caller,
  paths: Paths,
): Promise<{ checks: Check[]; wantsEvents: boolean }> {
  const name = 'info answers an InsightInfoResults'
  const answer = await get(paths.info)
  const fault = faultOfSuccess(answer)
  if (fault !== undefined) return { checks: [failed(name, fault)], wantsEvents: false }
  const read = readInfo(answer.json)
  const wantsEvents = read.error === undefined && read.value.wants_lifecycle_events === true
  return { checks: [readCheck(name, read)], wantsEvents }
}

/** Checks `POST /insights`; gives the functions that could be read. */
export async function checkList(
  { post }: Caller,
  paths: Paths,
  groupId: string,
): Promise<{ checks: Check[]; insights: readonly Insight[] }> {
  const name = 'insights answers an InsightListResults'
  const answer = await post(paths.insights, { group_id: groupId })
  const fault = faultOfSuccess(answer)
  if (fault !== undefined) return { checks: [failed(name, fault)], insights: [] }
  const read = readInsightList(withTypes(answer.json))
  if (read.error !== undefined) return { checks: [failed(name, read.error)], insights: [] }
  const window = await post(paths.insights, { group_id: groupId, limit: 1, offset: 1 })
  return {
    checks: [readCheck(name, read), checkWindow(window.json, read.value.insights)],
    insights: read.value.insights,
  }
}

function checkWindow(json: unknown, insights: readonly Insight[]): Check {
  const name = 'insights keeps to limit and offset'
  const read = readInsightList(json)
  if (read.error !== undefined) return failed(name, read.error)
  const ids = read.value.insights.map(({ id }) => id)
  const expected = insights.slice(1, 2).map(({ id }) => id)
  const reason = `limit 1, offset 1 gave ${JSON.stringify(ids)}, not ${JSON.stringify(expected)}`
  return check(name, JSON.stringify(ids) === JSON.stringify(expected), reason)
}

/** Checks what a module says of one function, where it serves that at all. */
export async function checkInsight(
  { get }: Caller,
  path: string,
  insight: Insight,
): Promise<Check> {
  const name = `insight/${insight.id} answers what the list says`
  const answer = await get(pathOf(path, insight.id))
  const fault = faultOfSuccess(answer)
  if (fault !== undefined) return failed(name, fault)
  const read = readInsight(withType(answer.json))
  if (read.error !== undefined) return failed(name, read.error)
  const same = JSON.stringify(read.value) === JSON.stringify(insight)
  return check(name, same, 'it differs from the list')
}

/** Checks that what is not there is refused in the protocol's words. */
export async function checkRefusals({ get, post }: Caller, paths: Paths): Promise<Check[]> {
  const args = { function_id: unknownFunction, constants: {} }
  const process = await post(paths.process, { id: sampleLinkId, data: [], args })
  const processCheck = failureCheck('process refuses an unknown function', process)
  if (paths.insight === undefined) return [processCheck]
  const insight = await get(pathOf(paths.insight, unknownFunction))
  return [failureCheck('insight refuses an unknown function', insight), processCheck]
}

/** Runs a function once. An action is not run: its effects are unknown. */
export async function checkProcess(
  { post }: Caller,
  paths: Paths,
  insight: Insight,
): Promise<Check[]> {
  if (insight.type === 'action') return []
  const name = `process of ${insight.id} answers one array an outlet`
  const request = sampleRequest(insight)
  const answer = await post(paths.process, request)
  const fault = faultOfSuccess(answer)
  if (fault !== undefined) return [failed(name, fault)]
  const limits = { valuesMax: sampleValuesMax }
  const read = readProcessAnswer(answer.json, insight.outlets.length, limits)
  if (read.error !== undefined) return [failed(name, read.error)]
  const said = read.value.flat()
  return [
    readCheck(name, read),
    check(
      `process of ${insight.id} copies the fields of its source`,
      said.every((signal) => isCopied(signal, request.data)),
      `origin, ttl or tags.${probe.tag} of the source is lost`,
    ),
  ]
}

/** Tells of the checks' own linkage; whatever is answered will do, as long as it is an answer. */
export async function checkLifecycle({ post }: Caller, path: string): Promise<Check> {
  const args = { function_id: unknownFunction, constants: {} }
  const answers = [
    await post(path, { event: 'create', id: sampleLinkId, args }),
    await post(path, { event: 'delete', id: sampleLinkId, args }),
  ]
  const refused = answers.find(({ status }) => status === 0 || status === 404 || status === 405)
  const reason = refused?.unreachable ?? `answered ${refused?.status}`
  return check('lifecycle is served', refused === undefined, reason)
}

function isCopied(signal: SignalData, sources: readonly SignalData[]): boolean {
  return sources.some(
    ({ origin, ttl }) =>
      signal.origin === origin && signal.ttl === ttl && signal.tags?.[probe.tag] === probe.text,
  )
}

function pathOf(template: string, functionId: string): string {
  return template.replace(/\{[^}]*\}/, () => encodeURIComponent(functionId))
}

/** The protocol lets the type be left out; the reader mentions it all the same. */
function withType(json: unknown): unknown {
  return isObject(json) ? { ...json, type: json.type ?? 'transform' } : json
}

function withTypes(json: unknown): unknown {
  if (!isObject(json) || !Array.isArray(json.insights)) return json
  return { ...json, insights: json.insights.map(withType) }
}

function failed(name: string, reason: string): Check {
  return { name, ok: false, reason }
}

function failureCheck(name: string, answer: Parameters<typeof faultOfFailure>[0]): Check {
  const fault = faultOfFailure(answer)
  return check(name, fault === undefined, fault ?? '')
}

type Read =
  | { readonly complaints: readonly string[]; readonly error?: undefined }
  | { readonly error: string }

function readCheck(name: string, read: Read): Check {
  if (read.error !== undefined) return failed(name, read.error)
  return check(name, read.complaints.length === 0, read.complaints.join('; '))
}
