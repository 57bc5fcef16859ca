import { ModuleError, toErrorResponse } from '../errors.ts'
import { type Credentials, checkCredentials, type Presented } from './credentials.ts'
import { type Routing, routeFor } from './routes.ts'

/** A request, as every host has it. */
export type ModuleRequest = Presented & {
  readonly method: string
  /** Without the query. */
  readonly path: string
  /** Reads the body as text. @throws ModuleError TooLarge */
  readonly text: (bytesMax: number) => Promise<string>
}

export type ModuleAnswer = {
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  readonly body: string
}

export type Answering = {
  readonly routing: Routing
  readonly credentials: Credentials | undefined
  readonly onTrouble: (trouble: unknown) => void
}

/** Answers one request, whatever the host. Never rejects: a failure is an answer. */
export async function answerRequest(
  { routing, credentials, onTrouble }: Answering,
  request: ModuleRequest,
): Promise<ModuleAnswer> {
  const extra: { [name: string]: string } = {}
  try {
    const route = routeFor(routing, request.path)
    if (route.open !== true) checkCredentials(credentials, request)
    if (request.method !== route.method) {
      extra.Allow = route.method
      throw new ModuleError('MethodNotAllowed', `The path answers ${route.method} only.`)
    }
    return sent(200, await within(routing.limits.processMsMax, route.answer(request)))
  } catch (thrown) {
    if (!(thrown instanceof ModuleError)) onTrouble(thrown)
    const error = toErrorResponse(thrown)
    if (error.status === 401 && credentials?.type === 'basic') {
      extra['WWW-Authenticate'] = 'Basic realm="insight"'
    }
    return sent(error.status, error, extra)
  }
}

function sent(
  status: number,
  body: unknown,
  extra: { readonly [name: string]: string } = {},
): ModuleAnswer {
  const headers = Object.assign({ 'Content-Type': 'application/json; charset=utf-8' }, extra)
  return { status, headers, body: JSON.stringify(body) }
}

/** Rejects after `msMax`: an author's function may never end, and its caller needs an answer. */
async function within<T>(msMax: number, work: T | Promise<T>): Promise<T> {
  const refusal = new ModuleError('Timeout', `No answer within ${msMax} ms.`)
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(refusal), msMax)
    // Once the server is closed nobody waits for the answer any more. Not every host has unref.
    if (typeof timer === 'object') timer.unref?.()
  })
  try {
    return await Promise.race([work, timeout])
  } finally {
    clearTimeout(timer)
  }
}
