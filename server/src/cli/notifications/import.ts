import { readSecret } from '@millrace/cli/input'
import { createLogger } from '../../kernel/index.ts'
import { createOutbound } from '../../outbound/index.ts'
import { type Command, ownConfig, print, UsageError } from '../command.ts'
import { solutionOptions, withSolution } from '../owner.ts'
import { startProgress } from '../terminal.ts'
import { readPages } from './bindings/pages.ts'
import { type PlacedRow, readFileRows, type Tally, takeRows } from './bindings/rows.ts'

type Values = Readonly<Record<string, string | undefined>>

export const notificationsImport: Command = {
  name: 'notifications import',
  summary: 'Import the bindings of another service, from a file or from its API.',
  options: {
    ...solutionOptions,
    from: {
      meaning: 'A file of its REST list: pages, a JSON array or JSON lines. Or its URL.',
      required: true,
    },
    service: { meaning: 'The ServiceSid, in place of that of the rows. Required with a URL.' },
    account: { meaning: 'With a URL: the AccountSid of the requests.' },
    'token-file': { meaning: 'With a URL: the file that holds the AuthToken.' },
    'dry-run': { meaning: 'Check everything and write nothing.', flag: true },
  },
  operand: 'from',
  example:
    'npx millrace solution create --id alerts4 --name Alerts && ' +
    `echo '{"service_sid":"IS00000000000000000000000000000001","identity":"ann",` +
    `"binding_type":"sms","address":"+15551234567","tags":["alerts"]}' > bindings.jsonl && ` +
    'npx millrace notifications import bindings.jsonl --solution alerts4 --dry-run',
  run: (values) =>
    withSource(values, (rows) =>
      withSolution(values, async ({ platform, where: [businessId, solutionId] }) => {
        const dryRun = values['dry-run'] === 'yes'
        const asked = { serviceSid: values.service, dryRun }
        const tally: Tally = { total: 0, added: 0, changed: 0, unchanged: 0, failed: 0 }
        const progress = startProgress(() => tally)
        const take = (batch: readonly unknown[]) =>
          platform.notifications.importBindings({ businessId, solutionId }, batch, asked)
        const tellFailed = (place: string, reason: string) => print(`${place}: ${reason}`)
        await takeRows(rows, tally, take, tellFailed).finally(() => progress.end())
        const { total, added, changed, unchanged, failed } = tally
        print(
          `${total} bindings: ${added} added, ${changed} changed, ${unchanged} unchanged, ` +
            `${failed} failed${dryRun ? '; dry run, nothing was written' : ''}`,
        )
        return failed === 0 ? 0 : 1
      }),
    ),
}

/** @throws UsageError */
async function withSource(
  { from = '', service, account, 'token-file': tokenFile }: Values,
  work: (rows: AsyncIterable<PlacedRow>) => Promise<number>,
): Promise<number> {
  if (!/^https?:\/\//.test(from)) return work(readFileRows(from))
  const base = URL.parse(from)
  if (base === null) throw new UsageError(`"${from}" is no URL`)
  if (service === undefined || account === undefined || tokenFile === undefined) {
    throw new UsageError('a URL needs --service, --account and --token-file')
  }
  const token = (await readSecret('token-file', tokenFile)).trim()
  const { outboundAllow, logLevel } = ownConfig()
  const outbound = createOutbound({ allow: outboundAllow, logger: createLogger(logLevel) })
  const asked = { base, serviceSid: service, accountSid: account, token }
  return work(readPages(outbound, asked)).finally(() => outbound.close())
}
