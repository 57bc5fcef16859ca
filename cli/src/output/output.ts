import { once } from 'node:events'
import { styleText } from 'node:util'
import type { Environment, Invocation, OutputStream } from '../invocation.ts'
import { type Status, StatusLine } from './status-line.ts'

type Style = Parameters<typeof styleText>[0]

type OutputOptions = { readonly json: boolean; readonly colour: boolean }

/** The output of a command: data on standard output, the rest on standard error. */
export class Output {
  readonly isJson: boolean
  readonly #isColoured: boolean
  readonly #stdout: OutputStream
  readonly #stderr: OutputStream

  constructor(
    { json, colour }: OutputOptions,
    { stdout, stderr }: Pick<Invocation, 'stdout' | 'stderr'>,
  ) {
    this.isJson = json
    this.#isColoured = colour && !json
    this.#stdout = stdout
    this.#stderr = stderr
  }

  /** Prints a line for people; with `--json` nothing. */
  print(line: string): void {
    if (!this.isJson) this.#stdout.write(`${printable(line)}\n`)
  }

  /** Prints data: as the API has it with `--json`, else as lines for people. */
  show(data: unknown, lines: () => readonly string[]): void {
    if (this.isJson) this.#stdout.write(`${JSON.stringify(data, null, 2)}\n`)
    else for (const line of lines()) this.print(line)
  }

  /** Prints one item of many as it comes: with `--json` one line of JSON. */
  showItem(item: unknown, line: () => string): void {
    if (this.isJson) this.#stdout.write(`${JSON.stringify(item)}\n`)
    else this.print(line())
  }

  /** Prints many items as they come: with `--json` as one array. */
  async showAll<Item>(items: AsyncIterable<Item>, line: (item: Item) => string): Promise<void> {
    let before = '['
    for await (const item of items) {
      if (this.isJson) this.#stdout.write(`${before}\n${JSON.stringify(item)}`)
      else this.print(line(item))
      before = ','
      await this.drained()
    }
    if (this.isJson) this.#stdout.write(before === '[' ? '[]\n' : '\n]\n')
  }

  /** Resolves when a reader that is slower than the command has taken what was printed. */
  async drained(): Promise<void> {
    if (this.#stdout.writableNeedDrain) await once(this.#stdout, 'drain')
  }

  /** Prints data as it is. */
  write(text: string): void {
    this.#stdout.write(text)
  }

  /** Begins to show how far the command is. */
  status(state: () => Status): StatusLine {
    return new StatusLine(this.#stderr, state)
  }

  /** Prints a remark, which is no data. */
  note(line: string): void {
    this.#stderr.write(`${printable(line)}\n`)
  }

  /** Colours a text on a terminal. */
  paint(style: Style, text: string): string {
    return this.#isColoured ? styleText(style, text, { validateStream: false }) : text
  }
}

/** True unless it is switched off, or standard output is no terminal. */
export function wantsColour(
  environment: Environment,
  { isTTY }: Pick<OutputStream, 'isTTY'>,
): boolean {
  const { NO_COLOR = '', TERM } = environment
  return isTTY === true && NO_COLOR === '' && TERM !== 'dumb'
}

/** A code of `paint`: a weight or a colour. */
const paintCode = String.raw`\u001b\[(?:1|2|22|3\d)m`
/** Control characters but line ends, tabs and the codes of `paint`. */
const controls = new RegExp(String.raw`(?!\n|\t|${paintCode})\p{Cc}`, 'gu')

/** Values of devices and scripts may contain control sequences of terminals. */
function printable(text: string): string {
  return text.replaceAll(controls, '\ufffd')
}

/** The columns of a table, padded; the last one is not. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, at) =>
    Math.max(...rows.map((row) => row[at]?.length ?? 0)),
  )
  return rows.map((row) =>
    row.map((cell, at) => (at === row.length - 1 ? cell : cell.padEnd(widths[at] ?? 0))).join('  '),
  )
}

/** Microseconds as people read them. */
export function formatTime(us: number): string {
  const ms = Math.floor(us / 1_000)
  const last = 8.64e15
  return ms > last ? `${us} us` : new Date(ms).toISOString()
}
