import type { Connector } from '../../../api/connectors.ts'
import type { Device } from '../../../api/devices.ts'
import { type DeviceContent, listDeviceContents } from '../../../api/provisioning/campaigns.ts'
import { Age } from '../../../components/age.tsx'
import { Badge, type Tone } from '../../../components/badge.tsx'
import { Pane } from '../../../components/pane.tsx'
import { List, Named } from '../../../components/table/list.tsx'
import { useRead } from '../../../ui/live-queries.ts'
import { defineTexts, useLanguage, useTexts } from '../../../ui/texts.ts'

const texts = defineTexts({
  title: ['Content of the device', 'Inhalte des Geräts'],
  none: [
    'It has downloaded nothing, and no campaign offers it a content.',
    'Es hat nichts heruntergeladen, und keine Kampagne bietet ihm einen Inhalt an.',
  ],
  content: ['Content', 'Inhalt'],
  received: ['Sent to it', 'An es gesendet'],
  offered: ['offered', 'angeboten'],
  downloading: ['downloading', 'lädt herunter'],
  downloaded: ['downloaded', 'heruntergeladen'],
  outdated: ['replaced since', 'seitdem ersetzt'],
  bytes: (some: string, all: string) => [`${some} of ${all} bytes`, `${some} von ${all} Bytes`],
})

const tones: Readonly<Record<DeviceContent['status'], Tone>> = {
  offered: 'quiet',
  downloading: 'note',
  downloaded: 'good',
  outdated: 'care',
}

type Props = { readonly connector: Connector; readonly device: Device }

/** The contents that a device downloaded, or is to get by a campaign. */
export function ContentsView({ connector, device: { identity } }: Props) {
  const t = useTexts(texts)
  const language = useLanguage()
  const contents = useRead('device-contents', listDeviceContents, [connector.id, identity])
  return (
    <Pane title={t.title} query={contents}>
      {(all) => (
        <List
          items={all}
          itemKey={({ content }) => content}
          none={t.none}
          columns={[
            [t.content, ({ content, meta }) => <Named name={content} of={meta} />],
            [t.status, ({ status }) => <Badge tone={tones[status]} text={t[status]} />],
            [
              t.received,
              ({ received, size }) =>
                t.bytes(received.toLocaleString(language), size.toLocaleString(language)),
            ],
            [t.when, (one) => <Age at={one.completed ?? one.begun ?? one.offered} />],
          ]}
        />
      )}
    </Pane>
  )
}
