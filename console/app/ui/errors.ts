import { ApiError } from '@millrace/client'

const titles: Readonly<Record<string, string>> = {
  unreachable: 'Millrace cannot be reached',
  timeout: 'Millrace did not answer in time',
  not_an_api: 'The answer cannot be read',
  unknown_credential: 'Not signed in',
  forbidden: 'Your role does not permit this',
  sign_in_locked: 'Too many failed sign-ins',
  passwords_differ: 'Check what you typed',
  not_found: 'It is not there',
  unknown_identity: 'There is no such device',
  too_complex: 'Too much at once',
  cost_exceeded: 'Too much at once',
  answer_too_large: 'Too much at once',
  list_too_long: 'Too much at once',
  overloaded: 'Millrace is busy',
  server_closed: 'Millrace is closing',
  log_unavailable: 'The event log cannot be written',
  time_exceeded: 'It took too long',
  internal: 'Something broke inside Millrace',
}

/** In the place of what the client says, which knows no operator. */
const sentences: Readonly<Record<string, string>> = {
  unreachable: 'Nothing answers at this address. Is the server running?',
  timeout: 'The server took too long. It is asked again in a moment.',
  not_an_api: 'Something other than Millrace answered, perhaps a proxy.',
  internal: "The server's own log says what.",
}

/** An error as operators read it. */
export type ErrorWords = {
  readonly title: string
  readonly message: string
  /** A code of the API, or of the client. */
  readonly code: string
}

export function wordsOf(error: Error): ErrorWords {
  if (!(error instanceof ApiError)) {
    return { title: 'This page has a fault', message: error.message, code: 'console_broken' }
  }
  const { code, message } = error
  const title = titles[code] ?? 'The request was refused'
  return { title, message: sentences[code] ?? message, code }
}

/** Whether the error has the code. */
export function hasCode(error: unknown, code: string): error is ApiError {
  return error instanceof ApiError && error.code === code
}

/** Whether the server is out of reach, whatever the request was. */
export function isOutage(error: Error | null): error is ApiError {
  return error instanceof ApiError && (error.status === 0 || error.code === 'not_an_api')
}
