import { readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { newToken, parseOwnJson, type Random, replaceFile } from '../../foundation/kernel/index.ts'

/** The content of `operator.json`: how commands on this machine reach the instance. */
type Content = {
  /** The address of the management API. */
  readonly url: string
  readonly token: string
  /** The process that answers there. */
  readonly pid: number
  /** The encrypted device API, and the file of the authority that devices trust. */
  readonly deviceTls: { readonly url: string; readonly caFile: string }
}

/** The open listeners that commands call. */
type Addresses = {
  readonly httpUrl: string
  readonly tlsUrl: string
  readonly caFile: string
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

  /** Called when the ports are open. */
  write({ httpUrl, tlsUrl, caFile }: Addresses): void {
    const content: Content = {
      url: reachable(httpUrl),
      token: this.token,
      pid: process.pid,
      deviceTls: { url: reachable(tlsUrl), caFile: resolve(caFile) },
    }
    replaceFile(this.#path, `${JSON.stringify(content)}\n`, 0o600)
  }

  /** Another process of the instance may have written its own since. */
  remove(): void {
    if (this.#read()?.token === this.token) rmSync(this.#path, { force: true })
  }

  #read(): Content | undefined {
    try {
      return parseOwnJson<Content>(readFileSync(this.#path, 'utf8'))
    } catch {
      return undefined
    }
  }
}

/** A listener on all addresses answers on that of this machine. */
function reachable(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:')
}
