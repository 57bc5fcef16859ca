import { notAnApi, timedOut, toError, unreachable } from './errors.ts'

/** The time that an answer may take to begin, and each piece of it to come, in milliseconds. */
export const timeoutMsPreset = 60_000

/**
 * The pieces of a body as they come. 0: the next piece may take any time.
 * @throws ApiError `timeout` if the next piece takes longer, `unreachable` if the connection breaks.
 */
export async function* readPieces(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  timeoutMs: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await inTime(reader.read(), timeoutMs)
      if (done) return
      yield value
    }
  } catch (error) {
    throw unreachable(error)
  } finally {
    // Whoever reads no further releases the connection.
    reader.cancel().catch(() => {})
  }
}

function inTime<Result>(work: Promise<Result>, timeoutMs: number): Promise<Result> {
  if (timeoutMs === 0) return work
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(timedOut(timeoutMs)), timeoutMs)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/** The same answer with its body in memory. @throws ApiError as `readPieces`. */
export async function readWhole(response: Response, timeoutMs: number): Promise<Response> {
  if (response.body === null) return response
  const pieces: Uint8Array<ArrayBuffer>[] = []
  for await (const piece of readPieces(response.body, timeoutMs)) pieces.push(piece)
  // In browsers a 204 has an empty body, which no new answer may have.
  return new Response(pieces.length === 0 ? null : new Blob(pieces), response)
}

/**
 * The JSON of an answer.
 * @throws ApiError with the code, the status and the sentence of the API; `not_an_api` if it is no
 * JSON.
 */
export async function readJson(
  response: Response,
  timeoutMs: number = timeoutMsPreset,
): Promise<unknown> {
  const text = await (await readWhole(response, timeoutMs)).text()
  const body = parsed(text)
  if (!response.ok) throw toError(response, body)
  if (body === undefined) throw notAnApi(response.status)
  return body
}

/** Undefined if it is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
