import type { ImportCounts } from '../provisioning/index.ts'

const everyMs = 500
const everyMsPlain = 5_000

/** Tells on standard error how far a file is: one line on a terminal, a line at times elsewhere. */
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
