import { formatLineKey, type Scripting } from '../../scripting/index.ts'
import type { LogStreams } from '../log-streams.ts'
import { ok, type Route } from '../route.ts'
import {
  parseSolutionLogQuery,
  parseSolutionResume,
  solutionLineBody,
} from '../wire/solution-log.ts'
import { solutionOf, solutionPath } from './solutions.ts'

/** A solution's log: a page of it, or with `Accept: text/event-stream` what comes, live. */
export function solutionLogRoutes(
  { solutions, log }: Pick<Scripting, 'solutions' | 'log'>,
  streams: LogStreams,
): Route[] {
  return [
    {
      path: `${solutionPath}/logs`,
      GET: {
        permission: 'Setup',
        async act(call) {
          const where = solutionOf(call)
          const [businessId, solutionId] = where
          await solutions.get(...where)
          const filter = parseSolutionLogQuery(call.query)
          if (call.headers.accept?.includes('text/event-stream') === true) {
            const after = parseSolutionResume(call.headers['last-event-id'])
            return streams.open(call, 'Setup', {
              follow(tell) {
                const listener: Parameters<typeof log.tail>[0]['listener'] = (lines) =>
                  tell(
                    lines.map((one) => ({ id: formatLineKey(one), body: solutionLineBody(one) })),
                  )
                return log.tail({ businessId, solutionId, filter, after, listener })
              },
            })
          }
          const { lines, before } = await log.lines(...where, filter)
          return ok({
            lines: lines.map(solutionLineBody),
            mayLoadMore: before !== undefined,
            before: before && formatLineKey(before),
          })
        },
      },
    },
  ]
}
