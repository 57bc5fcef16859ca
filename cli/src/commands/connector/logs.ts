import { type components, enums, type FollowOptions, follow, unwrap } from '@millrace/client'
import { defineCommand } from '../../command.ts'
import { wholeNumber } from '../../input.ts'
import { logOptions, parseWords, printLog } from '../../output/log.ts'
import { formatTime } from '../../output/output.ts'
import { connectorOption } from '../options.ts'

type ConnectorLine = components['schemas']['ConnectorLine']

const types = enums.ConnectorLineType

export const connectorLogs = defineCommand({
  options: {
    connector: connectorOption,
    ...logOptions,
    identity: { meaning: 'Print only lines of one identity.' },
    type: { meaning: `Print only these types, separated by commas: ${types.join(', ')}.` },
  },
  example: 'npx millrace connector logs --connector demo --type write,refusal --limit 5',
  routes: ['listConnectorLog'],
  async run(
    { connector, follow: isFollowed, limit: limitText, identity, type: typeText, text },
    context,
  ) {
    const limit = wholeNumber('limit', limitText)
    const type = parseWords('type', typeText, types)
    const filter = {
      ...(identity !== undefined && { identity }),
      ...(type !== undefined && { type }),
      ...(text !== undefined && { text }),
    }
    const api = await context.client()
    const path = '/api:1/service/{connector}/device2/logs'
    const log = {
      open: (options: FollowOptions) =>
        follow(api, path, { path: { connector }, query: filter }, options),
      limit,
      isFollowed,
      format: formatLine,
      async page(count: number) {
        const params = { path: { connector }, query: Object.assign({ limit: count }, filter) }
        return unwrap(api.GET(path, { params }))
      },
    }
    return printLog(log, context)
  },
})

const typeWidth = 10

function formatLine(line: ConnectorLine): string {
  const { timestamp, type, identity, ip, protocol, code, message, count } = line
  const who = [identity ?? '-', ip, protocol].filter((part) => part !== '').join(' ')
  const what = code === null ? message : `${code}: ${message}`
  const times = count > 1 ? ` (${count} times)` : ''
  const text = `${formatTime(timestamp)}  ${type.padEnd(typeWidth)}  ${who}  ${what}${times}`
  // Each entry has a line, whatever a device has sent.
  return text.replaceAll(/\p{Cc}/gu, '\ufffd')
}
