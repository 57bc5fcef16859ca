import { useState } from 'react'
import type { Connector, Resource } from '../../../api/connectors.ts'
import type { Device, ResourceState } from '../../../api/devices.ts'
import { Age } from '../../../components/age.tsx'
import { Badge } from '../../../components/badge.tsx'
import { Action } from '../../../components/controls/action.tsx'
import { Faint, Line } from '../../../components/line.tsx'
import { LongText } from '../../../components/long-text.tsx'
import { Table } from '../../../components/table/table.tsx'
import { defineTexts, useTexts } from '../../../ui/texts.ts'
import { shownUnit } from '../../../ui/words.ts'
import { DeviceStep } from './device-step.tsx'
import { SetForm } from './set-form.tsx'

const texts = defineTexts({
  resource: ['Resource', 'Ressource'],
  reported: ['Reported', 'Gemeldet'],
  set: ['Set', 'Gesetzt'],
  written: ['Written', 'Geschrieben'],
  settable: ['settable', 'setzbar'],
  same: ['as reported', 'wie gemeldet'],
  waiting: ['not confirmed', 'nicht bestätigt'],
  waitingTitle: [
    'The device has not confirmed it by writing it back.',
    'Das Gerät hat es noch nicht bestätigt, indem es den Wert zurückschreibt.',
  ],
  nothing: ['nothing yet', 'noch nichts'],
  change: (alias: string) => [`Set ${alias}`, `${alias} setzen`],
  button: ['Set', 'Setzen'],
})

type Props = { readonly connector: Connector; readonly device: Device }

/** The value of each resource of a device, as it was reported beside as it was set. */
export function DeviceValues({ connector, device }: Props) {
  const t = useTexts(texts)
  const [edited, setEdited] = useState<string>()
  const resources = Object.entries(connector.resources)
  const resource = edited === undefined ? undefined : connector.resources[edited]
  return (
    <>
      {edited !== undefined && resource !== undefined && (
        <SetForm
          key={edited}
          {...{ connector, identity: device.identity, alias: edited, resource }}
          value={device.state[edited]?.set ?? ''}
          onDone={() => setEdited(undefined)}
        />
      )}
      {resources.length > 0 && (
        <Table heads={[t.resource, t.reported, t.set, t.written]} narrow="stacked">
          {resources.map(([alias, one]) => (
            <Row
              key={alias}
              {...{ alias, resource: one, state: device.state[alias] }}
              onSet={() => setEdited(alias)}
            />
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
  readonly onSet: () => void
}

function Row({ alias, resource, state, onSet }: RowProps) {
  const t = useTexts(texts)
  const about = [resource.format, shownUnit(resource.unit), resource.settable && t.settable]
  return (
    <tr>
      <td>
        {alias}
        <Faint>{about.filter(Boolean).join(', ')}</Faint>
      </td>
      <td data-label={t.reported}>
        {state?.reported == null ? <Nothing /> : <LongText text={state.reported} />}
      </td>
      <td data-label={t.set}>
        <SetValue state={state} isSettable={resource.settable} />
        {resource.settable && (
          <div>
            <Action text={t.button} small aria-label={t.change(alias)} onClick={onSet} />
          </div>
        )}
      </td>
      <td>{state !== undefined && <Age at={state.timestamp} />}</td>
    </tr>
  )
}

type SetProps = { readonly state: ResourceState | undefined; readonly isSettable: boolean }

/** The set value, if the device has reported another. */
function SetValue({ state, isSettable }: SetProps) {
  const t = useTexts(texts)
  if (state === undefined) return <Nothing />
  if (state.set === state.reported) return <Faint inline>{t.same}</Faint>
  return (
    <>
      <LongText text={state.set} />
      {isSettable && (
        <Line>
          <Badge tone="care" icon="clock" title={t.waitingTitle} text={t.waiting} />
        </Line>
      )}
    </>
  )
}

function Nothing() {
  const t = useTexts(texts)
  return <Faint inline>{t.nothing}</Faint>
}
