import { Button, Group, TextInput } from '@mantine/core'
import type { Connector } from '../../../api/connectors.ts'
import { changeTags, type Device, type Tag } from '../../../api/devices.ts'
import { Action } from '../../../components/controls/action.tsx'
import { Form } from '../../../components/controls/form.tsx'
import { Icon } from '../../../components/icon.tsx'
import { NextStep } from '../../../components/next-step.tsx'
import { Table } from '../../../components/table/table.tsx'
import { Trouble } from '../../../components/trouble.tsx'
import { useChange } from '../../../ui/change.ts'
import { textOf } from '../../../ui/submit.ts'
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
type Part = { readonly add?: Tag[]; readonly remove?: Tag[] }

/** The tags of a device. */
export function TagsView({ connector, device: { identity, tags } }: Props) {
  const t = useTexts(texts)
  const { isBusy, error, run } = useChange<Part>((client, part) =>
    changeTags(client, connector.id, identity, part),
  )
  const submit = (data: FormData, reset: () => void) => {
    const tag = { name: textOf(data, 'name'), value: textOf(data, 'value') }
    run({ add: [tag] }, reset)
  }
  return (
    <>
      {tags.length === 0 && <NextStep>{t.none}</NextStep>}
      {tags.length > 0 && (
        <Table heads={[t.name, t.value, t.change]} narrow="paired">
          {tags.map((tag) => (
            <tr key={`${tag.name}\n${tag.value}`}>
              <td>{tag.name}</td>
              <td>{tag.value}</td>
              <td>
                <Button
                  variant="default"
                  size="compact-xs"
                  aria-label={t.remove(tag.name)}
                  onClick={() => run({ remove: [tag] })}
                >
                  <Icon name="bin" size={14} />
                </Button>
              </td>
            </tr>
          ))}
        </Table>
      )}
      <Form onSubmit={submit}>
        <Group gap="xs" mt="sm" align="end">
          <TextInput label={t.name} name="name" size="xs" required withAsterisk={false} />
          <TextInput label={t.value} name="value" size="xs" />
          <Action text={t.add} submit busy={isBusy} />
        </Group>
      </Form>
      {error !== null && <Trouble error={error} />}
    </>
  )
}
