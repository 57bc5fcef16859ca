import { isDeepStrictEqual } from 'node:util'
import type { components } from '@millrace/client'
import { defineCommand } from '../../command.ts'
import { parseMicroseconds } from '../../input.ts'
import { formatTime } from '../../output/output.ts'
import { readFolder } from '../../solution/folder.ts'
import { callMsMax } from '../../solution/runs.ts'
import { solutionOption } from '../options.ts'

type Replay = components['schemas']['Replay']
type Event = components['schemas']['ReplayedEvent']
type Run = components['schemas']['ReplayedRun']

const usPerMs = 1_000

export const solutionReplay = defineCommand({
  options: {
    solution: solutionOption,
    from: { meaning: 'The begin of the recording, such as 2026-01-31T08:00Z.', required: true },
    to: { meaning: 'Its end. Default: now.' },
    dir: { meaning: 'The folder with the changed scripts. Default: only those that are there.' },
  },
  operand: 'solution',
  example:
    'npx millrace solution create --id replay1 --name Replayed && mkdir -p replay1 && ' +
    `echo 'log.info(event.type)' > replay1/device2_event.lua && ` +
    'npx millrace solution replay replay1 --from 2026-01-01 --dir replay1',
  routes: ['replaySolution'],
  async run({ solution, from, to, dir }, { client, call, input, out }) {
    const files = dir === undefined ? undefined : await readFolder(input.path(dir))
    const body = {
      from: parseMicroseconds('from', from),
      to: to === undefined ? Date.now() * usPerMs : parseMicroseconds('to', to),
      ...(files && { files }),
    }
    await client({ timeoutMs: callMsMax })
    const replay = await call('replaySolution', { solution, ...body })
    out.show(replay, () => formatReplay(replay))
  },
})

function formatReplay({ events, differing, live, shown, notes }: Replay): string[] {
  const head = live === null ? `${events} events` : `${events} events, ${differing} differ`
  return [head, ...shown.flatMap(eventLines), ...notes.map((note) => `note: ${note}`)]
}

/** Equal lines are left out: `-` is what the scripts do now, `+` what they would do. */
function eventLines({ at, type, identity, handler, live, changed }: Event): string[] {
  const [before, after] = [live === null ? [] : runLines(live), runLines(changed)]
  return [
    `${formatTime(at)}  ${type} of ${identity}, ${handler}`,
    ...without(before, after).map((line) => `  - ${line}`),
    ...without(after, before).map((line) => `  + ${line}`),
    ...(isDeepStrictEqual(before.toSorted(), after.toSorted()) ? ['  in another order'] : []),
  ]
}

function runLines({ outcome, error, calls, logs }: Run): string[] {
  return [
    ...calls.map(({ service, operation, args, made }) => {
      return `${service}.${operation} ${JSON.stringify(args)}${made ? '' : ' (not made)'}`
    }),
    ...logs.map(({ level, text }) => `${level} ${text}`),
    ...(outcome === 'none' ? ['no handler'] : []),
    ...(error === null ? [] : [`${outcome}: ${error}`]),
  ]
}

/** The lines of the first, each as often as the second does not have it. */
function without(lines: readonly string[], others: readonly string[]): string[] {
  const left = [...others]
  return lines.filter((line) => {
    const at = left.indexOf(line)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}
