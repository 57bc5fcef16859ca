import { unwrap } from '@millrace/client'
import { defineCommand } from '../../command.ts'
import { wholeNumber } from '../../input.ts'
import { timeOf } from '../../output/output.ts'
import { connectorOption } from '../options.ts'

const path = '/api:1/service/{connector}/device2/certificates'

export const deviceCertificates = defineCommand({
  options: {
    connector: connectorOption,
    limit: { meaning: 'The number of certificates to print.', default: '20' },
  },
  example: 'npx millrace device certificates --connector demo --limit 5',
  routes: ['listDeviceCertificates'],
  async run({ connector, limit }, { client, out }) {
    const params = { path: { connector }, query: { limit: wholeNumber('limit', limit) } }
    const { certificates, mayLoadMore } = await unwrap((await client()).GET(path, { params }))
    out.show(certificates, () =>
      certificates.map(({ identity, until }) => `${timeOf(until)}  ${identity}`),
    )
    if (mayLoadMore) out.note('There are more; --limit shows them.')
    return undefined
  },
})
