import type { Connector } from '../../../api/connectors.ts'
import type { Device } from '../../../api/devices.ts'
import { type DeviceContent, listDeviceContents } from '../../../api/provisioning/campaigns.ts'
import { Age } from '../../../components/age.tsx'
import { Badge, type Tone } from '../../../components/badge.tsx'
import { Faint } from '../../../components/line.tsx'
import { NextStep } from '../../../components/next-step.tsx'
import { Pane } from '../../../components/pane.tsx'
import { Table } from '../../../components/table/table.tsx'
import { listEveryMs, useLive } from '../../../ui/live.ts'
import { defineTexts, useLanguage, useTexts } from '../../../ui/texts.ts'

const texts = defineTexts({
  title: ['Content of the device', 'Inhalte des Geräts'],
  none: [
    'It has downloaded nothing, and no campaign offers it a content.',
    'Es hat nichts heruntergeladen, und keine Kampagne bietet ihm einen Inhalt an.',
  ],
  content: ['Content', 'Inhalt'],
  status: ['Status', 'Status'],
  received: ['Sent to it', 'An es gesendet'],
  when: ['When', 'Wann'],
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

/** What a device downloaded, or is to get by a campaign. */
export function ContentsView({ connector, device: { identity } }: Props) {
  const t = useTexts(texts)
  const language = useLanguage()
  const contents = useLive({
    key: ['device-contents', connector.id, identity],
    read: (client, signal) => listDeviceContents(client, connector.id, identity, signal),
    everyMs: listEveryMs,
  })
  return (
    <Pane title={t.title} query={contents}>
      {(all) =>
        all.length === 0 ? (
          <NextStep>{t.none}</NextStep>
        ) : (
          <Table heads={[t.content, t.status, t.received, t.when]} narrow="stacked">
            {all.map(({ content, meta, status, received, size, ...times }) => (
              <tr key={content}>
                <td>
                  {content}
                  <Faint>{meta}</Faint>
                </td>
                <td data-label={t.status}>
                  <Badge tone={tones[status]}>{t[status]}</Badge>
                </td>
                <td data-label={t.received}>
                  {t.bytes(received.toLocaleString(language), size.toLocaleString(language))}
                </td>
                <td>
                  <Age at={times.completed ?? times.begun ?? times.offered} />
                </td>
              </tr>
            ))}
          </Table>
        )
      }
    </Pane>
  )
}
