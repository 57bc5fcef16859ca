import type { WriteStream } from 'node:tty'

/** Colours and weights on a terminal; elsewhere the text is unchanged. */
export type Colours = Readonly<Record<keyof typeof codes, (text: string) => string>>

const codes = { red: 31, green: 32, yellow: 33, dim: 2, bold: 1 } as const

/** Colours are for terminals only, and NO_COLOR turns them off. */
export function coloursOf(
  stream: Pick<WriteStream, 'isTTY'>,
  environment: Readonly<Record<string, string | undefined>>,
): Colours {
  const { NO_COLOR = '', TERM } = environment
  const coloured = stream.isTTY === true && NO_COLOR === '' && TERM !== 'dumb'
  const paint = (code: number) => (text: string) =>
    coloured ? `\u001b[${code}m${text}\u001b[0m` : text
  const all = Object.entries(codes).map(([name, code]) => [name, paint(code)])
  return Object.fromEntries(all) as Colours
}

/** Output of scripts may contain control sequences of terminals. */
export function printable(text: string): string {
  return text.replaceAll(/(?![\n\t])\p{Cc}/gu, '\ufffd')
}
