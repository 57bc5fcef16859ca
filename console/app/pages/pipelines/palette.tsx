import { Paper, Text, TextInput, UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import type { InsightFunction } from '../../api/modules.ts'
import { listPalette } from '../../api/pipelines.ts'
import { Action } from '../../components/controls/action.tsx'
import { SelectField, TextField } from '../../components/controls/fields.tsx'
import { Heading } from '../../components/controls/heading.tsx'
import { Trouble } from '../../components/trouble.tsx'
import { useLive } from '../../ui/live-queries.ts'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import { translated } from '../../ui/translated-texts.ts'
import type { Functions } from './document.ts'
import styles from './pipelines.module.css'
import { pipelineTexts } from './texts.ts'

const paletteEveryMs = 8_000

const texts = defineTexts({
  title: ['Functions', 'Funktionen'],
  module: ['Module', 'Modul'],
  show: ['Add a function', 'Funktion hinzufügen'],
  hide: ['Hide the functions', 'Funktionen ausblenden'],
  find: ['Find a function', 'Funktion suchen'],
  add: (name: string) => [`Add ${name}`, `${name} hinzufügen`],
})

type Chosen = { readonly moduleId: string; readonly groupId: string }

type Props = {
  readonly chosen: Chosen
  readonly onChoose: (chosen: Chosen) => void
  readonly functions: Functions
  readonly onAdd: (described: InsightFunction) => void
}

/** The functions of a module, by what they are for; a press adds one to the pipeline. */
export function Palette({ chosen, onChoose, functions, onAdd }: Props) {
  const t = useTexts(texts)
  const words = useTexts(pipelineTexts)
  const [text, setText] = useState('')
  const [isOpen, setOpen] = useState(false)
  const add = (described: InsightFunction) => {
    setOpen(false)
    onAdd(described)
  }
  const modules = useLive(['palette'], listPalette, { everyMs: paletteEveryMs })
  const module = modules.data?.find(({ id }) => id === chosen.moduleId)
  const of = [...functions].flatMap(([key, one]) =>
    key.startsWith(`${chosen.moduleId}/`) ? [one] : [],
  )
  const found = of.filter(({ name, description }) =>
    `${name} ${description}`.toLowerCase().includes(text.trim().toLowerCase()),
  )
  return (
    <Paper component="section" aria-label={t.title} withBorder p="md" className={styles.palette}>
      <Heading text={t.title} />
      <Action
        text={isOpen ? t.hide : t.show}
        className={styles.opener}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      />
      <div className={styles.drawer} data-open={isOpen}>
        {modules.error !== null && <Trouble error={modules.error} />}
        <SelectField
          label={t.module}
          value={chosen.moduleId}
          data={(modules.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(next) => onChoose({ moduleId: next, groupId: '' })}
        />
        {module?.groupIdRequired === true && (
          <TextInput
            label={t.group}
            size="xs"
            value={chosen.groupId}
            onChange={({ currentTarget }) => onChoose({ ...chosen, groupId: currentTarget.value })}
          />
        )}
        <TextField
          aria-label={t.find}
          placeholder={t.find}
          mt="xs"
          value={text}
          onChange={setText}
        />
        {(['transform', 'rule', 'action'] as const).map((type) => (
          <Kind
            key={type}
            title={words[type]}
            all={found.filter((one) => one.type === type)}
            onAdd={add}
          />
        ))}
      </div>
    </Paper>
  )
}

type KindProps = Pick<Props, 'onAdd'> & {
  readonly title: string
  readonly all: readonly InsightFunction[]
}

function Kind({ title, all, onAdd }: KindProps) {
  const t = useTexts(texts)
  if (all.length === 0) return null
  return (
    <>
      <Text size="sm" c="dimmed" mt="xs">
        {title}
      </Text>
      <ul className={styles.functions} aria-label={title}>
        {all.map((one) => {
          const name = translated(one.translations, 'name', one.name)
          return (
            <li key={one.id}>
              <UnstyledButton
                className={styles.function}
                aria-label={t.add(name)}
                title={translated(one.translations, 'description', one.description)}
                onClick={() => onAdd(one)}
              >
                {name}
              </UnstyledButton>
            </li>
          )
        })}
      </ul>
    </>
  )
}
