import { type components, unwrap } from '@millrace/client'
import { defineCommand, UsageError } from '../../command.ts'
import { connectorOption } from '../options.ts'
import { lineOf } from './devices.ts'
import { identityOption, pairOf, untilOf } from './options.ts'

export const deviceAdd = defineCommand({
  options: {
    connector: connectorOption,
    identity: identityOption,
    tag: {
      meaning: 'A tag: <name>=<value>; again for another. They replace those that it has.',
      many: true,
    },
    expire: {
      meaning: 'The end of its activation window, such as 2030-01-31T12:00Z, or never.',
    },
    certificate: { meaning: 'A file with its certificate, PEM: no other provisions it.' },
    csr: { meaning: 'A file with a signing request, PEM; the certificate is printed.' },
  },
  example: 'npx millrace device add --connector demo --identity pump-5 --tag site=lab',
  routes: ['putIdentity'],
  async run({ connector, identity, tag, expire, certificate, csr }, { client, input, out }) {
    if (certificate !== undefined && csr !== undefined) {
      throw new UsageError('--certificate and --csr contradict each other')
    }
    const key =
      certificate !== undefined
        ? { type: 'certificate' as const, key: await input.textOfFile('certificate', certificate) }
        : csr !== undefined && { type: 'csr' as const, key: await input.textOfFile('csr', csr) }
    const auth = { ...key, ...(expire !== undefined && { expire: untilOf('expire', expire) }) }
    const body: components['schemas']['IdentityInput'] = {
      ...(Object.keys(auth).length > 0 && { auth }),
      ...(tag.length > 0 && { tags: tag.map((text) => pairOf('tag', text)) }),
    }
    const params = { path: { connector, identity } }
    const path = '/api:1/service/{connector}/device2/identity/{identity}'
    const added = await unwrap((await client()).PUT(path, { params, body }))
    out.show(added, () => ['certificate' in added ? added.certificate.trimEnd() : lineOf(added)])
    return undefined
  },
})
