import type { Connector, SettingsPart } from '../../../api/connectors.ts'
import type { Device } from '../../../api/devices.ts'
import { NextStep } from '../../../components/next-step.tsx'
import {
  activateDevice,
  patchConnector,
  putIdentity,
  type Shell,
  tlsNote,
  writeValue,
} from '../../../ui/curl.ts'
import { useShell } from '../../../ui/session.tsx'

type Props = { readonly connector: Connector; readonly device: Device }
type Step = { readonly words: string; readonly command: string; readonly isDevices?: boolean }

const firstResources: SettingsPart = {
  resources: { temperature: { format: 'number', unit: 'DEG_CELSIUS' } },
}

/** The next step for a device that has written nothing yet; nothing for others. */
export function DeviceStep({ connector, device }: Props) {
  const shell = useShell()
  const hasResources = Object.keys(connector.resources).length > 0
  const hasReported = Object.values(device.state).some(({ reported }) => reported !== null)
  if (hasReported) return null
  const step = hasResources ? stepOf(shell, connector, device) : defineResources(shell, connector)
  const note = step.isDevices === true && !connector.protocol.devmode ? ` ${tlsNote}` : ''
  return <NextStep command={step.command}>{step.words + note}</NextStep>
}

function defineResources(shell: Shell, connector: Connector): Step {
  const command = patchConnector(shell, connector, firstResources)
  return { words: 'This connector has no resources that devices could write. One more:', command }
}

function stepOf(shell: Shell, connector: Connector, { identity, status }: Device): Step {
  switch (status) {
    case 'locked': {
      const command = putIdentity(shell, connector, identity, { locked: false })
      return { words: 'It is locked and may not connect. This lets it:', command }
    }
    case 'expired': {
      const command = putIdentity(shell, connector, identity, { auth: { expire: null } })
      return { words: 'Its activation came too late. This gives it all the time:', command }
    }
    case 'whitelisted':
    case 'reprovision': {
      const command = activateDevice(shell, connector, identity)
      return { words: 'It is waited for. The device activates:', command, isDevices: true }
    }
    default: {
      const command = writeValue(shell, connector)
      const words = 'It has not written anything yet. With the token of its activation:'
      return { words, command, isDevices: true }
    }
  }
}
