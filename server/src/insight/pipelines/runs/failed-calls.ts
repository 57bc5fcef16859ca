import { isDeepStrictEqual } from 'node:util'
import {
  type LifecycleEvent,
  type ProcessRequest,
  readProcessRequest,
} from '@millrace/insight-sdk/protocol'
import {
  AnyValue,
  component,
  Fault,
  invalid,
  isJsonObject,
  type Json,
  Microseconds,
  Nullable,
  omitUndefined,
  type StaticResult,
  StrictObject,
  Type,
} from '../../../foundation/kernel/index.ts'
import type { DeadJob, DeadJobKey } from '../../../log/jobs/index.ts'
import { requireWhole, type View } from '../../../people/groups/index.ts'
import type { Assets } from '../../assets/index.ts'
import { builtinId } from '../builtin/registry.ts'
import { parseAssetId, type RunInput, type SentCall } from './run-input.ts'
import type { Runs } from './runs.ts'

export const failedCallSchema = component(
  'FailedCall',
  {
    id: Type.String(),
    assetId: Type.String({
      description: 'The id of the asset; empty for `init` or `gc` of a module.',
      wire: 'asset',
    }),
    linkId: Nullable(Type.String(), {
      description: 'The id of the link; null for a run that was not begun: too many waited.',
      wire: 'link',
    }),
    linkName: Nullable(Type.String()),
    moduleId: Nullable(Type.String(), { description: 'The id of the module.', wire: 'module' }),
    functionId: Nullable(Type.String(), {
      description: 'The id of the function.',
      wire: 'function',
    }),
    request: AnyValue<ProcessRequest | LifecycleEvent | null>({
      description: 'The body of the call; null if none was made.',
    }),
    trackingId: Nullable(Type.String(), { description: 'The `X-Request-Id` of the call.' }),
    error: StrictObject({
      code: Type.String({ description: 'One of the codes of errors, such as `module_failed`.' }),
      reason: Type.String(),
    }),
    tries: Type.Integer({ description: 'How often it was tried, by itself or by a person.' }),
    createdAt: Microseconds('When it was first kept, in microseconds.'),
    failedAt: Microseconds('When it failed for the last time, in microseconds.'),
  },
  { description: 'A call of a function of an insight module that failed.' },
)
export type FailedCall = StaticResult<typeof failedCallSchema>

export type FailedCallPage = {
  /** Newest first. */
  readonly calls: readonly FailedCall[]
  readonly before: DeadJobKey | undefined
}

export type FailedCallsQuery = {
  readonly limit?: number | undefined
  readonly before?: DeadJobKey | undefined
  /** Only those of this asset, and of this link: their ids. */
  readonly assetId?: string | undefined
  readonly linkId?: string | undefined
}

/**
 * The corrected parts of a request: `data`, `args.constants` and `history`. The rest says which
 * link is called: it may be given as it is.
 */
export type CallCorrection = { readonly [Field in keyof ProcessRequest]?: unknown }

/** Calls of functions that failed, for those who see their assets. */
export type FailedCalls = {
  /** A page of one who does not see all groups is shorter by the calls of other assets. */
  list(view: View, asked: FailedCallsQuery): Promise<FailedCallPage>
  /**
   * Counts the failed calls of a business, at most `most`.
   * @throws Fault forbidden for one who does not see all groups
   */
  count(view: View, most: number): Promise<number>
  /** @throws Fault not_found */
  get(view: View, id: string): Promise<FailedCall>
  /** Replaces the data of a call; makes none. @throws Fault not_found, invalid_argument */
  correct(view: View, id: string, data: readonly unknown[]): Promise<void>
  /**
   * Makes a call again, after all that wait for its asset; what its function feeds follows.
   * @throws Fault not_found, and invalid_argument for what a correction cannot change
   */
  retry(view: View, id: string, correction?: CallCorrection): Promise<void>
  /**
   * Makes all of them again, in the order in which they failed. @returns how many.
   * @throws Fault forbidden for one who does not see all groups
   */
  retryAll(view: View): Promise<number>
  /** @throws Fault not_found */
  discard(view: View, id: string): Promise<void>
  /** @returns how many. @throws Fault forbidden for one who does not see all groups */
  discardAll(view: View): Promise<number>
}

type FailedCallsOptions = {
  readonly runs: Pick<Runs, 'deadLetters'>
  readonly assets: Pick<Assets, 'some'>
}

