import { type ConnectorLine, connectorLineKinds } from '../../activity/index.ts'
import { type Command, withPlatform } from '../command.ts'
import { logOptions, printLog, wordsOf } from '../log.ts'
import { businessOption, connectorOption, ownerOf } from '../owner.ts'
import { timeOf } from '../values.ts'

export const connectorLogs: Command = {
  name: 'connector logs',
  summary:
    'Print the log of a connector, oldest line first; with --follow, keep printing new lines.',
  options: {
    connector: connectorOption,
    ...logOptions,
    identity: { meaning: 'Print only lines of one identity.' },
    type: {
      meaning: `Print only these types, separated by commas: ${connectorLineKinds.join(', ')}.`,
    },
    business: businessOption,
  },
  example: 'npx millrace connector logs --connector demo --type write,refusal --limit 5',
  run: ({ connector = '', follow, limit, business, identity, type, text }) =>
    withPlatform(async (platform) => {
      const filter = { identity, text, kinds: wordsOf('type', type, connectorLineKinds) }
      const { id: businessId } = await ownerOf(platform, business, connector)
      await platform.provisioning.connectors.get(businessId, connector)
      const log = platform.activity.connectors
      const what = { log, owner: [businessId, connector], filter, format: formatLine } as const
      await printLog(what, { limit, follow })
      return 0
    }),
}

const kindWidth = 10

function formatLine(line: ConnectorLine): string {
  const { at, kind, identity, ip, protocol, code, message, count } = line
  const who = [identity ?? '-', ip, protocol].filter((part) => part !== '').join(' ')
  const what = code === null ? message : `${code}: ${message}`
  const times = count > 1 ? ` (${count} times)` : ''
  const text = `${timeOf(at)}  ${kind.padEnd(kindWidth)}  ${who}  ${what}${times}`
  // Values of devices may contain control sequences of terminals.
  return text.replaceAll(/\p{Cc}/gu, '\ufffd')
}
