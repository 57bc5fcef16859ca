import { ApiError, type components, fillPath } from '@millrace/client'
import type { Call } from '../../call.ts'
import { command, UsageError } from '../../command.ts'
import { uploadFile } from '../../file.ts'
import { yesOrNo } from '../../input.ts'
import { operation } from '../../operation.ts'
import { formatTime } from '../../output/output.ts'
import { connectorOption } from '../options.ts'

type RevocationList = components['schemas']['RevocationList']

/** The commands of certificate authorities and of revocation lists. */
export const commands = {
  'ca create': operation('createAuthority', {
    summary: 'Create the built-in certificate authority of a connector, and print its certificate.',
    options: {
      use: {
        read: yesOrNo,
        default: 'yes',
        meaning: 'yes: the connector uses it to sign requests from now on.',
      },
    },
    lines: ({ certificate }) => [certificate.trimEnd()],
    example: 'npx millrace ca create --connector demo',
  }),
  'ca show': operation('getAuthority', {
    summary: 'Print the certificate of the built-in certificate authority of a connector.',
    lines: ({ certificate }) => [certificate.trimEnd()],
    example: 'npx millrace ca show --connector demo',
  }),
  'ca crl': command(
    "Print the revocation list (CRL) of a connector's client CA, replace or remove it.",
    {
      options: {
        connector: connectorOption,
        file: { meaning: 'The new list, PEM or DER. Without it, print the current one.' },
        clear: { meaning: 'Remove the list.', flag: true },
      },
      example: 'npx millrace ca crl --connector demo',
      routes: ['getRevocationList', 'putRevocationList', 'deleteRevocationList', 'getConnector'],
      async run({ connector, file, clear }, context) {
        const { client, call, out, confirm } = context
        if (file !== undefined && clear)
          throw new UsageError('--file and --clear contradict each other')
        const api = await client()
        if (clear) {
          await confirm(
            `Remove the revocation list of ${connector}? Its certificates are accepted again.`,
          )
          await call('deleteRevocationList', { connector })
          out.print('the list is removed')
          return
        }
        const url = fillPath('/api:1/service/{connector}/device2/crl', { path: { connector } })
        // The instance finds out which of PEM and DER it is.
        const sent = { option: 'file', contentType: 'application/pkix-crl' }
        const found =
          file === undefined
            ? await currentList(call, connector)
            : await uploadFile(api, url, { ...sent, file }, context)
        const list = found as RevocationList | null
        out.note(list === null ? 'There is no revocation list.' : formatList(list))
        // On standard output the list alone, so that it can go into a file.
        out.show(list, () => (list === null ? [] : [list.crl.trimEnd()]))
      },
    },
  ),
}

/** Null if the connector has none, which is an answer. */
async function currentList(call: Call, connector: string): Promise<RevocationList | null> {
  try {
    return await call('getRevocationList', { connector })
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'not_found')) throw error
    // The connector itself may be what is not found.
    await call('getConnector', { connector })
    return null
  }
}

function formatList({ number, revoked, next_update, stale }: RevocationList): string {
  const until = next_update === null ? '' : `, a newer one is due ${formatTime(next_update)}`
  return `Number ${number ?? 'none'}, ${revoked} revoked${until}${stale ? ' (it is late)' : ''}.`
}
