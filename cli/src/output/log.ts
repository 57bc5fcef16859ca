import type { FollowOptions } from '@millrace/client'
import { type Context, exitCodes, type Option, UsageError } from '../command.ts'

/** The options that the commands for logs share. */
export const logOptions = {
  follow: { meaning: 'Keep printing new lines until Ctrl-C.', flag: true },
  limit: { meaning: 'The number of stored lines to print.', default: '20' },
  text: { meaning: 'Print only lines that contain this text.' },
} as const satisfies Readonly<Record<string, Option>>

/** The fields of the lines of all logs. */
type Line = { readonly id: string; readonly type: string }

/** A page of a log, newest line first; `after`: where a live view goes on behind it. */
type Page<Of> = { readonly lines: readonly Of[]; readonly after?: string }

/** Opens the live view of a log. */
export type OpenView<Of extends Line> = (
  options: FollowOptions,
) => AsyncIterable<{ readonly data: Of }>

type LogToPrint<Of extends Line> = {
  readonly open: OpenView<Of>
  readonly limit: number
  readonly isFollowed: boolean
  /** Reads the newest page. */
  page(limit: number): Promise<Page<Of>>
  format(line: Of): string
}

/**
 * The number of printed lines that are remembered: more than come in the overlap of a live view.
 */
const rememberedMax = 10_000

/**
 * Prints the newest lines of a log, oldest first; if it is followed, new lines until Ctrl-C.
 * Returns the exit code.
 */
export async function printLog<Of extends Line>(
  { open, limit, isFollowed, page, format }: LogToPrint<Of>,
  { out, signal }: Pick<Context, 'out' | 'signal'>,
): Promise<number> {
  const newest = await page(Math.max(limit, 1))
  if (limit > 0)
    for (const line of newest.lines.toReversed()) out.showItem(line, () => format(line))
  if (!isFollowed) return exitCodes.done
  const live = liveLines(open, { page: newest }, { out, signal })
  for await (const line of live) out.showItem(line, () => format(line))
  return exitCodes.done
}

type Live<Of> = {
  /** Lines that were read already. Without them the view begins when it is open. */
  readonly page?: Page<Of>
  /** Called when the view is open; again after a connection that was lost. */
  readonly opened?: () => void
}

/**
 * The lines that come after those of a page, each once, until Ctrl-C.
 * @throws ApiError if the instance ends the view.
 */
export async function* liveLines<Of extends Line>(
  open: OpenView<Of>,
  { page, opened }: Live<Of>,
  { out, signal }: Pick<Context, 'out' | 'signal'>,
): AsyncGenerator<Of> {
  const { lines = [], after } = page ?? {}
  const seen = new Set(lines.map(lineKey))
  const oldest = lines.at(-1)
  const lost = (error: unknown) =>
    out.note(`the connection was lost and is opened again: ${(error as Error).message}`)
  const events = open({
    signal,
    lost,
    ...(opened !== undefined && { opened }),
    ...(after !== undefined && { after }),
  })
  for await (const { data: line } of events) {
    // Lines from shortly before come again, also those that --limit leaves out.
    const isOlder = oldest !== undefined && compareIds(line.id, oldest.id) < 0
    if (isOlder || seen.has(lineKey(line))) continue
    remember(seen, lineKey(line))
    yield line
  }
}

/** A line that stands for skipped ones has the id of the line behind them. */
function lineKey({ id, type }: Line): string {
  return `${id} ${type}`
}

/** Compares the ids of lines in the order of their log. */
function compareIds(one: string, other: string): number {
  const [ones, others] = [parsePlace(one), parsePlace(other)]
  const at = ones.findIndex((number, index) => number !== others[index])
  return at === -1 ? 0 : (ones[at] ?? 0) - (others[at] ?? 0)
}

const letterParts: Readonly<Record<string, number>> = { b: -2, n: -1 }

/** `<microseconds>.<part>.<number>`; the part `b` begins a time, and `n` is before any number. */
function parsePlace(id: string): number[] {
  const [at, part = '', number] = id.split('.')
  return [Number(at), letterParts[part] ?? Number(part), Number(number)]
}

function remember(seen: Set<string>, id: string): void {
  seen.add(id)
  const [first] = seen
  if (seen.size > rememberedMax && first !== undefined) seen.delete(first)
}

/** The words of an option with commas between them. @throws UsageError if one is no choice. */
export function parseWords<Choice extends string>(
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
