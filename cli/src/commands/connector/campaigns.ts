import { type components, unwrap } from '@millrace/client'
import { defineCommand } from '../../command.ts'
import { columns, timeOf } from '../../output/output.ts'
import { tagOf } from '../device/options.ts'
import { connectorOption } from '../options.ts'

type Campaign = components['schemas']['Campaign']

const path = '/api:1/service/{connector}/device2/campaigns'

/** Creates the campaign that the examples of the others need. */
const example =
  'printf firmware > pump.bin && ' +
  'npx millrace content put --connector demo --id pump-1.bin --file pump.bin && ' +
  'npx millrace campaign create --connector demo --content pump-1.bin'

export const campaignList = defineCommand({
  options: { connector: connectorOption },
  example: 'npx millrace campaign list --connector demo',
  routes: ['listCampaigns'],
  async run({ connector }, { client, out }) {
    const params = { path: { connector } }
    const { campaigns } = await unwrap((await client()).GET(path, { params }))
    out.show(campaigns, () => linesOf(campaigns))
    return undefined
  },
})

export const campaignCreate = defineCommand({
  options: {
    connector: connectorOption,
    content: { meaning: 'The id of the content.', required: true },
    tag: { meaning: 'The tag of the devices: <name> or <name>=<value>.', required: true },
  },
  example: `${example} --tag site=north`,
  routes: ['createCampaign'],
  async run({ connector, content, tag }, { client, out }) {
    const body = { content, tag: tagOf('tag', tag) }
    const params = { path: { connector } }
    const made = await unwrap((await client()).POST(path, { params, body }))
    out.show(made, () => linesOf([made]))
    return undefined
  },
})

export const campaignRemove = defineCommand({
  options: {
    connector: connectorOption,
    id: { meaning: 'The id of the campaign.', required: true },
  },
  example:
    `${example} --tag site=south && npx millrace campaign remove --connector demo --yes ` +
    `--id "$(npx millrace campaign list --connector demo | grep south | cut -d' ' -f1)"`,
  routes: ['deleteCampaign'],
  async run({ connector, id }, { client, out, confirm }) {
    const api = await client()
    await confirm(`End the campaign ${id} of ${connector}?`)
    const params = { path: { connector, campaign: id } }
    await unwrap(api.DELETE(`${path}/{campaign}`, { params }))
    out.print(`${id} is ended`)
    return undefined
  },
})

function linesOf(campaigns: readonly Campaign[]): string[] {
  return columns(
    campaigns.map(({ id, content, tag: { name, value }, created, ...counts }) => [
      id,
      content,
      value === undefined ? name : `${name}=${value}`,
      `${counts.downloaded} of ${counts.devices} have it, ${counts.downloading} download`,
      timeOf(created),
    ]),
  )
}
