import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import { type Connector, changeResources, type Resource } from '../../api/connectors.ts'
import { Confirm } from '../../components/confirm.tsx'
import { Icon } from '../../components/icon.tsx'
import { Faint } from '../../components/line.tsx'
import { LongText } from '../../components/long-text.tsx'
import { Table } from '../../components/table.tsx'
import { useChange } from '../../ui/change.ts'
import { shownUnit } from '../../ui/words.ts'
import { ResourceForm } from './resource-form.tsx'

type Props = { readonly connector: Connector }
type Edited = { readonly alias: string; readonly resource?: Resource }

/** The values that each device of a connector has. */
export function ResourcesView({ connector }: Props) {
  const [edited, setEdited] = useState<Edited>()
  const [removed, setRemoved] = useState<string>()
  const resources = Object.entries(connector.resources)
  if (edited !== undefined) {
    return (
      <ResourceForm
        connector={connector}
        alias={edited.alias}
        resource={edited.resource}
        onDone={() => setEdited(undefined)}
      />
    )
  }
  return (
    <>
      {resources.length === 0 && <Faint>No resources yet: devices have nothing to write to.</Faint>}
      {resources.length > 0 && (
        <Table
          heads={['Resource', 'Unit', 'Allowed', 'Set from the cloud', 'Change']}
          narrow="stacked"
        >
          {resources.map(([alias, resource]) => (
            <Row
              key={alias}
              {...{ alias, resource }}
              onEdit={() => setEdited({ alias, resource })}
              onRemove={() => setRemoved(alias)}
            />
          ))}
        </Table>
      )}
      <Button
        variant="default"
        size="xs"
        mt="sm"
        leftSection={<Icon name="plus" size={14} />}
        onClick={() => setEdited({ alias: '' })}
      >
        Add a resource
      </Button>
      {removed !== undefined && (
        <Remove connector={connector} alias={removed} onDone={() => setRemoved(undefined)} />
      )}
    </>
  )
}

type RowProps = {
  readonly alias: string
  readonly resource: Resource
  readonly onEdit: () => void
  readonly onRemove: () => void
}

function Row({ alias, resource, onEdit, onRemove }: RowProps) {
  const { format, unit, allowed, settable, initial } = resource
  return (
    <tr>
      <td>
        {alias}
        <Faint>{format}</Faint>
      </td>
      <td data-label="Unit">{shownUnit(unit) || <Faint inline>none</Faint>}</td>
      <td data-label="Allowed">
        {allowed.length === 0 ? (
          <Faint inline>any {format}</Faint>
        ) : (
          <LongText text={allowed.join(', ')} />
        )}
      </td>
      <td data-label="Set from the cloud">
        {settable ? 'settable' : <Faint inline>no</Faint>}
        {initial !== undefined && (
          <Faint>
            at first <LongText text={initial} />
          </Faint>
        )}
      </td>
      <td>
        <Group gap={4} justify="end">
          <Button variant="default" size="compact-xs" aria-label={`Edit ${alias}`} onClick={onEdit}>
            <Icon name="pen" size={14} />
          </Button>
          <Button
            variant="default"
            size="compact-xs"
            aria-label={`Remove ${alias}`}
            onClick={onRemove}
          >
            <Icon name="bin" size={14} />
          </Button>
        </Group>
      </td>
    </tr>
  )
}

type RemoveProps = Props & { readonly alias: string; readonly onDone: () => void }

function Remove({ connector, alias, onDone }: RemoveProps) {
  const { isBusy, error, run } = useChange<string>((client, name) =>
    changeResources(client, connector.id, { [name]: null }),
  )
  return (
    <Confirm
      opened
      title={`Remove the resource ${alias}?`}
      action="Remove"
      {...{ isBusy, error }}
      onCancel={onDone}
      onConfirm={() => run(alias, onDone)}
    >
      Devices of {connector.name} cannot write or read it any more, and nothing feeds the signals
      that it fed. Their history stays.
    </Confirm>
  )
}
