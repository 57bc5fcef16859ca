import type { DeviceStatus as Status } from '../api/devices.ts'
import { Badge, type Tone } from './badge.tsx'
import type { IconName } from './icon.tsx'

type Look = { readonly icon: IconName; readonly tone: Tone; readonly meaning: string }

const looks: Readonly<Record<Status, Look>> = {
  whitelisted: { icon: 'tag', tone: 'note', meaning: 'May activate; it has not yet.' },
  provisioned: { icon: 'link', tone: 'good', meaning: 'It has activated and may connect.' },
  locked: { icon: 'lock', tone: 'bad', meaning: 'It may not connect, whatever it shows.' },
  reprovision: { icon: 'again', tone: 'care', meaning: 'It must activate again.' },
  expired: { icon: 'clock', tone: 'care', meaning: 'Its window for the activation has passed.' },
  devmode: {
    icon: 'unlocked',
    tone: 'care',
    meaning: 'It may connect; its credential has crossed an unencrypted connection.',
  },
}

/** Where the provisioning of a device stands. */
export function DeviceStatus({ status }: { readonly status: Status }) {
  const { icon, tone, meaning } = looks[status] ?? { icon: 'info', tone: 'quiet', meaning: '' }
  return (
    <Badge tone={tone} icon={icon} title={meaning}>
      {status}
    </Badge>
  )
}
