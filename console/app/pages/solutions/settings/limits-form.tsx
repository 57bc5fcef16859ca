import { Group, SimpleGrid, Text, Textarea } from '@mantine/core'
import type { Solution } from '../../../api/notifications.ts'
import { updateSolution } from '../../../api/solutions.ts'
import { Action } from '../../../components/controls/action.tsx'
import { Form } from '../../../components/controls/form.tsx'
import { Part } from '../../../components/controls/part.tsx'
import {
  type SettingField,
  SettingFields,
  useSettings,
} from '../../../components/form/setting-fields.tsx'
import { Faint } from '../../../components/line.tsx'
import { Trouble } from '../../../components/trouble.tsx'
import { updateSolutionForm } from '../../../generated/forms.ts'
import { defineTexts, useTexts } from '../../../ui/texts.ts'
import { LeaveGuard } from '../leave-guard.tsx'

const texts = defineTexts({
  title: ['Name and limits', 'Name und Grenzen'],
  about: [
    'Of one call of a script. An empty field takes the default of the instance.',
    'Je Aufruf eines Skripts. Ein leeres Feld nimmt die Vorgabe der Instanz.',
  ],
  memory_bytes: ['Memory in bytes', 'Speicher in Bytes'],
  cpu_ms: ['CPU in milliseconds', 'CPU in Millisekunden'],
  wall_ms: ['Duration in milliseconds', 'Dauer in Millisekunden'],
  value_bytes: ['Largest value in bytes', 'Größter Wert in Bytes'],
  service_calls: ['Calls of services', 'Aufrufe von Diensten'],
  log_bytes: ['Log in bytes', 'Protokoll in Bytes'],
  preset: ['default', 'Vorgabe'],
  unsaved: ['Not saved yet.', 'Noch nicht gespeichert.'],
})

const limitNames = [
  'memory_bytes',
  'cpu_ms',
  'wall_ms',
  'value_bytes',
  'service_calls',
  'log_bytes',
] as const

/** The name, the description and the limits of a solution. */
export function LimitsForm({ solution }: { readonly solution: Solution }) {
  const t = useTexts(texts)
  const { draft, isBusy, isDirty, isWrong, errorBeside, submit } = useSettings({
    form: updateSolutionForm,
    stored: solution,
    send: (client, change) => updateSolution(client, solution.id, change),
  })
  const wide = { maw: '40rem', mt: 'xs' }
  const names: readonly SettingField[] = [
    { path: 'name', label: t.name, ...wide },
    { path: 'description', as: Textarea, label: t.description, minRows: 1, ...wide },
  ]
  const limits = limitNames.map((name) => {
    return { path: `limits.${name}`, label: t[name], placeholder: t.preset }
  })
  const error = errorBeside([...names, ...limits])
  return (
    <Part title={t.title}>
      <Form onSubmit={() => submit()} noValidate>
        <SettingFields {...draft} fields={names} />
        <Text size="sm" c="dimmed" mt="md" mb="xs">
          {t.about}
        </Text>
        <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="xs" maw="60rem">
          <SettingFields {...draft} fields={limits} />
        </SimpleGrid>
        {error !== null && <Trouble error={error} />}
        <Group gap="xs" mt="sm">
          <Action text={t.save} submit busy={isBusy} disabled={!isDirty || isWrong} />
          {isDirty && <Faint inline>{t.unsaved}</Faint>}
        </Group>
      </Form>
      <LeaveGuard isDirty={isDirty} />
    </Part>
  )
}
