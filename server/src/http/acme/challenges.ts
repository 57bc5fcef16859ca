import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'

const prefix = '/.well-known/acme-challenge/'
const tokenPattern = /^[\w-]{1,200}$/

/**
 * The answers to challenges of HTTP-01 (RFC 8555, 8.3). They lie in files, so that each process of
 * the data directory can give them, whichever the ACME server reaches.
 */
export class Challenges {
  readonly #dir: string

  constructor(dir: string) {
    this.#dir = join(dir, 'challenges')
  }

  owns(url: string): boolean {
    return url.startsWith(prefix)
  }

  /** @throws Error if the token is none. */
  add(token: string, answer: string): void {
    mkdirSync(this.#dir, { recursive: true, mode: 0o700 })
    writeFileSync(this.#fileOf(token), answer, { mode: 0o600 })
  }

  remove(token: string): void {
    rmSync(this.#fileOf(token), { force: true })
  }

  /** Answers a request under the path that it owns; never rejects. */
  async handle(message: IncomingMessage, response: ServerResponse): Promise<void> {
    message.resume()
    const token = (message.url ?? '').slice(prefix.length)
    const answer = await this.#read(token)
    const length = { 'Content-Length': String(Buffer.byteLength(answer ?? '')) }
    response.writeHead(answer === undefined ? 404 : 200, {
      'Content-Type': 'text/plain',
      ...length,
    })
    response.end(answer)
  }

  async #read(token: string): Promise<string | undefined> {
    if (!tokenPattern.test(token)) return undefined
    // One that is not there was answered or is of nobody: both are a 404.
    return readFile(this.#fileOf(token), 'utf8').catch(() => undefined)
  }

  #fileOf(token: string): string {
    if (!tokenPattern.test(token))
      throw new Error('a token of ACME has other letters than base64url')
    return join(this.#dir, token)
  }
}
