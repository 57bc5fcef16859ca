import { type components, unwrap } from '@millrace/client'
import { defineCommand } from '../../command.ts'
import { columns, timeOf } from '../../output/output.ts'

type Health = components['schemas']['BusinessHealth']

export const businessHealth = defineCommand({
  options: {},
  example: 'npx millrace business health',
  routes: ['getBusinessHealth'],
  async run(_values, { client, out }) {
    const health = await unwrap((await client()).GET('/api:1/health'))
    out.show(health, () => columns(rowsOf(health)))
    return undefined
  },
})

const kinds = {
  client_ca: 'client CA',
  authority: 'authority',
  revocation_list: 'revocation list',
} as const

function rowsOf({ instance, waiting, modules, certificates }: Health): string[][] {
  const numberOf = (count: number) => (count < waiting.most ? `${count}` : `${count} or more`)
  return [
    ['version', instance.version],
    ['ready', instance.reason ?? 'yes'],
    ...Object.entries(waiting.stages).map(([stage, count]) => [stage, `${numberOf(count)} wait`]),
    ...modules.map(({ name, failures_in_row: failures, last_failure: last }) => [
      `module ${plain(name)}`,
      failures === 0 ? 'answers' : `${failures} failures in a row: ${plain(last ?? '')}`,
    ]),
    ...certificates.map(({ connector, kind, until }) => [
      `connector ${connector}`,
      `${kinds[kind]} until ${timeOf(until)}`,
    ]),
  ]
}

function plain(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, ' ')
}
