import { Group } from '@mantine/core'
import { useState } from 'react'
import { type Connector, changeResources, type Resource } from '../../../api/connectors.ts'
import { Action, SmallIcon } from '../../../components/controls/action.tsx'
import { useAsk } from '../../../components/dialogs/confirm.tsx'
import { Faint } from '../../../components/line.tsx'
import { LongText } from '../../../components/long-text.tsx'
import { List, Named } from '../../../components/table/list.tsx'
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
  const [ask, question] = useAsk()
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
  const remove = (alias: string) =>
    ask({
      title: t.question(alias),
      action: t.action,
      loss: t.lost(connector.name),
      work: (client) => changeResources(client, connector.id, { [alias]: null }),
    })
  return (
    <>
      {resources.length === 0 ? (
        <Faint>{t.none}</Faint>
      ) : (
        <List
          items={resources}
          itemKey={([alias]) => alias}
          columns={[
            [t.resource, ([alias, { format }]) => <Named name={alias} of={format} />],
            [t.unit, ([, { unit }]) => shownUnit(unit) || <Faint inline>{t.noUnit}</Faint>],
            [t.allowed, ([, resource]) => <Allowed {...resource} />],
            [t.set, ([, resource]) => <Settable {...resource} />],
            [
              t.change,
              ([alias, resource]) => (
                <Group gap={4} justify="end">
                  <SmallIcon
                    icon="pen"
                    label={t.edit(alias)}
                    onClick={() => setEdited({ alias, resource })}
                  />
                  <SmallIcon icon="bin" label={t.remove(alias)} onClick={() => remove(alias)} />
                </Group>
              ),
            ],
          ]}
        />
      )}
      <Action text={t.add} icon="plus" mt="sm" onClick={() => setEdited({ alias: '' })} />
      {question}
    </>
  )
}

function Allowed({ allowed, format }: Resource) {
  const t = useTexts(texts)
  if (allowed.length > 0) return <LongText text={allowed.join(', ')} />
  return <Faint inline>{t.any(format)}</Faint>
}

function Settable({ settable, initial }: Resource) {
  const t = useTexts(texts)
  return (
    <>
      {settable ? t.settable : <Faint inline>{t.no}</Faint>}
      {initial !== undefined && (
        <Faint>
          {t.first} <LongText text={initial} />
        </Faint>
      )}
    </>
  )
}
