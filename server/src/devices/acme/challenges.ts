import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Database } from '../../foundation/database/index.ts'
import type { Logger } from '../../foundation/kernel/index.ts'
import { acmeLimits } from './limits.ts'
import { deleteAnswer, deleteAnswersBefore, insertAnswer, readAnswer } from './store.ts'

const prefix = '/.well-known/acme-challenge/'
const tokenPattern = /^[\w-]{1,200}$/
const usPerMs = 1_000

type Answer = { readonly status: number; readonly text: string }

/**
 * The answers to challenges of HTTP-01 (RFC 8555, 8.3). They lie in the database, so that each
 * process can give them, whichever the ACME server reaches.
 */
export class Challenges {
  readonly #database: Database
  readonly #logger: Logger

  constructor(database: Database, logger: Logger) {
    this.#database = database
    this.#logger = logger
  }

  owns(url: string): boolean {
    return url.startsWith(prefix)
  }

  /** @throws Error if the token is none. */
  async add(token: string, answer: string): Promise<void> {
    if (!tokenPattern.test(token)) {
      throw new Error('a token of ACME has other letters than base64url')
    }
    await insertAnswer(this.#database, token, answer)
  }

  remove(token: string): Promise<void> {
    return deleteAnswer(this.#database, token)
  }

  /** Removes what orders have left that did not end. */
  removeOld(): Promise<void> {
    return deleteAnswersBefore(this.#database, 2 * acmeLimits.acmeOrderMsMax * usPerMs)
  }

  /** Answers a request under the path that it owns; never rejects. */
  async handle(message: IncomingMessage, response: ServerResponse): Promise<void> {
    message.resume()
    const { status, text } = await this.#answer((message.url ?? '').slice(prefix.length))
    const length = { 'Content-Length': String(Buffer.byteLength(text)) }
    response.writeHead(status, { 'Content-Type': 'text/plain', ...length })
    response.end(text)
  }

  async #answer(token: string): Promise<Answer> {
    if (!tokenPattern.test(token)) return { status: 404, text: '' }
    try {
      const text = await readAnswer(this.#database, token)
      // A challenge that is not there was answered already, or never existed.
      return text === undefined ? { status: 404, text: '' } : { status: 200, text }
    } catch (error) {
      this.#logger.error({ err: error }, 'the answer to a challenge of ACME could not be read')
      return { status: 503, text: '' }
    }
  }
}
