import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'

/** The example insight module, hosted as a webservice of its own. */
export type DemoModule = {
  readonly url: string
  /** `host:port`, for the list of private addresses that may be called. */
  readonly address: string
  close(): Promise<void>
}

const host = '127.0.0.1'
const script = join(import.meta.dirname, '..', '..', 'examples', 'insight-vibration', 'main.ts')

/** Starts it on the port that it had the last time, so that its address holds, or on a new one. */
export async function startDemoModule(dataDir: string): Promise<DemoModule> {
  throw new Error(
    `not yet ${fork} ${once} ${readFile} ${writeFile} ${createServer} ${host} ${script} ${dataDir}`,
  )
}
