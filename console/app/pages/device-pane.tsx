import type { Connector, Resource } from '../api/connectors.ts'
import { type Device, type ResourceState, readDevice } from '../api/devices.ts'
import { Age } from '../components/age.tsx'
import { Badge } from '../components/badge.tsx'
import { DeviceStatus } from '../components/device-status.tsx'
import { Faint, Line } from '../components/line.tsx'
import { LongText } from '../components/long-text.tsx'
import { NextStep } from '../components/next-step.tsx'
import { Pane } from '../components/pane.tsx'
import { writeValue } from '../ui/curl.ts'
import { chosenEveryMs, useLive } from '../ui/live.ts'
import { useShell } from '../ui/session.tsx'
import { shownUnit } from '../ui/words.ts'
import styles from './section.module.css'

type Props = { readonly connector: Connector; readonly identity: string }

/** One device, and what each resource of its connector holds for it. */
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
  const shell = useShell()
  const resources = Object.entries(connector.resources)
  const isSilent = Object.values(device.state).every(({ reported }) => reported === null)
  return (
    <>
      {resources.length === 0 && <NextStep>This connector has no resources yet.</NextStep>}
      {resources.length > 0 && (
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">Resource</th>
              <th scope="col">Reported</th>
              <th scope="col">Set</th>
              <th scope="col" className={styles.age}>
                Written
              </th>
            </tr>
          </thead>
          <tbody>
            {resources.map(([alias, resource]) => (
              <Row key={alias} alias={alias} resource={resource} state={device.state[alias]} />
            ))}
          </tbody>
        </table>
      )}
      {isSilent && resources.length > 0 && (
        <NextStep command={writeValue(shell, connector)}>
          The device has not written anything yet. With the token of its activation:
        </NextStep>
      )}
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
      <td>{state?.reported == null ? <Faint>never</Faint> : <LongText text={state.reported} />}</td>
      <td>
        <SetValue state={state} isSettable={resource.settable} />
      </td>
      <td className={styles.age}>
        <Age at={state?.timestamp ?? null} />
      </td>
    </tr>
  )
}

/** What the device shall have, where that is not what it says to have. */
function SetValue({
  state,
  isSettable,
}: {
  state: ResourceState | undefined
  isSettable: boolean
}) {
  if (state === undefined) return <Faint>never</Faint>
  if (state.set === state.reported) return <Faint>as reported</Faint>
  return (
    <>
      <LongText text={state.set} />
      {isSettable && (
        <Line>
          <Badge
            tone="care"
            icon="clock"
            title="The device has not confirmed it by writing it back."
          >
            not confirmed
          </Badge>
        </Line>
      )}
    </>
  )
}
