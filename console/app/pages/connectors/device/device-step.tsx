import type { Connector, SettingsPart } from '../../../api/connectors.ts'
import type { Device } from '../../../api/devices.ts'
import { NextStep } from '../../../components/next-step.tsx'
import { patchConnector, putIdentity, type Shell } from '../../../ui/curl.ts'
import { useTarget } from '../../../ui/devices/target.ts'
import { useShell } from '../../../ui/session.tsx'
import { activateCommand, type Target, writeCommand } from '../../../ui/snippets.ts'
import { defineTexts, useTexts } from '../../../ui/texts.ts'

type Props = { readonly connector: Connector; readonly device: Device }
type Step = {
  readonly words: keyof typeof texts.en
  /** Undefined until the addresses are read. */
  readonly command: string | undefined
}

const texts = defineTexts({
  resources: [
    'This connector has no resources that devices could write. One more:',
    'Dieser Konnektor hat keine Ressourcen, die Geräte schreiben könnten. Eine mehr:',
  ],
  locked: [
    'It is locked and may not connect. This lets it:',
    'Es ist gesperrt und darf sich nicht verbinden. Dies lässt es zu:',
  ],
  expired: [
    'Its activation came too late. This gives it all the time:',
    'Seine Aktivierung kam zu spät. Dies gibt ihm unbegrenzt Zeit:',
  ],
  waiting: [
    'It is waited for. The device activates:',
    'Seine Aktivierung steht aus. Das Gerät aktiviert sich so:',
  ],
  write: [
    'It has not written anything yet. With the token of its activation:',
    'Es hat noch nichts geschrieben. Mit dem Token seiner Aktivierung:',
  ],
})

const firstResources: SettingsPart = {
  resources: { temperature: { format: 'number', unit: 'DEG_CELSIUS' } },
}

/** The next step for a device that has written nothing yet; nothing for others. */
export function DeviceStep({ connector, device }: Props) {
  const t = useTexts(texts)
  const shell = useShell()
  const { target } = useTarget(connector, device.identity)
  const hasResources = Object.keys(connector.resources).length > 0
  const hasReported = Object.values(device.state).some(({ reported }) => reported !== null)
  if (hasReported) return null
  const { words, command } = hasResources
    ? nextStep(shell, connector, device, target)
    : defineResources(shell, connector)
  return <NextStep {...(command !== undefined && { command })}>{t[words]}</NextStep>
}

function defineResources(shell: Shell, connector: Connector): Step {
  const command = patchConnector(shell, connector, firstResources)
  return { words: 'resources', command }
}

function nextStep(
  shell: Shell,
  connector: Connector,
  { identity, status }: Device,
  target: Target | undefined,
): Step {
  switch (status) {
    case 'locked': {
      const command = putIdentity(shell, connector, identity, { locked: false })
      return { words: 'locked', command }
    }
    case 'expired': {
      const command = putIdentity(shell, connector, identity, { auth: { expire: null } })
      return { words: 'expired', command }
    }
    case 'whitelisted':
    case 'reprovision':
      return { words: 'waiting', command: target && activateCommand(target) }
    default:
      return { words: 'write', command: target && writeCommand(target) }
  }
}
