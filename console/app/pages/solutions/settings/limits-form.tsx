import { Group, SimpleGrid, Text } from '@mantine/core'
import { useState } from 'react'
import type { Solution } from '../../../api/notifications.ts'
import { type SolutionChange, updateSolution } from '../../../api/solutions.ts'
import { Action } from '../../../components/controls/action.tsx'
import { Form } from '../../../components/controls/form.tsx'
import { Part } from '../../../components/controls/part.tsx'
import { type SettingField, SettingFields } from '../../../components/form/setting-fields.tsx'
import { Faint } from '../../../components/line.tsx'
import { Trouble } from '../../../components/trouble.tsx'
import { useChange } from '../../../ui/change.ts'
import { isAtField } from '../../../ui/field-errors.ts'
import { changedPart, parseOptional, type Typed } from '../../../ui/settings.ts'
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
  number: ['must be a whole number', 'muss eine ganze Zahl sein'],
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

const limitParsers = Object.fromEntries(
  limitNames.map((name) => [`limits.${name}`, parseOptional] as const),
)

/** The name, the description and the limits of a solution. */
export function LimitsForm({ solution }: { readonly solution: Solution }) {
  const t = useTexts(texts)
  const [of, setOf] = useState(solution)
  const [typed, onType] = useState<Typed>({})
  const part = changedPart(of, typed, limitParsers) as SolutionChange | undefined
  const isDirty = part !== undefined
  const { isBusy, error, run } = useChange<SolutionChange>(async (client, change) => {
    setOf(await updateSolution(client, solution.id, change))
    onType({})
  })
  const names: readonly SettingField[] = [
    { path: 'name', label: t.name, maw: '40rem', mt: 'xs' },
    {
      path: 'description',
      kind: 'lines',
      label: t.description,
      minRows: 1,
      maw: '40rem',
      mt: 'xs',
    },
  ]
  const isWrong = (path: string) => !/^\s*\d{0,15}\s*$/.test(`${typed[path] ?? ''}`)
  const limits = limitNames.map((name): SettingField => {
    const path = `limits.${name}`
    return {
      path,
      label: t[name],
      placeholder: t.preset,
      inputMode: 'numeric',
      autoComplete: 'off',
      fault: isWrong(path) ? t.number : undefined,
    }
  })
  const draft = { of, typed, onType, error }
  const paths = [...names, ...limits].map(({ path }) => path)
  return (
    <Part title={t.title}>
      <Form onSubmit={() => part && run(part)} noValidate>
        <SettingFields {...draft} fields={names} />
        <Text size="sm" c="dimmed" mt="md" mb="xs">
          {t.about}
        </Text>
        <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="xs" maw="60rem">
          <SettingFields {...draft} fields={limits} />
        </SimpleGrid>
        {error !== null && !isAtField(error, paths) && <Trouble error={error} />}
        <Group gap="xs" mt="sm">
          <Action
            text={t.save}
            submit
            busy={isBusy}
            disabled={!isDirty || limits.some(({ path }) => isWrong(path))}
          />
          {isDirty && <Faint inline>{t.unsaved}</Faint>}
        </Group>
      </Form>
      <LeaveGuard isDirty={isDirty} />
    </Part>
  )
}
