import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { apiHeaders } from './errors.ts'
import { managementLimits } from './limits.ts'

/**
 * Sends a CSV file. A piece is made when the one before went out, so a slow reader slows it down;
 * an error of the first piece is answered as that of any request. The connection of a reader that
 * takes nothing ends after `stallMsMax`.
 */
export async function sendCsv(
  reply: FastifyReply,
  name: string,
  pieces: AsyncGenerator<string>,
  stallMsMax = managementLimits.csvStallMsMax,
): Promise<void> {
  reply.raw.setTimeout(stallMsMax, () => reply.raw.destroy())
  const first = await pieces.next()
  async function* all() {
    yield first.value ?? ''
    yield* pieces
  }
  const answer = Readable.from(all(), { objectMode: false })
  const ended = new Promise((resolve) => answer.once('close', resolve))
  reply
    .headers({ ...apiHeaders, 'content-disposition': `attachment; filename="${name}.csv"` })
    .type('text/csv; charset=utf-8')
    .send(answer)
  await ended
}
