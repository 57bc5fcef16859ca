import { type components, unwrap } from '@millrace/client'
import { defineCommand } from '../../command.ts'
import { columns, timeOf } from '../../output/output.ts'
import { connectorOption } from '../options.ts'
import { identityOption } from './options.ts'

export const deviceRotation = defineCommand({
  options: { connector: connectorOption, identity: identityOption },
  example:
    'npx millrace device rotate --connector demo --identity my-device && ' +
    'npx millrace device rotation --connector demo --identity my-device',
  routes: ['getRotation'],
  async run({ connector, identity }, { client, out }) {
    const params = { path: { connector, identity } }
    const path = '/api:1/service/{connector}/device2/identity/{identity}/rotation'
    const rotation = await unwrap((await client()).GET(path, { params }))
    const { type, opened, until } = rotation
    out.show(rotation, () =>
      columns([
        ['type', type ?? 'any'],
        ['opened', timeOf(opened)],
        ['until', timeOf(until)],
        ['state', stateOf(rotation)],
      ]),
    )
    return undefined
  },
})

function stateOf({ given, fetched }: components['schemas']['Rotation']): string {
  if (!given) return 'the device has not fetched its new credential'
  return fetched === null
    ? 'the new credential was given'
    : `the device fetched its new credential at ${timeOf(fetched)}`
}
