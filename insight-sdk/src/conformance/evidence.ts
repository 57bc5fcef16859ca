import { isObject, type JsonObject, objectsIn } from '../protocol/reading.ts'
import { type Insight, type ProcessRequest, readInfo, readInsight } from '../protocol.ts'
import type { Answer, Caller } from './caller.ts'
import { functionPath, type Paths, readPaths } from './paths.ts'
import { sampleLinkId, sampleRequest, unusableRequest } from './sample.ts'

/** An answer and the words that name its call. */
export type Called = { readonly call: string; readonly answer: Answer }

/** The answers about one function. */
export type FunctionEvidence = {
  /** In words: `function "rms"`. */
  readonly where: string
  /** As it stands in the list. */
  readonly listed: JsonObject
  /** As a tolerant reader takes it. */
  readonly insight: Insight
  /** The answer of `GET /insight/{function_id}`; undefined if the module has no such path. */
  readonly described: Answer | undefined
  /** Undefined for an action, which is not run: its effects are unknown. */
  readonly sample: { readonly request: ProcessRequest; readonly answer: Answer } | undefined
  /** The answer to a value of another type than the inlet takes; undefined if there is none. */
  readonly unusable: Answer | undefined
}

/** All that a module answered to the calls of the checks. */
export type Evidence = {
  readonly url: URL
  readonly paths: Paths
  readonly definition: Answer
  readonly info: Answer
  /** True if the module's info says so. */
  readonly wantsEvents: boolean
  readonly list: Answer
  /** The list with limit 1 and offset 1. */
  readonly window: Answer
  readonly functions: readonly FunctionEvidence[]
  /** The answers to calls that must fail. */
  readonly failures: readonly Called[]
  /** The answers to one event of each kind; none if the module wants no events. */
  readonly lifecycle: readonly Called[]
}

const unknownFunction = 'no-such-function-conformance'

/** Calls every operation of a module. Actions are not run. */
export async function gather(caller: Caller, url: string, groupId: string): Promise<Evidence> {
  const definition = await caller.get('/interface')
  const paths = readPaths(definition.json)
  const info = await caller.get(paths.info)
  const read = readInfo(info.json)
  const wantsEvents = read.error === undefined && read.value.wants_lifecycle_events === true
  const list = await caller.post(paths.insights, { group_id: groupId })
  const windowBody = { group_id: groupId, limit: 1, offset: 1 }
  const window = await caller.post(paths.insights, windowBody)
  const functions: FunctionEvidence[] = []
  for (const listed of readInsights(list.json)) {
    const evidence = await gatherFunction(caller, paths, listed)
    if (evidence !== undefined) functions.push(evidence)
  }
  return {
    url: new URL(url),
    paths,
    definition,
    info,
    wantsEvents,
    list,
    window,
    functions,
    failures: await gatherFailures(caller, paths),
    lifecycle: wantsEvents ? await gatherEvents(caller, paths, functions) : [],
  }
}

/** The functions of an answer that lists some. */
export function readInsights(json: unknown): JsonObject[] {
  return isObject(json) ? objectsIn(json.insights) : []
}

async function gatherFunction(
  { get, post }: Caller,
  paths: Paths,
  listed: JsonObject,
): Promise<FunctionEvidence | undefined> {
  const read = readInsight(listed)
  if (read.error !== undefined) return undefined
  const { value: insight } = read
  const described = paths.insight && (await get(functionPath(paths.insight, insight.id)))
  const where = `function ${JSON.stringify(insight.id)}`
  const about = { where, listed, insight, described: described || undefined }
  if (insight.type === 'action') {
    return Object.assign(about, { sample: undefined, unusable: undefined })
  }
  const request = sampleRequest(insight)
  const sample = { request, answer: await post(paths.process, request) }
  const wrong = unusableRequest(insight)
  const unusable = wrong === undefined ? undefined : await post(paths.process, wrong)
  return Object.assign(about, { sample, unusable })
}

/** Calls that name a function that is not there. */
async function gatherFailures({ get, post }: Caller, paths: Paths): Promise<Called[]> {
  const args = { function_id: unknownFunction, constants: {} }
  const process = await post(paths.process, { id: sampleLinkId, data: [], args })
  const calls = [{ call: 'process of an unknown function', answer: process }]
  if (paths.insight === undefined) return calls
  const insight = await get(functionPath(paths.insight, unknownFunction))
  return [{ call: 'insight of an unknown function', answer: insight }, ...calls]
}

async function gatherEvents(
  { post }: Caller,
  { lifecycle = '/lifecycle' }: Paths,
  [first]: readonly FunctionEvidence[],
): Promise<Called[]> {
  const args = { function_id: first?.insight.id ?? '', constants: {} }
  const called: Called[] = []
  for (const event of ['create', 'delete']) {
    const answer = await post(lifecycle, { event, id: sampleLinkId, args })
    called.push({ call: `lifecycle ${event}`, answer })
  }
  return called
}
