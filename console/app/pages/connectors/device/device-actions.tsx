import { Group } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Client } from '../../../api/client.ts'
import type { Connector } from '../../../api/connectors.ts'
import {
  type Device,
  type DevicePage,
  type IdentityPart,
  putDevice,
  removeDevice,
} from '../../../api/devices.ts'
import { Action } from '../../../components/controls/action.tsx'
import { useAsk } from '../../../components/dialogs/confirm.tsx'
import { Trouble } from '../../../components/trouble.tsx'
import { useChange } from '../../../ui/change.ts'
import { actionsIn } from '../../../ui/devices/device-actions.ts'
import { defineTexts, useTexts } from '../../../ui/texts.ts'

const texts = defineTexts({
  actions: (identity: string) => [`Actions on ${identity}`, `Aktionen für ${identity}`],
  remove: ['Delete', 'Löschen'],
  question: (identity: string) => [`Delete ${identity}?`, `${identity} löschen?`],
  lost: [
    'Its credential, its values and its tags end with it. What it wrote stays with its asset. ' +
      'The name may be let in again, as a new device.',
    'Zugangsdaten, Werte und Tags werden gelöscht. Was es geschrieben hat, bleibt bei seiner ' +
      'Anlage. Der Name kann wieder freigegeben werden, als neues Gerät.',
  ],
  Lock: ['Lock', 'Sperren'],
  Unlock: ['Unlock', 'Entsperren'],
  'Unlock, re-provision': ['Unlock, re-provision', 'Entsperren, erneut aktivieren'],
  'Allow re-provisioning': ['Allow re-provisioning', 'Erneute Aktivierung zulassen'],
  'Withdraw re-provisioning': ['Withdraw re-provisioning', 'Erneute Aktivierung zurücknehmen'],
  'Open another window': ['Open another window', 'Neue Frist öffnen'],
})

/** The meaning of each action. */
const meanings = defineTexts({
  Lock: [
    'It may not connect from now on, whatever it shows.',
    'Es darf sich nicht mehr verbinden, was immer es vorzeigt.',
  ],
  Unlock: [
    'It may do again what it might before it was locked.',
    'Es darf wieder, was es vor der Sperre durfte.',
  ],
  'Unlock, re-provision': [
    'It may activate again: for firmware that dropped its credential when it was refused.',
    'Es darf sich erneut aktivieren: für Firmware, die ihre Zugangsdaten verwarf, als sie ' +
      'abgewiesen wurde.',
  ],
  'Allow re-provisioning': [
    'Its credential ends now, and it may activate again.',
    'Seine Zugangsdaten enden jetzt, und es darf sich erneut aktivieren.',
  ],
  'Withdraw re-provisioning': [
    'Its old credential is good again.',
    'Seine alten Zugangsdaten gelten wieder.',
  ],
  'Open another window': [
    'It may activate again, within the usual time from now.',
    'Es darf sich von jetzt an in der üblichen Frist erneut aktivieren.',
  ],
})

type Props = { readonly connector: Connector; readonly device: Device }

/** The actions that the state of an identity allows. */
export function DeviceActions({ connector, device: { identity, status } }: Props) {
  const t = useTexts(texts)
  const words = t as unknown as Readonly<Record<string, string>>
  const meant: Readonly<Record<string, string>> = useTexts(meanings)
  const change = useChange<IdentityPart>((client, part) =>
    putDevice(client, connector.id, identity, part),
  )
  return (
    <>
      <Group gap="xs" my="xs" role="group" aria-label={t.actions(identity)}>
        {actionsIn(status).map(({ name, part }) => (
          <Action
            key={name}
            text={words[name] ?? name}
            title={meant[name]}
            busy={change.isBusy}
            onClick={() => change.run(part)}
          />
        ))}
        <Remove connector={connector} identity={identity} />
      </Group>
      {change.error !== null && <Trouble error={change.error} />}
    </>
  )
}

type RemoveProps = { readonly connector: Connector; readonly identity: string }

function Remove({ connector, identity }: RemoveProps) {
  const t = useTexts(texts)
  const navigate = useNavigate()
  const [ask, question] = useAsk()
  const queries = useQueryClient()
  const removed = async (client: Client) => {
    await removeDevice(client, connector.id, identity)
    // Out of the lists at once: what is chosen next shall not be what is gone.
    queries.setQueriesData<DevicePage>(
      { queryKey: ['devices', connector.id] },
      (page) =>
        page && { ...page, devices: page.devices.filter((one) => one.identity !== identity) },
    )
    await navigate({ to: '/connectors/$connector/{-$view}', params: { connector: connector.id } })
  }
  const remove = () =>
    ask({ title: t.question(identity), action: t.remove, loss: t.lost, work: removed })
  return (
    <>
      <Action text={t.remove} icon="bin" onClick={remove} />
      {question}
    </>
  )
}
