import { unwrap } from '@millrace/client'
import { BindingImport, type BindingSource } from '../../bindings/import.ts'
import { type OtherService, openService } from '../../bindings/pages.ts'
import { openFile } from '../../bindings/read.ts'
import { Retry } from '../../bindings/retry.ts'
import { defineCommand, exitCodes, UsageError, type Values } from '../../command.ts'
import type { Input } from '../../input.ts'
import { formatCount } from '../../output/status-line.ts'
import { solutionOption } from '../options.ts'

const options = {
  solution: solutionOption,
  from: {
    meaning: 'A file of its REST list: pages, a JSON array or JSON lines. Or its URL.',
    required: true,
  },
  service: { meaning: 'The ServiceSid, in place of that of the rows. Required with a URL.' },
  account: { meaning: 'With a URL: the AccountSid of the requests.' },
  'token-file': {
    meaning: 'With a URL: the file that holds the AuthToken; - is the standard input.',
  },
  'dry-run': { meaning: 'Check everything and write nothing.', flag: true },
} as const

export const notificationsImport = defineCommand({
  options,
  operand: 'from',
  example:
    'npx millrace solution create --id alerts4 --name Alerts && ' +
    `echo '{"service_sid":"IS00000000000000000000000000000001","identity":"ann",` +
    `"binding_type":"sms","address":"+15551234567","tags":["alerts"]}' > bindings.jsonl && ` +
    'npx millrace notifications import bindings.jsonl --solution alerts4 --dry-run',
  routes: ['importBindings'],
  async run(values, { client, input, out, signal }) {
    const { solution, service, 'dry-run': dryRun } = values
    const print = (line: string) => (out.isJson ? out.note(line) : out.print(line))
    const note = (line: string) => {
      progress.hide()
      out.note(line)
    }
    const { rows, share } = await openSource(values, input, { signal, waits: note })
    const api = await client()
    const asked = { dry_run: dryRun, ...(service !== undefined && { service_sid: service }) }
    // A batch may be sent twice: what is there is unchanged.
    const retry = new Retry({ signal, waits: note })
    const taken = new BindingImport({
      send: (bindings) => {
        const body = { bindings: [...bindings], ...asked }
        const path = '/api:1/solution/{solution}/notifications/bindings'
        const params = { path: { solution } }
        return retry.run(() => unwrap(api.POST(path, { params, body, signal })))
      },
      async failed(place, reason) {
        progress.hide()
        print(`${place}: ${reason}`)
        await out.drained()
      },
    })
    const start = performance.now()
    const progress = out.status(() => ({
      share: share(),
      text: formatProgress(taken.counts, (performance.now() - start) / 1_000),
    }))
    try {
      await taken.run(rows)
    } catch (error) {
      progress.end()
      out.note(`until then: ${formatSummary(taken.counts, dryRun)}; it can be repeated`)
      throw error
    }
    progress.end()
    out.show(taken.counts, () => [formatSummary(taken.counts, dryRun)])
    return taken.counts.failed === 0 ? exitCodes.done : exitCodes.failed
  },
})

/** @throws UsageError */
async function openSource(
  { from, service, account, 'token-file': tokenFile }: Values<typeof options>,
  input: Input,
  asking: Pick<OtherService, 'signal' | 'waits'>,
): Promise<BindingSource> {
  if (!/^https?:\/\//.test(from)) return openFile(input.path(from))
  if (service === undefined || account === undefined || tokenFile === undefined) {
    throw new UsageError('a URL needs --service, --account and --token-file')
  }
  const token = (await input.readSecret('token-file', tokenFile)).trim()
  const asked = { url: from, serviceSid: service, accountSid: account, token }
  return openService(Object.assign({}, asking, asked))
}

type Counts = BindingImport['counts']

function formatProgress(
  { total, added, changed, unchanged, failed }: Counts,
  seconds: number,
): string {
  const done = added + changed + unchanged + failed
  const perSecond = formatCount(Math.round(done / Math.max(seconds, 1)))
  return `${formatCount(total)} bindings read, ${perSecond} a second, ${formatCount(failed)} failed`
}

function formatSummary(
  { total, added, changed, unchanged, failed }: Counts,
  dryRun: boolean,
): string {
  const counts = `${added} added, ${changed} changed, ${unchanged} unchanged, ${failed} failed`
  return `${total} bindings: ${counts}${dryRun ? '; dry run, nothing was written' : ''}`
}
