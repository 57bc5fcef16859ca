import type { Connector } from '../../../api/connectors.ts'
import { changeTags, type Device, type Tag } from '../../../api/devices.ts'
import { SmallIcon } from '../../../components/controls/action.tsx'
import { FieldsForm } from '../../../components/form/fields-form.tsx'
import { List } from '../../../components/table/list.tsx'
import { Trouble } from '../../../components/trouble.tsx'
import { useChange } from '../../../ui/change.ts'
import { defineTexts, useTexts } from '../../../ui/texts.ts'

const texts = defineTexts({
  add: ['Add the tag', 'Tag hinzufügen'],
  remove: (name: string) => [`Remove ${name}`, `${name} entfernen`],
  none: [
    'No tags yet. Devices are found, updated and ordered to activate again by their tags.',
    'Noch keine Tags. Über Tags lassen sich Geräte finden, aktualisieren und zur erneuten ' +
      'Aktivierung auffordern.',
  ],
})

type Props = { readonly connector: Connector; readonly device: Device }

/** The tags of a device. */
export function TagsView({ connector, device: { identity, tags } }: Props) {
  const t = useTexts(texts)
  const remove = useChange<Tag>((client, tag) =>
    changeTags(client, connector.id, identity, { remove: [tag] }),
  )
  return (
    <>
      <List
        items={tags}
        itemKey={(tag) => `${tag.name}\n${tag.value}`}
        none={t.none}
        columns={[
          [t.name, ({ name }) => name],
          [t.value, ({ value }) => value],
          [
            t.change,
            (tag) => (
              <SmallIcon icon="bin" label={t.remove(tag.name)} onClick={() => remove.run(tag)} />
            ),
          ],
        ]}
      />
      <FieldsForm
        isBelow
        action={t.add}
        fields={[
          { name: 'name', label: t.name, required: true, withAsterisk: false },
          { name: 'value', label: t.value },
        ]}
        send={(client, { name, value }) =>
          changeTags(client, connector.id, identity, { add: [{ name, value }] })
        }
        onDone={(reset) => reset()}
      />
      {remove.error !== null && <Trouble error={remove.error} />}
    </>
  )
}
