import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { newToken, type Random, replaceFile } from '../kernel/index.ts'

/** The content of `operator.json`: how commands on this machine reach the instance. */
type Content = {
  /** The address of the management API. */
  readonly url: string
  readonly token: string
  /** The process that answers there. */
  readonly pid: number
}

/**
 * The credential of the operator: a token that this process made, in a file of the data directory
 * that only its owner can read. It holds while the process runs.
 */
export class OperatorFile {
  readonly token: string
  readonly #path: string

  constructor(dataDir: string, random: Random) {
    this.token = newToken(random)
    this.#path = join(dataDir, 'operator.json')
  }

  /** Called when the ports are open; `url` is that of the HTTP listener. */
  write(url: string): void {
    const content: Content = { url: reachable(url), token: this.token, pid: process.pid }
    replaceFile(this.#path, `${JSON.stringify(content)}\n`, 0o600)
  }

  /** Another process of the instance may have written its own since. */
  remove(): void {
    if (this.#read()?.token === this.token) rmSync(this.#path, { force: true })
  }

  #read(): Content | undefined {
    try {
      return JSON.parse(readFileSync(this.#path, 'utf8')) as Content
    } catch {
      return undefined
    }
  }
}

/** A listener on all addresses answers on that of this machine. */
function reachable(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:')
}
