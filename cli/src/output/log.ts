import { follow, type MillraceClient } from '@millrace/client'
import { type Context, exitCodes, type Option, UsageError } from '../command.ts'

/** The options that the commands for logs share. */
export const logOptions = {
  follow: { meaning: 'Keep printing new lines until Ctrl-C.', flag: true },
  limit: { meaning: 'The number of stored lines to print.', default: '20' },
  text: { meaning: 'Print only lines that contain this text.' },
} as const satisfies Readonly<Record<string, Option>>

/** What the lines of all logs have. */
type Line = { readonly id: string; readonly timestamp: number }

type LogToPrint<Of extends Line> = {
  /** The path of the log's live view. */
  readonly path: string
  readonly query: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly limit: number
  readonly isFollowed: boolean
  /** Reads a page, newest line first. */
  page(limit: number): Promise<readonly Of[]>
  format(line: Of): string
}

/** How many printed lines are remembered: more than come in the overlap of a live view. */
const rememberedMax = 10_000

/**
 * Prints the newest lines of a log, oldest first; if it is followed, new lines until Ctrl-C.
 * Returns the exit code.
 */
export async function printLog<Of extends Line>(
  api: Pick<MillraceClient, 'request'>,
  { path, query, limit, isFollowed, page, format }: LogToPrint<Of>,
  { out, signal }: Pick<Context, 'out' | 'signal'>,
): Promise<number> {
  const lines = await page(Math.max(limit, 1))
  if (limit > 0) for (const line of lines.toReversed()) out.showItem(line, () => format(line))
  if (!isFollowed) return exitCodes.done
  const live = liveLines(api, withQuery(path, query), { page: lines }, { out, signal })
  for await (const line of live) out.showItem(line, () => format(line))
  return endOf({ out, signal })
}

/** Explains the end of a live view. Returns the exit code. */
export function endOf({ out, signal }: Pick<Context, 'out' | 'signal'>): number {
  if (signal.aborted) return exitCodes.done
  out.note('the instance has ended the view: the credential is no longer valid')
  return exitCodes.refused
}

type Live<Of> = {
  /** What was read already, newest line first. */
  readonly page: readonly Of[]
  /** Called when the view is open; again after a connection that was lost. */
  readonly opened?: () => void
}

/** The lines that come after those of a page, each once, until Ctrl-C or the end of the view. */
export async function* liveLines<Of extends Line>(
  api: Pick<MillraceClient, 'request'>,
  path: string,
  { page, opened }: Live<Of>,
  { out, signal }: Pick<Context, 'out' | 'signal'>,
): AsyncGenerator<Of> {
  const seen = new Set(page.map(({ id }) => id))
  const oldestAt = page.at(-1)?.timestamp ?? Number.NEGATIVE_INFINITY
  const [newest] = page
  const lost = (error: unknown) =>
    out.note(`the connection was lost and is opened again: ${(error as Error).message}`)
  const events = follow(api, path, {
    signal,
    lost,
    ...(opened !== undefined && { opened }),
    ...(newest !== undefined && { after: newest.id }),
  })
  for await (const { data } of events) {
    const line = data as Of
    // Lines from shortly before come again, also those that --limit leaves out.
    if (seen.has(line.id) || line.timestamp <= oldestAt) continue
    remember(seen, line.id)
    yield line
  }
}

function remember(seen: Set<string>, id: string): void {
  seen.add(id)
  const [first] = seen
  if (seen.size > rememberedMax && first !== undefined) seen.delete(first)
}

function withQuery(path: string, query: LogToPrint<Line>['query']): string {
  const text = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) text.set(name, String(value))
  }
  return text.size === 0 ? path : `${path}?${text}`
}

/** The words of an option with commas between them. @throws UsageError if one is no choice. */
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
