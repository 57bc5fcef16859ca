import { ApiError, type components, fillPath, type MillraceClient, unwrap } from '@millrace/client'
import { type Context, defineCommand, UsageError } from '../../command.ts'
import { uploadFile } from '../../file.ts'
import { yesOrNo } from '../../input.ts'
import { timeOf } from '../../output/output.ts'
import { connectorOption } from '../options.ts'

type RevocationList = components['schemas']['RevocationList']

const path = '/api:1/service/{connector}/device2/ca'
const crlPath = '/api:1/service/{connector}/device2/crl'

export const caCreate = defineCommand({
  options: {
    connector: connectorOption,
    use: { meaning: 'yes: the connector uses it to sign requests from now on.', default: 'yes' },
  },
  example: 'npx millrace ca create --connector demo',
  routes: ['createAuthority'],
  async run({ connector, use }, { client, out }) {
    const body = { use: yesOrNo('use', use) }
    const params = { path: { connector } }
    const authority = await unwrap((await client()).POST(path, { params, body }))
    out.show(authority, () => [authority.certificate.trimEnd()])
    return undefined
  },
})

export const caShow = defineCommand({
  options: { connector: connectorOption },
  example: 'npx millrace ca show --connector demo',
  routes: ['getAuthority'],
  async run({ connector }, { client, out }) {
    const params = { path: { connector } }
    const authority = await unwrap((await client()).GET(path, { params }))
    out.show(authority, () => [authority.certificate.trimEnd()])
    return undefined
  },
})

export const caCrl = defineCommand({
  options: {
    connector: connectorOption,
    file: { meaning: 'The new list, PEM or DER. Without it, print the current one.' },
    clear: { meaning: 'Remove the list.', flag: true },
  },
  example: 'npx millrace ca crl --connector demo',
  routes: ['getRevocationList', 'putRevocationList', 'deleteRevocationList', 'getConnector'],
  async run({ connector, file, clear }, context) {
    const { client, out, confirm } = context
    if (file !== undefined && clear)
      throw new UsageError('--file and --clear contradict each other')
    const api = await client()
    if (clear) {
      await confirm(
        `Remove the revocation list of ${connector}? Its certificates are accepted again.`,
      )
      await unwrap(api.DELETE(crlPath, { params: { path: { connector } } }))
      out.print('the list is removed')
      return undefined
    }
    const list =
      file === undefined
        ? await currentList(api, connector)
        : await putList(api, connector, file, context)
    out.note(list === null ? 'There is no revocation list.' : summaryOf(list))
    // On standard output the list alone, so that it can go into a file.
    out.show(list, () => (list === null ? [] : [list.crl.trimEnd()]))
    return undefined
  },
})

/** Null if the connector has none, which is an answer. */
async function currentList(api: MillraceClient, connector: string): Promise<RevocationList | null> {
  const params = { path: { connector } }
  try {
    return await unwrap(api.GET(crlPath, { params }))
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'not_found')) throw error
    // The connector itself may be what is not found.
    await unwrap(api.GET('/api:1/service/{connector}/device2', { params }))
    return null
  }
}

async function putList(
  api: MillraceClient,
  connector: string,
  file: string,
  context: Context,
): Promise<RevocationList> {
  const url = fillPath(crlPath, { path: { connector } })
  // The instance finds out which of PEM and DER it is.
  const sent = { option: 'file', file, contentType: 'application/pkix-crl' }
  return (await uploadFile(api, url, sent, context)) as RevocationList
}

function summaryOf({ number, revoked, next_update, stale }: RevocationList): string {
  const until = next_update === null ? '' : `, a newer one is due ${timeOf(next_update)}`
  return `Number ${number ?? 'none'}, ${revoked} revoked${until}${stale ? ' (it is late)' : ''}.`
}
