import { unwrap } from '@millrace/client'
import { defineCommand, exitCodes } from '../command.ts'

export const moduleAddress = defineCommand({
  options: {
    address: { meaning: 'The URL of a module, or of its definition.', required: true },
  },
  operand: 'address',
  example: 'npx millrace module address http://127.0.0.1:9401',
  routes: ['getModuleAddress'],
  async run({ address: url }, { client, out }) {
    const api = await client()
    const params = { query: { url } }
    const found = await unwrap(api.GET('/api:1/module-address', { params }))
    out.show(found, () => [found.reason ?? `the instance may call ${url}`])
    return found.allowed ? undefined : exitCodes.failed
  },
})
