import type { DeviceStatus as Status } from '../api/devices.ts'
import { statusTexts } from '../ui/devices/device-texts.ts'
import { defineTexts, useTexts } from '../ui/texts.ts'
import { Badge, type Tone } from './badge.tsx'
import type { IconName } from './icon.tsx'

type Look = { readonly icon: IconName; readonly tone: Tone }

const looks: Readonly<Record<Status, Look>> = {
  whitelisted: { icon: 'tag', tone: 'note' },
  provisioned: { icon: 'link', tone: 'good' },
  locked: { icon: 'lock', tone: 'bad' },
  reprovision: { icon: 'again', tone: 'care' },
  expired: { icon: 'clock', tone: 'care' },
  devmode: { icon: 'unlocked', tone: 'care' },
}

const meanings = defineTexts({
  whitelisted: [
    'May activate; it has not yet.',
    'Darf sich aktivieren, hat es aber noch nicht getan.',
  ],
  provisioned: ['It has activated and may connect.', 'Ist aktiviert und darf sich verbinden.'],
  locked: [
    'It may not connect, whatever it shows.',
    'Darf sich nicht verbinden, was auch immer es vorlegt.',
  ],
  reprovision: ['It must activate again.', 'Muss sich erneut aktivieren.'],
  expired: [
    'Its window for the activation has passed.',
    'Die Frist für seine Aktivierung ist vorbei.',
  ],
  devmode: [
    'It may connect; its credential has crossed an unencrypted connection.',
    'Darf sich verbinden; seine Zugangsdaten liefen über eine unverschlüsselte Verbindung.',
  ],
})

/** The provisioning status of a device. */
export function DeviceStatus({ status }: { readonly status: Status }) {
  const words = useTexts(statusTexts)
  const meaning = useTexts(meanings)
  const { icon, tone } = looks[status] ?? { icon: 'info', tone: 'quiet' }
  return (
    <Badge tone={tone} icon={icon} title={meaning[status] ?? ''} text={words[status] ?? status} />
  )
}
