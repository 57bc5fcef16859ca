import { Group, Paper, SimpleGrid, Text, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Solution } from '../../../api/notifications.ts'
import { type SolutionChange, updateSolution } from '../../../api/solutions.ts'
import { Action } from '../../../components/controls/action.tsx'
import { Form } from '../../../components/controls/form.tsx'
import { Heading } from '../../../components/controls/heading.tsx'
import { Faint } from '../../../components/line.tsx'
import { Trouble } from '../../../components/trouble.tsx'
import { useChange } from '../../../ui/change.ts'
import { fieldError, isAtField } from '../../../ui/field-errors.ts'
import { defineTexts, useTexts } from '../../../ui/texts.ts'
import { LeaveGuard } from '../leave-guard.tsx'
import styles from '../solutions.module.css'

const texts = defineTexts({
  title: ['Name and limits', 'Name und Grenzen'],
  about: [
    'Of one call of a script. An empty field takes the default of the instance.',
    'Je Aufruf eines Skripts. Ein leeres Feld nimmt die Vorgabe der Instanz.',
  ],
  name: ['Name', 'Name'],
  description: ['Description', 'Beschreibung'],
  memory_bytes: ['Memory in bytes', 'Speicher in Bytes'],
  cpu_ms: ['CPU in milliseconds', 'CPU in Millisekunden'],
  wall_ms: ['Duration in milliseconds', 'Dauer in Millisekunden'],
  value_bytes: ['Largest value in bytes', 'Größter Wert in Bytes'],
  service_calls: ['Calls of services', 'Aufrufe von Diensten'],
  log_bytes: ['Log in bytes', 'Protokoll in Bytes'],
  preset: ['default', 'Vorgabe'],
  number: ['must be a whole number', 'muss eine ganze Zahl sein'],
  save: ['Save', 'Speichern'],
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

type Draft = Readonly<Record<'name' | 'description' | (typeof limitNames)[number], string>>

function draftOf({ name, description, limits }: Solution): Draft {
  const found = limitNames.map((limit) => [limit, `${limits[limit] ?? ''}`] as const)
  return Object.assign(Object.fromEntries(found) as Omit<Draft, 'name'>, { name, description })
}

const isWhole = (text: string) => text.trim() === '' || /^\d{1,15}$/.test(text.trim())

/** The name, the description and the limits of a solution. */
export function LimitsForm({ solution }: { readonly solution: Solution }) {
  const t = useTexts(texts)
  const [base, setBase] = useState(() => draftOf(solution))
  const [draft, setDraft] = useState(base)
  const isDirty = JSON.stringify(draft) !== JSON.stringify(base)
  const { isBusy, error, run } = useChange<SolutionChange>((client, change) =>
    updateSolution(client, solution.id, change),
  )
  const fields = ['name', 'description', ...limitNames.map((one) => `limits.${one}`)]
  const field = (name: keyof Draft, path: string = name) => ({
    label: t[name],
    size: 'xs' as const,
    value: draft[name],
    error: fieldError(error, path),
    onChange: (event: { readonly currentTarget: { readonly value: string } }) =>
      setDraft({ ...draft, [name]: event.currentTarget.value }),
  })
  const submit = () => {
    const number = (text: string) => (text.trim() === '' ? null : Number(text))
    const limits = Object.fromEntries(limitNames.map((name) => [name, number(draft[name])]))
    const { name, description } = draft
    run({ name, description, limits }, () => setBase(draft))
  }
  return (
    <Paper component="section" aria-label={t.title} withBorder p="md" className={styles.panel}>
      <Heading text={t.title} />
      <Form onSubmit={submit} noValidate>
        <TextInput {...field('name')} maw="40rem" mt="xs" />
        <Textarea {...field('description')} maw="40rem" mt="xs" autosize maxRows={8} />
        <Text size="sm" c="dimmed" mt="md" mb="xs">
          {t.about}
        </Text>
        <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="xs" maw="60rem">
          {limitNames.map((name) => {
            const given = field(name, `limits.${name}`)
            return (
              <TextInput
                key={name}
                {...given}
                error={isWhole(draft[name]) ? given.error : t.number}
                placeholder={t.preset}
                inputMode="numeric"
                autoComplete="off"
              />
            )
          })}
        </SimpleGrid>
        {error !== null && !isAtField(error, fields) && <Trouble error={error} />}
        <Group gap="xs" mt="sm">
          <Action
            text={t.save}
            submit
            busy={isBusy}
            disabled={!isDirty || !limitNames.every((name) => isWhole(draft[name]))}
          />
          {isDirty && <Faint inline>{t.unsaved}</Faint>}
        </Group>
      </Form>
      <LeaveGuard isDirty={isDirty} />
    </Paper>
  )
}
