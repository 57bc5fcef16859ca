import type { WriteStream } from 'node:tty'
import type { ImportCounts } from '../provisioning/index.ts'

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

const everyMs = 500
const everyMsPlain = 5_000

/**
 * Reports the progress of a file on standard error: one line on a terminal, a line at times
 * elsewhere.
 */
export function startProgress(counts: () => ImportCounts): { end(): void } {
  const terminal = process.stderr.isTTY === true
  const start = performance.now()
  const tell = () => {
    const { total, added, changed, unchanged, failed } = counts()
    const done = added + changed + unchanged + failed
    const perSecond = Math.round((done * 1_000) / (performance.now() - start))
    const rows = `${said(done)} of ${said(total)} rows`
    const line = `${rows}, ${said(perSecond)} a second, ${said(failed)} failed`
    process.stderr.write(terminal ? `\r${line}\u001b[K` : `${line}\n`)
  }
  const timer = setInterval(tell, terminal ? everyMs : everyMsPlain)
  return {
    end() {
      clearInterval(timer)
      tell()
      if (terminal) process.stderr.write('\n')
    },
  }
}

const said = (count: number) => count.toLocaleString('en')
