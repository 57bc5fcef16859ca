import type { Connector } from '../../../api/connectors.ts'
import { NextStep } from '../../../components/next-step.tsx'
import { patchConnector, putIdentity } from '../../../ui/curl.ts'
import { useTarget } from '../../../ui/devices/target.ts'
import { useShell } from '../../../ui/session.tsx'
import { activateCommand } from '../../../ui/snippets.ts'
import { defineTexts, useTexts } from '../../../ui/texts.ts'

const texts = defineTexts({
  unmatched: ['No device matches the filters.', 'Kein Gerät passt zu den Filtern.'],
  off: [
    'No device yet, and none can activate while provisioning is off. This switches it on:',
    'Noch kein Gerät, und keines kann sich aktivieren, solange die Provisionierung aus ist. ' +
      'Dies schaltet sie ein:',
  ],
  self: [
    'No device yet. A device registers itself with its activation:',
    'Noch kein Gerät. Ein Gerät registriert sich mit seiner Aktivierung:',
  ],
  whitelist: [
    'No device yet. Whitelist an identity, then activate it as its device:',
    'Noch kein Gerät. Geben Sie eine Identität frei und aktivieren Sie sie als Gerät:',
  ],
})

const exampleDevice = 'my-device'

type Props = { readonly connector: Connector; readonly isFiltered: boolean }

/** In the place of an empty list: the next step. */
export function NoDevices({ connector, isFiltered }: Props) {
  const t = useTexts(texts)
  const shell = useShell()
  const { target } = useTarget(connector, exampleDevice)
  const { enabled, generate_identity } = connector.provisioning
  if (isFiltered) return <NextStep>{t.unmatched}</NextStep>
  if (!enabled) {
    const on = { provisioning: { enabled: true } }
    return <NextStep command={patchConnector(shell, connector, on)}>{t.off}</NextStep>
  }
  const whitelist = generate_identity ? [] : [putIdentity(shell, connector, exampleDevice, {})]
  const command = target && [...whitelist, activateCommand(target)].join('\n')
  return (
    <NextStep {...(command !== undefined && { command })}>
      {generate_identity ? t.self : t.whitelist}
    </NextStep>
  )
}
