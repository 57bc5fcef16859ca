import {
  type Clock,
  Fault,
  type Implementation,
  implement,
  type Static,
} from '../../../foundation/kernel/index.ts'
import type { Outbound } from '../../../foundation/outbound/index.ts'
import type { Service, ServiceCall, ServiceSecrets } from '../../scripting/index.ts'
import type { Allowances } from './allowances.ts'
import { readArguments } from './arguments.ts'
import { composeRequest } from './compose.ts'
import { configure, httpSettings, openConfiguration } from './configuration.ts'
import { parseCredentials } from './credentials.ts'
import { follow } from './follow.ts'
import { httpClientLimits } from './limits.ts'
import { httpOperations } from './operations.ts'
import { type HttpResult, toResult } from './result.ts'

export type HttpServiceOptions = {
  readonly outbound: Pick<Outbound, 'call'>
  readonly allowances: Pick<Allowances, 'of'>
  readonly secrets: ServiceSecrets
  readonly clock: Clock
}

/** The HTTP client of the scripts: `http.get{url = "https://…"}` and its seven siblings. */
export function createHttpService(options: HttpServiceOptions): Service {
  const find = implement(httpOperations, makeImplementation(options))
  return {
    name: 'http',
    always: true,
    events: [],
    operation(name) {
      const run = find(name)
      return (
        run &&
        ((call, args) => run(call, args).catch((error) => nothingForInvalid(error, name, call)))
      )
    },
    configure: async (input) => configure(input, options.secrets),
    settings: httpSettings,
  }
}

function makeImplementation(
  options: HttpServiceOptions,
): Implementation<ServiceCall, typeof httpOperations.schemas> {
  const limited = createConcurrencyLimit()
  const named = (operation: string) => (call: ServiceCall, args: HttpOperation['args']) =>
    limited(call.solutionId, () => exchange(options, { operation, call, args }))
  return {
    delete: named('delete'),
    get: named('get'),
    head: named('head'),
    options: named('options'),
    patch: named('patch'),
    post: named('post'),
    put: named('put'),
    request: named('request'),
  }
}

type HttpOperation = {
  readonly operation: string
  readonly call: ServiceCall
  readonly args: Static<typeof httpOperations.schemas.get.args>
}

async function exchange(
  { outbound, allowances, secrets, clock }: HttpServiceOptions,
  { operation, call, args }: HttpOperation,
): Promise<HttpResult> {
  const given = readArguments(operation, args)
  const configured = openConfiguration(call.configuration, secrets)
  const credentials = parseCredentials(given.credentials ?? configured.credentials() ?? '')
  const request = composeRequest(given, credentials)
  const tls = given.sslOptions.given ? given.sslOptions.tls : configured.sslOptions()
  const answer = await follow(request, {
    outbound,
    clock,
    connectMs: given.connectMs,
    receiveMs: given.receiveMs,
    guest: {
      scope: call.solutionId,
      allow: await allowances.of(call.businessId),
      ...(tls === undefined ? {} : { tls }),
    },
    remainingMs: call.remainingMs,
    signal: call.signal,
  })
  return toResult(answer)
}

/** Returns nil for missing or invalid arguments, and logs the reason for the author. */
function nothingForInvalid(error: unknown, operation: string, call: ServiceCall): undefined {
  if (!(error instanceof Fault) || error.code !== 'invalid_argument') throw error
  call.warn?.(`${call.alias}.${operation} sends nothing and gives nil: ${error.detail}`)
  return undefined
}

/** Limits the concurrent requests of a solution, so that a slow host blocks no other solution. */
function createConcurrencyLimit() {
  const running = new Map<string, number>()
  return async <Result>(solutionId: string, work: () => Promise<Result>): Promise<Result> => {
    const before = running.get(solutionId) ?? 0
    if (before >= httpClientLimits.httpRequestsMax) {
      const { httpRequestsMax: most } = httpClientLimits
      const what = `A solution makes at most ${most} HTTP requests at once.`
      throw new Fault('http_busy', what)
    }
    running.set(solutionId, before + 1)
    try {
      return await work()
    } finally {
      const left = (running.get(solutionId) ?? 1) - 1
      if (left === 0) running.delete(solutionId)
      else running.set(solutionId, left)
    }
  }
}
