import { readFile } from 'node:fs/promises'
import { timeOf } from '@millrace/cli/output'
import { Fault } from '../../kernel/index.ts'
import type { CrlRecord } from '../../provisioning/index.ts'
import { type Command, print, UsageError, withPlatform } from '../command.ts'
import { businessOption, connectorOption, ownerOf } from '../owner.ts'

export const caCreate: Command = {
  name: 'ca create',
  summary: 'Create the built-in certificate authority of a connector, and print its certificate.',
  options: {
    connector: connectorOption,
    business: businessOption,
    use: { meaning: 'yes: the connector uses it to sign requests from now on.', default: 'yes' },
  },
  example: 'npx millrace ca create --connector demo',
  run: ({ connector = '', business, use }) =>
    withPlatform(async (platform) => {
      if (use !== 'yes' && use !== 'no') throw new UsageError('--use is yes or no')
      const { id } = await ownerOf(platform, business, connector)
      const { authorities, connectors } = platform.provisioning
      const { pki } = await connectors.get(id, connector)
      if (use === 'yes' && pki.caPem !== null) {
        throw new UsageError(
          'the connector trusts another client CA: remove it from its settings, or pass --use no',
        )
      }
      const authority = await authorities.create(id, connector)
      if (use === 'yes') {
        await connectors.patch(id, connector, { pki: { enabled: true, vendor: 'internal' } })
      }
      print(authority.certificatePem.trimEnd())
      return 0
    }),
}

export const caShow: Command = {
  name: 'ca show',
  summary: 'Print the certificate of the built-in certificate authority of a connector.',
  options: { connector: connectorOption, business: businessOption },
  example: 'npx millrace ca show --connector demo',
  run: ({ connector = '', business }) =>
    withPlatform(async (platform) => {
      const { id } = await ownerOf(platform, business, connector)
      const { certificatePem } = await platform.provisioning.authorities.get(id, connector)
      print(certificatePem.trimEnd())
      return 0
    }),
}

export const caCrl: Command = {
  name: 'ca crl',
  summary: "Show, set or clear the revocation list (CRL) of a connector's client CA.",
  options: {
    connector: connectorOption,
    file: { meaning: 'The new list, PEM or DER. Without it, print the current one.' },
    clear: { meaning: 'Remove the list.', flag: true },
    business: businessOption,
  },
  example: 'npx millrace ca crl --connector demo',
  run: ({ connector = '', business, file, clear }) =>
    withPlatform(async (platform) => {
      if (file !== undefined && clear === 'yes') throw new UsageError('either --file or --clear')
      const { id } = await ownerOf(platform, business, connector)
      const { crls } = platform.provisioning
      if (clear === 'yes') {
        await crls.remove(id, connector)
        print('the list is removed')
        return 0
      }
      if (file !== undefined) show(await crls.put(id, connector, await readFile(file)))
      else {
        await platform.provisioning.connectors.get(id, connector)
        await crls.get(id, connector).then(show, explain)
      }
      return 0
    }),
}

/** On standard output the list alone, so that it can go into a file. */
function show({ crlPem, number, nextUpdate, revoked, stale }: CrlRecord): void {
  const until = nextUpdate === null ? '' : `, a newer one is due ${timeOf(nextUpdate)}`
  const late = stale ? ' (it is late)' : ''
  process.stderr.write(`Number ${number ?? 'none'}, ${revoked} revoked${until}${late}.\n`)
  print(crlPem.trimEnd())
}

/** To have none is an answer. */
function explain(error: unknown): void {
  if (!(error instanceof Fault) || error.code !== 'not_found') throw error
  process.stderr.write('There is no revocation list.\n')
}
