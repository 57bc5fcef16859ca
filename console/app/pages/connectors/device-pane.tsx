import type { Connector, Resource } from '../../api/connectors.ts'
import { type Device, type ResourceState, readDevice } from '../../api/devices.ts'
import { Age } from '../../components/age.tsx'
import { Badge } from '../../components/badge.tsx'
import { DeviceStatus } from '../../components/device-status.tsx'
import { Faint, Line } from '../../components/line.tsx'
import { LongText } from '../../components/long-text.tsx'
import { Pane } from '../../components/pane.tsx'
import { Table } from '../../components/table.tsx'
import { chosenEveryMs, useLive } from '../../ui/live.ts'
import { shownUnit } from '../../ui/words.ts'
import { DeviceActions } from './device-actions.tsx'
import { DeviceStep } from './device-step.tsx'

type Props = { readonly connector: Connector; readonly identity: string }

/** One device, and its value of each resource of its connector. */
export function DevicePane({ connector, identity }: Props) {
  const device = useLive({
    key: ['device', connector.id, identity],
    read: (client, signal) => readDevice(client, connector.id, identity, signal),
    everyMs: chosenEveryMs,
  })
  return (
    <Pane
      title={identity}
      query={device}
      aside={device.data !== undefined && <DeviceStatus status={device.data.status} />}
    >
      {(found) => (
        <>
          <Facts device={found} />
          <DeviceActions key={found.identity} connector={connector} device={found} />
          <Resources connector={connector} device={found} />
        </>
      )}
    </Pane>
  )
}

function Facts({ device: { online, lastseen, lastip, tags } }: { readonly device: Device }) {
  return (
    <Faint>
      <span>{online ? 'online' : 'offline'}</span>
      <span>
        seen <Age at={lastseen} />
      </span>
      {lastip !== null && <span>{lastip}</span>}
      {tags.map(({ name, value }) => (
        <Badge key={name} tone="quiet" icon="tag">
          {name}: {value}
        </Badge>
      ))}
    </Faint>
  )
}

function Resources({ connector, device }: { connector: Connector; device: Device }) {
  const resources = Object.entries(connector.resources)
  return (
    <>
      {resources.length > 0 && (
        <Table heads={['Resource', 'Reported', 'Set', 'Written']} narrow="stacked">
          {resources.map(([alias, resource]) => (
            <Row key={alias} alias={alias} resource={resource} state={device.state[alias]} />
          ))}
        </Table>
      )}
      <DeviceStep connector={connector} device={device} />
    </>
  )
}

type RowProps = {
  readonly alias: string
  readonly resource: Resource
  readonly state: ResourceState | undefined
}

function Row({ alias, resource, state }: RowProps) {
  const about = [resource.format, shownUnit(resource.unit), resource.settable && 'settable']
  return (
    <tr>
      <td>
        {alias}
        <Faint>{about.filter(Boolean).join(', ')}</Faint>
      </td>
      <td data-label="Reported">
        {state?.reported == null ? <Nothing /> : <LongText text={state.reported} />}
      </td>
      <td data-label="Set">
        <SetValue state={state} isSettable={resource.settable} />
      </td>
      <td>{state !== undefined && <Age at={state.timestamp} />}</td>
    </tr>
  )
}

const unconfirmed = 'The device has not confirmed it by writing it back.'

type SetProps = { readonly state: ResourceState | undefined; readonly isSettable: boolean }

/** The set value, if the device has reported another. */
function SetValue({ state, isSettable }: SetProps) {
  if (state === undefined) return <Nothing />
  if (state.set === state.reported) return <Faint inline>as reported</Faint>
  return (
    <>
      <LongText text={state.set} />
      {isSettable && (
        <Line>
          <Badge tone="care" icon="clock" title={unconfirmed}>
            not confirmed
          </Badge>
        </Line>
      )}
    </>
  )
}

function Nothing() {
  return <Faint inline>nothing yet</Faint>
}
