import { jsonOfFile } from '@millrace/cli/input'
import { timeOf } from '@millrace/cli/output'
import type { SolutionLine } from '../../activity/index.ts'
import { limits, newId } from '../../kernel/index.ts'
import type { HandlerCall, ScriptValue } from '../../scripting/index.ts'
import { type Command, print, UsageError } from '../command.ts'
import { type SolutionWork, solutionOptions, withSolution } from '../owner.ts'
import { printable } from '../terminal.ts'

export const solutionRun: Command = {
  name: 'solution run',
  summary: 'Run one handler now, and print its log and its result; it calls real services.',
  options: {
    ...solutionOptions,
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
  run: ({ handler, event, failure, ...values }) =>
    withSolution(values, async (work) => {
      const called =
        failure === undefined
          ? { ...partsOf(handler ?? ''), argument: await argumentIn(event) }
          : await failed(work, failure, handler ?? event)
      return runNow(work, called)
    }),
}

type Called = Pick<HandlerCall, 'service' | 'event' | 'argument'>

async function runNow({ platform, scripting, where }: SolutionWork, called: Called) {
  const [businessId, solutionId] = where
  const trackingId = newId(platform.random)
  const end = await scripting.api.run({ ...called, businessId, solutionId, trackingId })
  await platform.activity.solutions.flush()
  const asked = { trackingId, limit: limits.pageMax }
  const { lines } = await platform.activity.solutions.lines(...where, asked)
  printLines([...lines].reverse())
  if (end.kind === 'returned') {
    print(`result  ${JSON.stringify(end.value ?? null)}`)
    return 0
  }
  process.stderr.write(`${end.error.status} ${JSON.stringify(end.error.error)}\n`)
  return 1
}

/** The service is what stands before the last line below. */
function partsOf(handler: string): Omit<Called, 'argument'> {
  const [, service = '', event = ''] =
    /^(?:handle_)?([a-zA-Z0-9_]+)_([a-zA-Z0-9]+)$/.exec(handler) ?? []
  if (event === '') throw new UsageError('the handler is <service>_<event>, such as device2_event')
  return { service, event }
}

async function argumentIn(file: string | undefined): Promise<ScriptValue> {
  return file === undefined ? null : ((await jsonOfFile('event', file)) as ScriptValue)
}

async function failed(
  { scripting, where }: SolutionWork,
  id: string,
  other: string | undefined,
): Promise<Called> {
  if (other !== undefined) throw new UsageError('--failure brings its handler and its event')
  const { service, event, argument } = await scripting.failures.get(...where, id)
  return { service, event, argument }
}

/** Prints lines of a log, one by one. */
export function printLines(lines: readonly SolutionLine[]): void {
  for (const line of lines) print(formatLine(line))
}

const levelWidth = 5

function formatLine({ at, level, handler, text, usage, trace = [] }: SolutionLine): string {
  const who = handler === '' ? '' : `  ${handler}`
  const cost =
    usage === undefined ? '' : `  ${Math.round(usage.wallMs)} ms, ${Math.round(usage.cpuMs)} ms CPU`
  // The first place of a trace stands in the text, unless that is of an error that is a value.
  const more = trace.length > 1 || !/^[^\n:]+\.lua:\d/.test(text)
  const places = more ? trace.map((place) => `\n  at ${place}`).join('') : ''
  return printable(`${timeOf(at)}  ${level.padEnd(levelWidth)}${who}  ${text}${cost}${places}`)
}
