import { type Logger, limits } from '../../foundation/kernel/index.ts'
import { createOutbound } from '../../foundation/outbound/index.ts'
import type { Config } from '../config/index.ts'

/**
 * The way to the collector of traces. The operator has named its address, which is allowed here
 * and for no call of a tenant.
 */
export function openCollector(
  { url, headers }: NonNullable<Config['traces']>,
  logger: Pick<Logger, 'warn'>,
) {
  const { hostname, port, protocol } = new URL(url)
  const own = `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`
  const outbound = createOutbound({ allow: [own], logger })
  return {
    /** Posts spans as JSON. @returns the status of the answer. */
    async post(body: string): Promise<number> {
      const { status } = await outbound.call({
        method: 'POST',
        url,
        headers: { ...headers, 'Content-Type': 'application/json' },
        body,
        connectMsMax: limits.traceSendMsMax,
        totalMsMax: limits.traceSendMsMax,
        answerBytesMax: limits.traceAnswerBytesMax,
      })
      return status
    },
    close: () => outbound.close(),
  }
}
