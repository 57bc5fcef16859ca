import { unwrap } from '@millrace/client'
import { defineCommand } from '../../command.ts'
import { columns, timeOf } from '../../output/output.ts'
import { connectorOption } from '../options.ts'
import { identityOption } from './options.ts'

const path = '/api:1/service/{connector}/device2/identity/{identity}/contents'

export const deviceContents = defineCommand({
  options: { connector: connectorOption, identity: identityOption },
  example: 'npx millrace device contents --connector demo --identity my-device',
  routes: ['listDeviceContents'],
  async run({ connector, identity }, { client, out }) {
    const params = { path: { connector, identity } }
    const { contents } = await unwrap((await client()).GET(path, { params }))
    out.show(contents, () =>
      columns(
        contents.map(({ content, status, received, size, ...times }) => {
          const at = times.completed ?? times.begun ?? times.offered
          return [content, status, `${received} of ${size} bytes`, at === null ? '' : timeOf(at)]
        }),
      ),
    )
    return undefined
  },
})
