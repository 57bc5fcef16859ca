import { type components, fillPath } from '@millrace/client'
import { command } from '../../command.ts'
import { uploadFile } from '../../file.ts'
import { operation } from '../../operation.ts'
import { columns, formatTime } from '../../output/output.ts'
import { parseTag } from '../device/options.ts'
import { connectorOption } from '../options.ts'

type Schemas = components['schemas']

const idOption = { as: 'content', meaning: 'The id of the content.' } as const

/** Creates the content that the examples of the others need. */
const put =
  'printf firmware > pump.bin && ' +
  'npx millrace content put --connector demo --id pump-1.bin --file pump.bin'

/** The same for campaigns. */
const create = `${put} && npx millrace campaign create --connector demo --content pump-1.bin`

/** The commands of contents, and of campaigns, which bring them to devices. */
export const commands = {
  'campaign list': operation('listCampaigns', {
    summary: 'Print the campaigns of a connector, with how many devices have the content.',
    data: ({ campaigns }) => campaigns,
    lines: ({ campaigns }) => columns(campaigns.map(campaignRow)),
    example: 'npx millrace campaign list --connector demo',
  }),
  'campaign create': operation('createCampaign', {
    summary: 'Begin a campaign, which offers a content to devices with a tag.',
    options: {
      content: 'The id of the content.',
      tag: { read: parseTag, meaning: 'The tag of the devices: <name> or <name>=<value>.' },
    },
    lines: (made) => columns([campaignRow(made)]),
    example: `${create} --tag site=north`,
  }),
  'campaign remove': operation('deleteCampaign', {
    summary: 'End a campaign; the content and what devices downloaded stay.',
    options: { id: { as: 'campaign', meaning: 'The id of the campaign.' } },
    confirm: 'End the campaign {id} of {connector}?',
    done: '{id} is ended',
    example:
      `${create} --tag site=south && npx millrace campaign remove --connector demo --yes ` +
      `--id "$(npx millrace campaign list --connector demo | grep south | cut -d' ' -f1)"`,
  }),
  'content list': operation('listContents', {
    summary: 'Print the contents that the devices of a connector may download.',
    data: ({ contents }) => contents,
    lines: ({ contents }) => contentLines(contents),
    example: 'npx millrace content list --connector demo',
  }),
  'content put': command('Upload a file that the devices of a connector may download.', {
    options: {
      connector: connectorOption,
      id: { meaning: 'The id of the content.', required: true },
      file: { meaning: 'The file; - is the standard input.', required: true },
      type: { meaning: 'Its content type.', default: 'application/octet-stream' },
      meta: { meaning: 'A text for the devices, such as a version.' },
    },
    example: `${put} --meta 1.0.0`,
    routes: ['putContent'],
    async run({ connector, id, file, type, meta }, context) {
      const path = '/api:1/service/{connector}/device2/content/{content}'
      const url = fillPath(path, { path: { connector, content: id }, query: { meta } })
      const sent = { option: 'file', file, contentType: type }
      const content = await uploadFile(await context.client(), url, sent, context)
      context.out.show(content, () => contentLines([content as Schemas['Content']]))
    },
  }),
  'content show': operation('getContent', {
    summary: 'Print the details of a content.',
    options: { id: idOption },
    lines: (content) => contentLines([content]),
    example: `${put} && npx millrace content show --connector demo --id pump-1.bin`,
  }),
  'content remove': operation('deleteContent', {
    summary: 'Delete a content; downloads in progress go on.',
    options: { id: idOption },
    confirm: 'Delete the content {id} of {connector}?',
    done: '{id} is removed',
    example: `${put} && npx millrace content remove --connector demo --id pump-1.bin --yes`,
  }),
}

function campaignRow(campaign: Schemas['Campaign']): string[] {
  const { id, content, tag, created, devices, downloaded, downloading } = campaign
  return [
    id,
    content,
    tag.value === undefined ? tag.name : `${tag.name}=${tag.value}`,
    `${downloaded} of ${devices} have it, ${downloading} download`,
    formatTime(created),
  ]
}

function contentLines(contents: readonly Schemas['Content'][]): string[] {
  return columns(
    contents.map(({ id, content_type, size, updated, meta }) => {
      return [id, content_type, `${size} bytes`, formatTime(updated), meta]
    }),
  ).map((line) => line.trimEnd())
}
