import { Anchor, Button, Group, NativeSelect, Progress, Text, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import type { Connector } from '../../api/connectors.ts'
import {
  type Campaign,
  type CampaignPart,
  createCampaign,
  listCampaigns,
  removeCampaign,
} from '../../api/provisioning/campaigns.ts'
import type { Content } from '../../api/provisioning/contents.ts'
import { Age } from '../../components/age.tsx'
import { Confirm } from '../../components/dialogs/confirm.tsx'
import { Icon } from '../../components/icon.tsx'
import { Faint } from '../../components/line.tsx'
import { NextStep } from '../../components/next-step.tsx'
import { Pane } from '../../components/pane.tsx'
import { Table } from '../../components/table/table.tsx'
import { Trouble } from '../../components/trouble.tsx'
import { useChange } from '../../ui/change.ts'
import { useLive } from '../../ui/live.ts'
import { textOf } from '../../ui/submit.ts'
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
  devices: ['Devices', 'Geräte'],
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
  const [ended, setEnded] = useState<Campaign>()
  const campaigns = useLive({
    key: ['campaigns', connector.id],
    read: (client, signal) => listCampaigns(client, connector.id, signal),
    everyMs: campaignsEveryMs,
  })
  const isEmpty = contents.length === 0
  return (
    <Pane
      title={t.title}
      query={campaigns}
      tools={!isEmpty && <CampaignForm connector={connector} contents={contents} />}
    >
      {(all) => (
        <>
          {all.length === 0 && <NextStep>{isEmpty ? t.upload : t.none}</NextStep>}
          {all.length > 0 && (
            <Table heads={[t.content, t.devices, t.progress, t.begun]} narrow="stacked">
              {all.map((one) => (
                <Row
                  key={one.id}
                  connector={connector}
                  campaign={one}
                  onEnd={() => setEnded(one)}
                />
              ))}
            </Table>
          )}
          {ended !== undefined && (
            <End connector={connector} campaign={ended} onDone={() => setEnded(undefined)} />
          )}
        </>
      )}
    </Pane>
  )
}

/** As the filter of the list of devices has it. */
function filterTag({ name, value }: Campaign['tag']): string {
  return value === undefined ? name : `${name}:${value}`
}

type RowProps = {
  readonly connector: Connector
  readonly campaign: Campaign
  readonly onEnd: () => void
}

function Row({ connector, campaign, onEnd }: RowProps) {
  const t = useTexts(texts)
  const { content, meta, tag, created, devices, downloaded, downloading } = campaign
  const have = t.have(downloaded, devices)
  return (
    <tr>
      <td>
        {content}
        <Faint>{meta}</Faint>
      </td>
      <td data-label={t.devices}>
        <Anchor
          size="sm"
          renderRoot={(props) => (
            <Link
              {...props}
              to="/connectors/$connector/{-$view}"
              params={{ connector: connector.id, view: 'devices' }}
              search={{ tag: filterTag(tag) }}
            />
          )}
        >
          {filterTag(tag)}
        </Anchor>
      </td>
      <td data-label={t.progress}>
        {devices === 0 && t.noDevice}
        {devices > 0 && (
          <>
            <Progress value={(100 * downloaded) / devices} aria-label={have} my={4} miw="8rem" />
            <Text size="sm">{have}</Text>
            {downloading > 0 && <Faint>{t.under(downloading)}</Faint>}
          </>
        )}
      </td>
      <td>
        <Age at={created} />{' '}
        <Button
          variant="default"
          size="compact-xs"
          aria-label={t.end(content, filterTag(tag))}
          onClick={onEnd}
        >
          <Icon name="bin" size={14} />
        </Button>
      </td>
    </tr>
  )
}

function CampaignForm({ connector, contents }: Props) {
  const t = useTexts(texts)
  const { isBusy, error, run } = useChange<CampaignPart>((client, part) =>
    createCampaign(client, connector.id, part),
  )
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const data = new FormData(form)
    const [name, value] = [textOf(data, 'tag'), textOf(data, 'value')]
    const tag = { name, ...(value !== '' && { value }) }
    run({ content: textOf(data, 'content'), tag }, () => form.reset())
  }
  return (
    <form onSubmit={submit}>
      <Group gap="xs" align="end" mb="xs">
        <NativeSelect
          label={t.content}
          name="content"
          size="xs"
          data={contents.map(({ id }) => id)}
        />
        <TextInput
          label={t.tag}
          name="tag"
          size="xs"
          placeholder="site"
          required
          withAsterisk={false}
        />
        <TextInput label={t.value} name="value" size="xs" placeholder={t.any} />
        <Button type="submit" size="xs" loading={isBusy}>
          {t.begin}
        </Button>
      </Group>
      {error !== null && <Trouble error={error} />}
    </form>
  )
}

type EndProps = Omit<RowProps, 'onEnd'> & { readonly onDone: () => void }

function End({ connector, campaign: { id, content, tag }, onDone }: EndProps) {
  const t = useTexts(texts)
  const { isBusy, error, run } = useChange<string>((client, campaign) =>
    removeCampaign(client, connector.id, campaign),
  )
  return (
    <Confirm
      opened
      title={t.question(content, filterTag(tag))}
      action={t.action}
      {...{ isBusy, error }}
      onCancel={onDone}
      onConfirm={() => run(id, onDone)}
    >
      {t.kept}
    </Confirm>
  )
}
