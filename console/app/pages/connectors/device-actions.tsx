import { Button, Group } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Connector } from '../../api/connectors.ts'
import {
  type Device,
  type DevicePage,
  type IdentityPart,
  putDevice,
  removeDevice,
} from '../../api/devices.ts'
import { Confirm } from '../../components/confirm.tsx'
import { Icon } from '../../components/icon.tsx'
import { Trouble } from '../../components/trouble.tsx'
import { useChange } from '../../ui/change.ts'
import { actionsIn } from '../../ui/device-actions.ts'

type Props = { readonly connector: Connector; readonly device: Device }

/** The actions that the state of an identity allows. */
export function DeviceActions({ connector, device: { identity, status } }: Props) {
  const change = useChange<IdentityPart>((client, part) =>
    putDevice(client, connector.id, identity, part),
  )
  return (
    <>
      <Group gap="xs" my="xs" role="group" aria-label={`Actions on ${identity}`}>
        {actionsIn(status).map(({ name, meaning, part }) => (
          <Button
            key={name}
            variant="default"
            size="xs"
            title={meaning}
            loading={change.isBusy}
            onClick={() => change.run(part)}
          >
            {name}
          </Button>
        ))}
        <Remove connector={connector} identity={identity} />
      </Group>
      {change.error !== null && <Trouble error={change.error} />}
    </>
  )
}

type RemoveProps = { readonly connector: Connector; readonly identity: string }

function Remove({ connector, identity }: RemoveProps) {
  const navigate = useNavigate()
  const [isAsking, setAsking] = useState(false)
  const queries = useQueryClient()
  const { isBusy, error, run, reset } = useChange<string>(async (client, name) => {
    await removeDevice(client, connector.id, name)
    // Out of the lists at once: what is chosen next shall not be what is gone.
    queries.setQueriesData<DevicePage>(
      { queryKey: ['devices', connector.id] },
      (page) => page && { ...page, devices: page.devices.filter((one) => one.identity !== name) },
    )
    await navigate({ to: '/connectors/$connector/{-$view}', params: { connector: connector.id } })
  })
  const close = () => {
    setAsking(false)
    reset()
  }
  return (
    <>
      <Button
        variant="default"
        size="xs"
        leftSection={<Icon name="bin" size={14} />}
        onClick={() => setAsking(true)}
      >
        Delete
      </Button>
      <Confirm
        opened={isAsking}
        title={`Delete ${identity}?`}
        action="Delete"
        {...{ isBusy, error }}
        onCancel={close}
        onConfirm={() => run(identity)}
      >
        Its credential, its values and its tags end with it. What it wrote stays with its asset. The
        name may be let in again, as a new device.
      </Confirm>
    </>
  )
}
