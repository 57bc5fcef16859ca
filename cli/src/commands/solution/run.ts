import { type components, type MillraceClient, pages } from '@millrace/client'
import { defineCommand, exitCodes, UsageError } from '../../command.ts'
import type { Input } from '../../input.ts'
import { callMsMax, scriptErrorLine } from '../../solution/runs.ts'
import { solutionOption } from '../options.ts'
import { formatLine, readLog } from './logs.ts'

type HandlerRun = components['schemas']['HandlerRun']
type SolutionLine = components['schemas']['SolutionLine']

export const solutionRun = defineCommand({
  options: {
    solution: solutionOption,
    handler: { meaning: 'The handler, <service>_<event>; also without --handler.' },
    event: { meaning: 'A file with the JSON argument of the handler. Default: null.' },
    failure: { meaning: 'The id of an event that failed, with its handler; it stays failed.' },
  },
  operand: 'handler',
  example:
    'npx millrace solution create --id run1 --name Run && mkdir -p run1 && ' +
    `echo 'return event.level * 2' > run1/user_double.lua && ` +
    'npx millrace solution push --solution run1 --dir run1 && ' +
    `echo '{"level": 21}' > level.json && ` +
    'npx millrace solution run user_double --event level.json --solution run1',
  routes: ['runHandler', 'runFailure', 'listSolutionLog'],
  async run({ solution, handler, event, failure }, { client, call, input, out }) {
    const open = () => client({ timeoutMs: callMsMax })
    let end: HandlerRun
    if (failure === undefined) {
      const given = { ...parseHandler(handler ?? ''), argument: await argumentIn(input, event) }
      await open()
      end = await call('runHandler', { solution, ...given })
    } else {
      if (handler !== undefined || event !== undefined) {
        throw new UsageError('--failure brings its handler and its event')
      }
      await open()
      end = await call('runFailure', { solution, id: failure })
    }
    const lines = out.isJson ? [] : await readCallLines(await open(), solution, end.tracking_id)
    out.show(end, () => [...lines.map(formatLine), ...resultLine(end)])
    if (end.error === undefined) return exitCodes.done
    out.note(scriptErrorLine(end.error))
    return exitCodes.failed
  },
})

function resultLine({ outcome, result }: HandlerRun): string[] {
  return outcome === 'returned' ? [`result  ${JSON.stringify(result ?? null)}`] : []
}

/** The service is what stands before the last line below. */
function parseHandler(handler: string) {
  const [, service = '', event = ''] =
    /^(?:handle_)?([a-zA-Z0-9_]+)_([a-zA-Z0-9]+)$/.exec(handler) ?? []
  if (event === '') throw new UsageError('the handler is <service>_<event>, such as device2_event')
  return { service, event }
}

async function argumentIn(input: Input, file: string | undefined): Promise<unknown> {
  return file === undefined ? null : input.jsonOfFile('event', file)
}

/** The lines of one call, oldest first. */
async function readCallLines(api: MillraceClient, solution: string, trackingId: string) {
  const found: SolutionLine[] = []
  const all = pages<SolutionLine, string>(async (before) => {
    const query = { tracking_id: trackingId, ...(before !== undefined && { before }) }
    const { lines, before: older } = await readLog(api, solution, query)
    // A page may be the last one with lines of the call although older lines of others follow.
    return { items: lines, next: lines.length === 0 ? undefined : older }
  })
  for await (const line of all) found.unshift(line)
  return found
}
