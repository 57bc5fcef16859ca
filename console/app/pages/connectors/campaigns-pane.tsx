import { NativeSelect, Progress, Text } from '@mantine/core'
import type { Connector } from '../../api/connectors.ts'
import {
  type Campaign,
  createCampaign,
  listCampaigns,
  removeCampaign,
} from '../../api/provisioning/campaigns.ts'
import type { Content } from '../../api/provisioning/contents.ts'
import { Age } from '../../components/age.tsx'
import { SmallIcon } from '../../components/controls/action.tsx'
import { PageLink } from '../../components/controls/page-link.tsx'
import { useAsk } from '../../components/dialogs/confirm.tsx'
import { FieldsForm } from '../../components/form/fields-form.tsx'
import { Faint } from '../../components/line.tsx'
import { Named } from '../../components/table/list.tsx'
import { ListPane } from '../../components/table/list-pane.tsx'
import { useRead } from '../../ui/live-queries.ts'
import { defineTexts, useTexts } from '../../ui/texts.ts'

const texts = defineTexts({
  title: ['Campaigns', 'Kampagnen'],
  none: [
    'No campaign yet. One says which devices shall get a content, and counts who has it.',
    'Noch keine Kampagne. Sie sagt, welche Geräte einen Inhalt bekommen sollen, und zählt ' +
      'die, die ihn haben.',
  ],
  upload: [
    'Upload a content first: a campaign says which devices shall get it.',
    'Laden Sie zuerst einen Inhalt hoch: Eine Kampagne sagt, welche Geräte ihn bekommen sollen.',
  ],
  content: ['Content', 'Inhalt'],
  tag: ['Tag of the devices', 'Tag der Geräte'],
  value: ['Value of the tag', 'Wert des Tags'],
  any: ['any value', 'jeder Wert'],
  progress: ['Progress', 'Fortschritt'],
  begun: ['Begun', 'Begonnen'],
  begin: ['Begin the campaign', 'Kampagne beginnen'],
  end: (content: string, tag: string) => [
    `End the campaign of ${content} for ${tag}`,
    `Kampagne von ${content} für ${tag} beenden`,
  ],
  question: (content: string, tag: string) => [
    `End the campaign of ${content} for ${tag}?`,
    `Kampagne von ${content} für ${tag} beenden?`,
  ],
  action: ['End it', 'Beenden'],
  kept: [
    'The content stays, and so does what devices have downloaded.',
    'Der Inhalt bleibt, und auch, was Geräte heruntergeladen haben.',
  ],
  noDevice: ['No device has this tag.', 'Kein Gerät hat diesen Tag.'],
  have: (some: number, all: number) => [
    `${some} of ${all} have downloaded it`,
    `${some} von ${all} haben ihn heruntergeladen`,
  ],
  under: (count: number) => [
    `${count} began and do not have all of it`,
    `${count} haben begonnen und noch nicht alles`,
  ],
})

/** The server counts the devices of each campaign anew. */
const campaignsEveryMs = 10_000

type Props = { readonly connector: Connector; readonly contents: readonly Content[] }

/** Which devices shall get which content, and how many have it. */
export function CampaignsPane({ connector, contents }: Props) {
  const t = useTexts(texts)
  const [ask, question] = useAsk()
  const campaigns = useRead('campaigns', listCampaigns, [connector.id], {
    everyMs: campaignsEveryMs,
  })
  const isEmpty = contents.length === 0
  const end = ({ id, content, tag }: Campaign) =>
    ask({
      title: t.question(content, filterTag(tag)),
      action: t.action,
      loss: t.kept,
      work: (client) => removeCampaign(client, connector.id, id),
    })
  return (
    <ListPane
      title={t.title}
      query={campaigns}
      tools={!isEmpty && <CampaignForm connector={connector} contents={contents} />}
      itemKey={({ id }) => id}
      none={isEmpty ? t.upload : t.none}
      columns={[
        [t.content, ({ content, meta }) => <Named name={content} of={meta} />],
        [t.devices, ({ tag }) => <Devices connector={connector} tag={filterTag(tag)} />],
        [t.progress, (one) => <Downloads {...one} />],
        [
          t.begun,
          (one) => (
            <>
              <Age at={one.created} />{' '}
              <SmallIcon
                icon="bin"
                label={t.end(one.content, filterTag(one.tag))}
                onClick={() => end(one)}
              />
            </>
          ),
        ],
      ]}
    >
      {question}
    </ListPane>
  )
}

/** As the filter of the list of devices has it. */
function filterTag({ name, value }: Campaign['tag']): string {
  return value === undefined ? name : `${name}:${value}`
}

type DevicesProps = { readonly connector: Connector; readonly tag: string }

function Devices({ connector, tag }: DevicesProps) {
  return (
    <PageLink
      to="/connectors/$connector/{-$view}"
      params={{ connector: connector.id, view: 'devices' }}
      search={{ tag }}
      text={tag}
    />
  )
}

function Downloads({ devices, downloaded, downloading }: Campaign) {
  const t = useTexts(texts)
  const have = t.have(downloaded, devices)
  if (devices === 0) return t.noDevice
  return (
    <>
      <Progress value={(100 * downloaded) / devices} aria-label={have} my={4} miw="8rem" />
      <Text size="sm">{have}</Text>
      {downloading > 0 && <Faint>{t.under(downloading)}</Faint>}
    </>
  )
}

function CampaignForm({ connector, contents }: Props) {
  const t = useTexts(texts)
  const ids = contents.map(({ id }) => id)
  return (
    <FieldsForm
      action={t.begin}
      fields={[
        { name: 'content', as: NativeSelect, label: t.content, data: ids },
        { name: 'tag', label: t.tag, placeholder: 'site', required: true, withAsterisk: false },
        { name: 'value', label: t.value, placeholder: t.any },
      ]}
      send={(client, { content, tag: name, value }) => {
        const tag = { name, ...(value !== '' && { value }) }
        return createCampaign(client, connector.id, { content, tag })
      }}
      onDone={(reset) => reset()}
    />
  )
}
