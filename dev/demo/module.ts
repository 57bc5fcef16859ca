import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** The example insight module, hosted as a webservice of its own. */
export type DemoModule = {
  readonly url: string
  /** `host:port`, for the list of private addresses that may be called. */
  readonly address: string
  close(): Promise<void>
}

/** Starts it on a free port. */
export async function startDemoModule(): Promise<DemoModule> {
  const child = fork(join(import.meta.dirname, 'module-process.ts'), { stdio: 'inherit' })
  const ended = once(child, 'exit').then(() => {
    throw new Error('the example insight module ended before it answered')
  })
  ended.catch(() => {})
  const [message] = await Promise.race([once(child, 'message'), ended])
  const { url } = message as { url: string }
  return {
    url,
    address: new URL(url).host,
    async close() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}
