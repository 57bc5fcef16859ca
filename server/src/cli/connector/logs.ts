import { type Line, type LineFilter, lineKinds } from '../../eventlog/index.ts'
import { limits } from '../../kernel/index.ts'
import { type Command, print, UsageError, withPlatform } from '../command.ts'
import { timeOf, wholeNumber } from '../device/list.ts'
import { businessOption, connectorOption, ownerOf } from '../owner.ts'
import { untilStopped } from '../signals.ts'

export const connectorLogs: Command = {
  name: 'connector logs',
  summary:
    'Print the log of a connector, oldest line first; with --follow, keep printing new lines.',
  options: {
    connector: connectorOption,
    follow: { meaning: 'Keep printing new lines until Ctrl-C.', flag: true },
    limit: { meaning: 'The number of stored lines to print.', default: '20' },
    identity: { meaning: 'Print only lines of one identity.' },
    type: { meaning: `Print only these types, separated by commas: ${lineKinds.join(', ')}.` },
    text: { meaning: 'Print only lines that contain this text.' },
    business: businessOption,
  },
  example: 'npx millrace connector logs --connector demo --type write,refusal --limit 5',
  run: ({ connector = '', follow, limit: limitText, business, identity, type, text }) =>
    withPlatform(async (platform) => {
      const limit = wholeNumber('limit', limitText)
      if (limit > limits.pageMax) throw new UsageError(`--limit is at most ${limits.pageMax}`)
      const { id: businessId } = await ownerOf(platform, business, connector)
      await platform.provisioning.connectors.get(businessId, connector)
      const filter: LineFilter = { identity, text, kinds: parseTypes(type) }
      const asked = { ...filter, limit: Math.max(limit, 1) }
      const { lines } = await platform.eventlog.lines(businessId, connector, asked)
      printLines(limit === 0 ? [] : [...lines].reverse())
      if (follow !== undefined) {
        const [after] = lines
        platform.eventlog.tail(businessId, connector, printLines, { filter, after })
        await untilStopped()
      }
      return 0
    }),
}

function parseTypes(text: string | undefined): LineFilter['kinds'] {
  return text?.split(',').map((name) => {
    const kind = lineKinds.find((one) => one === name.trim())
    if (kind === undefined) throw new UsageError(`--type is one of ${lineKinds.join(', ')}`)
    return kind
  })
}

function printLines(lines: readonly Line[]): void {
  for (const line of lines) print(formatLine(line))
}

const kindWidth = 10

function formatLine({ at, kind, identity, ip, protocol, code, message, count }: Line): string {
  const who = [identity ?? '-', ip, protocol].filter((part) => part !== '').join(' ')
  const what = code === null ? message : `${code}: ${message}`
  const times = count > 1 ? ` (${count} times)` : ''
  const text = `${timeOf(at)}  ${kind.padEnd(kindWidth)}  ${who}  ${what}${times}`
  // Values of devices may contain control sequences of terminals.
  return text.replaceAll(/\p{Cc}/gu, '\ufffd')
}
