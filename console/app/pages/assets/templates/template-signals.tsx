import { Group, Paper, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { TemplateDocument } from '../../../api/templates.ts'
import { Action } from '../../../components/controls/action.tsx'
import { Heading } from '../../../components/controls/heading.tsx'
import { FormDialog } from '../../../components/dialogs/form-dialog.tsx'
import { NextStep } from '../../../components/next-step.tsx'
import { Table } from '../../../components/table/table.tsx'
import { readText } from '../../../ui/submit.ts'
import { defineTexts, useTexts } from '../../../ui/texts.ts'
import { shownUnit } from '../../../ui/words.ts'
import styles from '../assets.module.css'
import { readSignalPart, SignalFields } from '../signal-fields.tsx'
import type { TemplatePartProps } from './template-words.tsx'

const texts = defineTexts({
  title: ['Signals', 'Signale'],
  none: ['It has no signal yet.', 'Sie hat noch kein Signal.'],
  add: ['New signal', 'Neues Signal'],
  changeOf: (name: string) => [`Change the signal ${name}`, `Signal ${name} ändern`],
  removeOf: (name: string) => [`Remove the signal ${name}`, `Signal ${name} entfernen`],
  type: ['Type', 'Typ'],
  source: ['Fed by', 'Gespeist von'],
  key: ['Key', 'Schlüssel'],
  keyHint: [
    'By which functions of the template name it.',
    'Unter ihm nennen Funktionen der Vorlage das Signal.',
  ],
  taken: ['Another signal has this key.', 'Ein anderes Signal hat diesen Schlüssel.'],
  keep: ['Take it over', 'Übernehmen'],
})

type TemplateSignal = NonNullable<TemplateDocument['signals']>[number]

/** The signals that each asset of a template gets. */
export function TemplateSignals({ document, onChange }: TemplatePartProps) {
  const t = useTexts(texts)
  const { signals = [] } = document
  // The place of the one that is changed; that behind the last one is a new one.
  const [edited, setEdited] = useState<number>()
  const heads = [t.name, t.type, t.source, ...(onChange === undefined ? [] : [t.actions])]
  return (
    <Paper
      component="section"
      aria-label={t.title}
      withBorder
      p="md"
      mb="sm"
      className={`${styles.paper} ${styles.buttons}`}
    >
      <Group justify="space-between">
        <Heading text={t.title} />
        {onChange !== undefined && (
          <Action text={t.add} icon="plus" onClick={() => setEdited(signals.length)} />
        )}
      </Group>
      {signals.length === 0 && <NextStep>{t.none}</NextStep>}
      {signals.length > 0 && (
        <Table heads={heads} narrow="stacked">
          {signals.map((signal, at) => (
            <Row
              key={signal.key}
              signal={signal}
              onEdit={onChange && (() => setEdited(at))}
              onRemove={
                onChange && (() => onChange({ signals: signals.filter((one) => one !== signal) }))
              }
            />
          ))}
        </Table>
      )}
      {edited !== undefined && onChange !== undefined && (
        <SignalForm
          signal={signals[edited]}
          others={signals.filter((_, at) => at !== edited)}
          onKeep={(signal) => onChange({ signals: signals.toSpliced(edited, 1, signal) })}
          onClose={() => setEdited(undefined)}
        />
      )}
    </Paper>
  )
}

type RowProps = {
  readonly signal: TemplateSignal
  readonly onEdit: (() => void) | undefined
  readonly onRemove: (() => void) | undefined
}

function Row({ signal, onEdit, onRemove }: RowProps) {
  const t = useTexts(texts)
  const { name, primitiveType, dataType = '', dataUnit, source } = signal
  return (
    <tr>
      <td>{name}</td>
      <td data-label={t.type}>
        {[primitiveType, dataType, shownUnit(dataUnit ?? null)].filter(Boolean).join(', ')}
      </td>
      <td data-label={t.source}>
        {source === undefined ? '–' : [source.alias, source.channel].filter(Boolean).join(' / ')}
      </td>
      {onEdit !== undefined && (
        <td>
          <Group gap="xs" justify="end">
            <Action text={t.change} small aria-label={t.changeOf(name)} onClick={onEdit} />
            <Action text={t.remove} small aria-label={t.removeOf(name)} onClick={onRemove} />
          </Group>
        </td>
      )}
    </tr>
  )
}

type FormProps = {
  /** Undefined for a new one. */
  readonly signal: TemplateSignal | undefined
  readonly others: readonly TemplateSignal[]
  readonly onKeep: (signal: TemplateSignal) => void
  readonly onClose: () => void
}

function SignalForm({ signal, others, onKeep, onClose }: FormProps) {
  const t = useTexts(texts)
  const [fault, setFault] = useState<string>()
  const submit = (form: FormData) => {
    const key = readText(form, 'key')
    if (others.some((one) => one.key === key)) return setFault(t.taken)
    const part = readSignalPart(form, signal)
    const primitiveType = (readText(form, 'primitive') ||
      'NUMERIC') as TemplateSignal['primitiveType']
    const said = Object.entries({ ...signal, ...part, key, primitiveType })
    onKeep(Object.fromEntries(said.filter(([, value]) => value !== null)) as TemplateSignal)
    onClose()
  }
  return (
    <FormDialog
      title={signal === undefined ? t.add : t.changeOf(signal.name)}
      action={t.keep}
      isBusy={false}
      error={null}
      onSubmit={submit}
      onClose={onClose}
    >
      <SignalFields signal={signal} hasType />
      <TextInput
        name="key"
        label={t.key}
        description={t.keyHint}
        required
        withAsterisk={false}
        error={fault}
        defaultValue={signal?.key}
      />
    </FormDialog>
  )
}
