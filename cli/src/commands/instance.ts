import type { components } from '@millrace/client'
import { command, UsageError } from '../command.ts'
import { list, operation } from '../operation.ts'
import { columns, formatTime } from '../output/output.ts'

const addressOption = { meaning: 'host:port, such as 10.0.0.5:8080, erp.lan:443 or 10.0.0.5:*.' }

const kinds = ['log', 'values', 'lines', 'notifications', 'contents', 'audit'] as const
type Kind = (typeof kinds)[number]

const places = {
  instance: { meaning: 'The period of all businesses without one of their own.', flag: true },
  connector: { meaning: 'The period of values that the devices of this connector write.' },
  signal: { meaning: 'The period of values of this signal.' },
} as const

/** The commands of periods, of addresses outside, and of the ledger. */
export const commands = {
  'retention show': command('Show how long data are kept.', {
    options: places,
    example: 'npx millrace retention show',
    routes: [
      ...['getRetention', 'getInstanceRetention', 'getConnectorRetention', 'getSignalRetention'],
    ],
    async run({ instance, connector, signal }, { call, out }) {
      if (connector !== undefined || signal !== undefined) {
        const narrow =
          connector !== undefined
            ? await call('getConnectorRetention', { connector })
            : await call('getSignalRetention', { signal: signal ?? '' })
        out.show(narrow, () => [`values: ${formatSetHours(narrow.hours)}`])
      } else if (instance) {
        const set = await call('getInstanceRetention')
        out.show(set, () => columns(kinds.map((kind) => [kind, formatSetHours(set[kind])])))
      } else {
        const all = await call('getRetention')
        const row = (kind: Kind) => [kind, formatHours(all[kind].hours), all[kind].set_by]
        out.show(all, () => columns(kinds.map(row)))
      }
    },
  }),
  'retention set': command('Set how long data are kept.', {
    options: {
      ...places,
      hours: { meaning: 'Whole hours; "none" takes the period away.', required: true },
      kind: { meaning: 'The kind of data.', choices: kinds, default: 'values' },
    },
    operand: 'hours',
    example: 'npx millrace retention set 8760 --kind values --business Demo',
    routes: [
      ...['getCaller', 'setInstanceRetention', 'setBusinessRetention'],
      ...['setConnectorRetention', 'setSignalRetention'],
    ],
    async run({ hours: given, kind, instance, connector, signal }, { call, out }) {
      const hours = parseHours(given)
      const ofKind = { [kind as Kind]: hours }
      if (connector !== undefined) await call('setConnectorRetention', { connector, hours })
      else if (signal !== undefined) await call('setSignalRetention', { signal, hours })
      else if (instance) await call('setInstanceRetention', ofKind)
      else {
        const { business } = await call('getCaller')
        await call('setBusinessRetention', { business: business.id, ...ofKind })
      }
      out.print(`${kind}: ${formatSetHours(hours)}`)
    },
  }),
  'outbound allow': operation('allowOutboundAddress', {
    summary: 'Allow the scripts of one business to call a private address.',
    options: { address: addressOption },
    done: 'the scripts of {business} may call {address} within a few seconds',
    example: 'npx millrace outbound allow --business Demo --address 10.0.0.5:8080',
  }),
  'outbound list': list('listOutboundAddresses', 'addresses', {
    summary: 'Print the private addresses that the scripts of one business may call.',
    example: 'npx millrace outbound list --business Demo',
  }),
  'outbound remove': operation('removeOutboundAddress', {
    summary: 'Withdraw a private address from the scripts of one business.',
    options: { address: addressOption },
    done: '{address} is closed for the scripts of {business} within a few seconds',
    example:
      'npx millrace outbound allow --business Demo --address 10.0.0.6:8080 && ' +
      'npx millrace outbound remove --business Demo --address 10.0.0.6:8080',
  }),
  'ledger show': operation('getLedger', {
    summary: 'Print the counts per stage and hour, newest first.',
    options: { rows: { as: 'limit', meaning: 'The number of rows to print.', default: '24' } },
    data: ({ hours }) => hours,
    lines: ({ hours }) => columns([ledgerHead, ...hours.map(ledgerRow)]),
    example: 'npx millrace ledger show --rows 8',
  }),
}

function parseHours(given: string): number | null {
  if (given === 'none') return null
  const hours = Number(given)
  if (Number.isInteger(hours) && hours >= 1) return hours
  throw new UsageError('hours must be a whole number of hours, or none')
}

const formatHours = (hours: number | null) => (hours === null ? 'for ever' : `${hours} h`)
const formatSetHours = (hours: number | null) => (hours === null ? 'nothing is set' : `${hours} h`)

const lettersOfHour = 'YYYY-MM-DDTHH'.length
const numberWidth = 10
const aligned = (cell: string | number) => String(cell).padStart(numberWidth)
const ledgerHead = ['hour', 'stage', ...['in', 'out', 'failed'].map(aligned)]

function ledgerRow(one: components['schemas']['LedgerHour']): string[] {
  const hour = formatTime(one.hour).slice(0, lettersOfHour)
  return [hour, one.stage, ...[one.in, one.out, one.failed].map(aligned)]
}
