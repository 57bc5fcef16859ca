import type { TestContext } from 'node:test'
import { waitMsMax } from './bounds.ts'
import { newDevice, type TestDevice } from './device.ts'
import { type TestPlatform, testPlatform } from './platform.ts'

/** An instance with solutions that handle the events of its connector. */
export type Scripted = TestPlatform & {
  /** Makes a solution that has the connector, with this body of its handler. */
  handling(id: string, source: string, alias?: string): Promise<void>
  /** Puts another body in its place. */
  rewrite(id: string, source: string, alias?: string): Promise<void>
  device(identity: string): Promise<TestDevice>
  /** What a solution's scripts printed, oldest first, once `enough` of it is there. */
  printed(id: string, enough: number): Promise<string[]>
  /** Polls until it is so. */
  until(what: string, condition: () => Promise<boolean>): Promise<void>
}

const pollMs = 20
const pollsMax = waitMsMax / pollMs

export async function scripted(t: Pick<TestContext, 'after'>): Promise<Scripted> {
  const millrace = await testPlatform(t)
  const { businessId, connector, platform, httpUrl } = millrace
  const { solutions, scripts, configurations, log } = platform.scripting

  async function rewrite(id: string, source: string, alias = 'device2'): Promise<void> {
    const key = { kind: 'handler', name: `${alias}_event` } as const
    await scripts.put(businessId, id, key, source)
  }

  async function until(what: string, condition: () => Promise<boolean>): Promise<void> {
    for (let polls = 0; polls < pollsMax; polls += 1) {
      if (await condition()) return
      await new Promise((resolve) => setTimeout(resolve, pollMs))
    }
    throw new Error(`it never came to this: ${what}`)
  }

  async function lines(id: string): Promise<string[]> {
    await log.flush()
    const page = await log.lines(businessId, id, { kinds: ['log'], limit: 1_000 })
    return page.lines.map(({ text }) => text).reverse()
  }

  return {
    ...millrace,
    until,
    rewrite,
    async handling(id, source, alias = 'device2') {
      await solutions.create(businessId, { id, name: id })
      await configurations.add(businessId, id, { service: connector.id, alias, body: {} })
      await rewrite(id, source, alias)
    },
    device: (identity) => newDevice(httpUrl, connector.id, identity),
    async printed(id, enough) {
      let all: string[] = []
      await until(`${enough} lines of ${id}`, async () => {
        all = await lines(id)
        return all.length >= enough
      })
      return all
    },
  }
}

/** Every script has the service `Gate`, whose `pass` answers once the gate is resolved. */
export function withGate({ platform }: Scripted): PromiseWithResolvers<void> {
  const gate = Promise.withResolvers<void>()
  platform.scripting.calls.services.register({
    ...{ name: 'gate', always: true, events: [] },
    operation: () => async () => {
      await gate.promise
      return { status: 204 }
    },
  })
  return gate
}
