import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import { type Connector, changeResources, type Resource } from '../../../api/connectors.ts'
import { Confirm } from '../../../components/dialogs/confirm.tsx'
import { Icon } from '../../../components/icon.tsx'
import { Faint } from '../../../components/line.tsx'
import { LongText } from '../../../components/long-text.tsx'
import { Table } from '../../../components/table/table.tsx'
import { useChange } from '../../../ui/change.ts'
import { defineTexts, useTexts } from '../../../ui/texts.ts'
import { shownUnit } from '../../../ui/words.ts'
import { ResourceForm } from './resource-form.tsx'

const texts = defineTexts({
  none: [
    'No resources yet: devices have nothing to write to.',
    'Noch keine Ressourcen: Geräte können nichts schreiben.',
  ],
  resource: ['Resource', 'Ressource'],
  unit: ['Unit', 'Einheit'],
  allowed: ['Allowed', 'Erlaubt'],
  set: ['Set from the cloud', 'Aus der Cloud setzbar'],
  change: ['Change', 'Ändern'],
  add: ['Add a resource', 'Ressource hinzufügen'],
  noUnit: ['none', 'keine'],
  any: (format: string) => [`any ${format}`, `beliebig (${format})`],
  settable: ['settable', 'setzbar'],
  first: ['at first', 'anfangs'],
  no: ['no', 'nein'],
  edit: (alias: string) => [`Edit ${alias}`, `${alias} bearbeiten`],
  remove: (alias: string) => [`Remove ${alias}`, `${alias} entfernen`],
  question: (alias: string) => [`Remove the resource ${alias}?`, `Ressource ${alias} entfernen?`],
  action: ['Remove', 'Entfernen'],
  lost: (name: string) => [
    `Devices of ${name} cannot write or read it any more, and nothing feeds the signals that ` +
      'it fed. Their history stays.',
    `Geräte von ${name} können sie nicht mehr schreiben oder lesen, und nichts speist mehr ` +
      'die Signale, die sie gespeist hat. Deren Verlauf bleibt.',
  ],
})

type Props = { readonly connector: Connector }
type Edited = { readonly alias: string; readonly resource?: Resource }

/** The values that each device of a connector has. */
export function ResourcesView({ connector }: Props) {
  const t = useTexts(texts)
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
      {resources.length === 0 && <Faint>{t.none}</Faint>}
      {resources.length > 0 && (
        <Table heads={[t.resource, t.unit, t.allowed, t.set, t.change]} narrow="stacked">
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
        {t.add}
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
  const t = useTexts(texts)
  const { format, unit, allowed, settable, initial } = resource
  return (
    <tr>
      <td>
        {alias}
        <Faint>{format}</Faint>
      </td>
      <td data-label={t.unit}>{shownUnit(unit) || <Faint inline>{t.noUnit}</Faint>}</td>
      <td data-label={t.allowed}>
        {allowed.length === 0 ? (
          <Faint inline>{t.any(format)}</Faint>
        ) : (
          <LongText text={allowed.join(', ')} />
        )}
      </td>
      <td data-label={t.set}>
        {settable ? t.settable : <Faint inline>{t.no}</Faint>}
        {initial !== undefined && (
          <Faint>
            {t.first} <LongText text={initial} />
          </Faint>
        )}
      </td>
      <td>
        <Group gap={4} justify="end">
          <Button variant="default" size="compact-xs" aria-label={t.edit(alias)} onClick={onEdit}>
            <Icon name="pen" size={14} />
          </Button>
          <Button
            variant="default"
            size="compact-xs"
            aria-label={t.remove(alias)}
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
  const t = useTexts(texts)
  const { isBusy, error, run } = useChange<string>((client, name) =>
    changeResources(client, connector.id, { [name]: null }),
  )
  return (
    <Confirm
      opened
      title={t.question(alias)}
      action={t.action}
      {...{ isBusy, error }}
      onCancel={onDone}
      onConfirm={() => run(alias, onDone)}
    >
      {t.lost(connector.name)}
    </Confirm>
  )
}
