import { NativeSelect, Text } from '@mantine/core'
import { useState } from 'react'
import { createAssets, type MadeAssets } from '../../../api/assets.ts'
import type { Client } from '../../../api/client.ts'
import type { ListedTemplate } from '../../../api/templates.ts'
import { LongField } from '../../../components/controls/fields.tsx'
import { FieldsDialog } from '../../../components/form/fields-dialog.tsx'
import { toChoices, useGroups } from '../../../components/groups/groups.ts'
import { splitLines } from '../../../ui/forms.ts'
import { defineTexts, useTexts } from '../../../ui/texts.ts'

const mostAssets = 100

const texts = defineTexts({
  title: (name: string) => [`Assets made of ${name}`, `Anlagen aus der Vorlage ${name}`],
  names: ['Names', 'Namen'],
  hint: (max: number) => [
    `One in each line, at most ${max}.`,
    `Einer in jeder Zeile, höchstens ${max}.`,
  ],
  many: (max: number) => [`These are more than ${max} names.`, `Das sind mehr als ${max} Namen.`],
  make: ['Make the assets', 'Anlagen anlegen'],
  partly: (made: number) => [
    `${made} were made. These were not:`,
    `${made} wurden angelegt. Diese nicht:`,
  ],
})

type Props = {
  readonly template: Pick<ListedTemplate, 'id' | 'name'>
  readonly onClose: () => void
}

/** Makes assets of a template, one for each name; the names of those that failed stay. */
export function MakeAssetsDialog({ template, onClose }: Props) {
  const t = useTexts(texts)
  const groups = useGroups()
  const [typed, setTyped] = useState('')
  const [fault, setFault] = useState<string>()
  const [failures, setFailures] = useState<readonly string[]>([])
  const [made, setMade] = useState(0)
  const names = splitLines(typed)
  const send = async (client: Client, { group: groupId }: { readonly group: string }) => {
    const group = groupId === '' ? {} : { groupId }
    const inputs = names.map((name) => ({ name, templateId: template.id, ...group }))
    const results = (await createAssets(client, { inputs })) ?? []
    const failed = listFailed(names, results)
    if (failed.length === 0) return onClose()
    setMade(results.length - failed.length)
    setFailures(failed.map(({ name, why }) => `${name}: ${why}`))
    setTyped(failed.map(({ name }) => name).join('\n'))
  }
  const check = () => {
    const wrong = names.length > mostAssets ? t.many(mostAssets) : undefined
    setFault(names.length === 0 ? t.needed : wrong)
    return names.length > 0 && wrong === undefined
  }
  return (
    <FieldsDialog
      title={t.title(template.name)}
      action={t.make}
      fields={[
        <LongField
          key="names"
          label={t.names}
          description={t.hint(mostAssets)}
          error={fault}
          autosize
          minRows={4}
          maxRows={12}
          value={typed}
          data-autofocus
          size="sm"
          onChange={setTyped}
        />,
        {
          name: 'group',
          as: NativeSelect,
          label: t.group,
          data: toChoices(groups.data),
        },
      ]}
      {...{ check, send, onClose }}
      // It closes when all were made.
      onDone={() => undefined}
    >
      {failures.length > 0 && (
        <Text size="sm" role="alert" style={{ overflowWrap: 'anywhere' }}>
          {t.partly(made)} {failures.join('; ')}
        </Text>
      )}
    </FieldsDialog>
  )
}

function listFailed(names: readonly string[], results: MadeAssets) {
  return results.flatMap(({ error }, at) =>
    error === null ? [] : [{ name: names[at] ?? '', why: error.message }],
  )
}
