import { type ActivityLog, compareKeys, formatKey, type LineKey } from '../activity/index.ts'
import { limits } from '../kernel/index.ts'
import { type Option, print, UsageError } from './command.ts'
import { untilStopped } from './signals.ts'
import { wholeNumber } from './values.ts'

/** The options that the commands for logs share. */
export const logOptions = {
  follow: { meaning: 'Keep printing new lines until Ctrl-C.', flag: true },
  limit: { meaning: 'The number of stored lines to print.', default: '20' },
  text: { meaning: 'Print only lines that contain this text.' },
} as const satisfies Readonly<Record<string, Option>>

export type LogToPrint<Line extends LineKey, Filter> = {
  readonly log: Pick<ActivityLog<Line, never, Filter>, 'lines' | 'follow'>
  readonly owner: readonly [businessId: string, ownerId: string]
  readonly filter: Filter
  readonly format: (line: Line) => string
}

/** Prints the newest lines of a log, oldest first; if it is to follow, new lines until a signal. */
export async function printLog<Line extends LineKey, Filter>(
  { log, owner, filter, format }: LogToPrint<Line, Filter>,
  options: Readonly<Record<'limit' | 'follow', string | undefined>>,
): Promise<void> {
  const limit = wholeNumber('limit', options.limit)
  if (limit > limits.pageMax) throw new UsageError(`--limit is at most ${limits.pageMax}`)
  const { lines } = await log.lines(...owner, { ...filter, limit: Math.max(limit, 1) })
  if (limit > 0) for (const line of lines.toReversed()) print(format(line))
  if (options.follow === undefined) return
  const printed = new Set(lines.map(formatKey))
  const oldest = lines.at(-1)
  // Lines from shortly before the last one come again, also those that --limit leaves out.
  const isNew = (line: Line) =>
    oldest === undefined || (compareKeys(line, oldest) > 0 && !printed.has(formatKey(line)))
  const printNew = (fresh: readonly Line[]) => {
    for (const line of fresh.filter(isNew)) print(format(line))
  }
  log.follow(...owner, printNew, { filter, after: lines[0] })
  await untilStopped()
}

/** Values of an option with commas between them. @throws UsageError */
export function wordsOf<Choice extends string>(
  option: string,
  text: string | undefined,
  choices: readonly Choice[],
): Choice[] | undefined {
  return text?.split(',').map((name) => {
    const choice = choices.find((one) => one === name.trim())
    if (choice === undefined) throw new UsageError(`--${option} is one of ${choices.join(', ')}`)
    return choice
  })
}