export function createFailedCalls({ runs, assets }: FailedCallsOptions): FailedCalls {
  const { deadLetters } = runs

  async function seen(view: View, jobs: readonly DeadJob<RunInput>[]): Promise<FailedCall[]> {
    const calls = jobs.map(toFailedCall)
    if (view.groups === 'all') return calls
    const ids = calls.map(({ assetId }) => assetId)
    const own = new Set((await assets.some(view, ids)).map(({ id }) => id))
    return calls.filter(({ assetId }) => own.has(assetId))
  }

  async function find({ businessId, ...view }: View, id: string): Promise<DeadJob<RunInput>> {
    const job = await deadLetters.get(businessId, businessId, id).catch(rethrow)
    const [call] = await seen({ businessId, ...view }, [job])
    if (call === undefined) throw noCall()
    return job
  }

  return {
    async list(view, { assetId, linkId, ...page }) {
      const { businessId } = view
      const asked = {
        ...page,
        key: assetId,
        containing: linkId === undefined ? undefined : matchInputs(linkId),
      }
      const { jobs, before } = await deadLetters.list(businessId, businessId, asked)
      return { calls: await seen(view, jobs), before }
    },
    count: async (view, most) => deadLetters.count(requireWholeBusiness(view), most),
    get: async (view, id) => toFailedCall(await find(view, id)),
    async correct(view, id, data) {
      const input = corrected((await find(view, id)).input, { data })
      await deadLetters.correct(view.businessId, view.businessId, id, input).catch(rethrow)
    },
    async retry(view, id, correction) {
      const { input } = await find(view, id)
      const other = correction && { input: corrected(input, correction) }
      await deadLetters.retry(view.businessId, view.businessId, id, other).catch(rethrow)
    },
    async retryAll(view) {
      const businessId = requireWholeBusiness(view)
      return deadLetters.retryAll(businessId, businessId)
    },
    async discard(view, id) {
      await find(view, id)
      await deadLetters.discard(view.businessId, view.businessId, id).catch(rethrow)
    },
    async discardAll(view) {
      const businessId = requireWholeBusiness(view)
      return deadLetters.discardAll(businessId, businessId)
    },
  }
}

/** Returns the content of the inputs of jobs that are shown as calls of a link. */
function matchInputs(linkId: string): Json[] {
  return [
    { kind: 'call', call: { link: { id: linkId } } },
    { kind: 'notice', link: { id: linkId } },
  ]
}

/** @throws Fault forbidden */
function requireWholeBusiness(view: View): string {
  requireWhole(view, 'This, for all calls at once,')
  return view.businessId
}

function toFailedCall({
  id,
  key,
  input,
  failure,
  attempts,
  ...job
}: DeadJob<RunInput>): FailedCall {
  const { detail, reason } = failure
  const code = isJsonObject(detail) && typeof detail.code === 'string' ? detail.code : 'internal'
  return {
    id,
    assetId: input.kind === 'setup' ? '' : parseAssetId(key),
    ...toShown(input, id),
    error: { code, reason },
    tries: input.kind === 'call' ? (input.call.tries ?? attempts) : attempts,
    createdAt: job.createdAtUs,
    failedAt: job.failedAtUs,
  }
}

function toShown(input: RunInput, jobId: string) {
  if (input.kind === 'call') {
    const { link, request, trackingId } = input.call
    return { ...toFields(link), request, trackingId }
  }
  const trackingId = input.kind === 'setup' ? jobId : null
  if (input.kind !== 'notice') return { ...toFields(undefined), request: null, trackingId }
  return { ...toFields(input.link), request: input.event, trackingId }
}

function toFields(link: SentCall['link'] | undefined) {
  const { id = null, name = null, moduleId = null, functionId = null } = link ?? {}
  return { linkId: id, linkName: name, moduleId, functionId }
}

/** @throws Fault invalid_argument */
function corrected(input: RunInput, correction: CallCorrection): RunInput {
  if (input.kind !== 'call') {
    throw new Fault('invalid_argument', 'The call was not made, so it has no data to replace.')
  }
  const { call } = input
  requireKnown('', correction, { id: call.request.id }, ['data', 'args', 'history'])
  const { data = call.request.data, history = call.request.history } = correction
  if (Array.isArray(data) && data.length === 0) throw invalid('data must have at least 1 item')
  const args = correctedArgs(call, correction.args)
  const asked = { ...call.request, data, args, ...omitUndefined({ history }) }
  const read = readProcessRequest(asked)
  if (read.error !== undefined) throw invalid(`The request: ${read.error}`)
  return { ...input, call: { ...call, request: asked as ProcessRequest } }
}

/** The arguments of a request with other constants. @throws Fault invalid_argument */
function correctedArgs({ request: { args }, link }: SentCall, given: unknown): unknown {
  if (given === undefined) return args
  if (!isJsonObject(given)) throw invalid('args is an object')
  const { constants, ...own } = args
  requireKnown('args.', given, own, ['constants'])
  const isSame = isDeepStrictEqual(given.constants ?? constants, constants)
  if (link.moduleId === builtinId && !isSame) {
    throw invalid('The constants of a built-in action are those of its link: change it there')
  }
  return { ...args, ...omitUndefined({ constants: given.constants }) }
}

/** Refuses fields that are not known, and those of the link unless they are as they were. */
function requireKnown(
  path: string,
  given: object,
  own: object,
  correctable: readonly string[],
): void {
  const kept = new Map<string, unknown>(Object.entries(own))
  for (const [name, value] of Object.entries(given)) {
    if (correctable.includes(name) || (kept.has(name) && value === kept.get(name))) continue
    throw invalid(
      kept.has(name)
        ? `${path}${name} is of the link and cannot be corrected`
        : `There is no field ${path}${name} to correct`,
    )
  }
}

/** @throws Fault not_found in the words of calls; any other error as it is. */
function rethrow(error: unknown): never {
  if (error instanceof Fault && error.code === 'not_found') {
    throw noCall()
  }
  throw error
}

function noCall(): Fault {
  return new Fault('not_found', 'No failed call has this id.')
}
