import { Group, Paper, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { type Message, type Preview, previewMessage } from '../../../api/notifications.ts'
import { Action } from '../../../components/controls/action.tsx'
import { Form } from '../../../components/controls/form.tsx'
import { Heading } from '../../../components/controls/heading.tsx'
import { JsonField, parseJson, shownJson } from '../../../components/json-field.tsx'
import { Faint } from '../../../components/line.tsx'
import { Trouble } from '../../../components/trouble.tsx'
import { useChange } from '../../../ui/change.ts'
import { fieldError, isAtField } from '../../../ui/field-errors.ts'
import { useTexts } from '../../../ui/texts.ts'
import panel from '../solutions.module.css'
import styles from './preview.module.css'
import { PreviewCards } from './preview-cards.tsx'
import { previewTexts } from './preview-texts.ts'

const fields = ['Title', 'Body', 'Data', 'Sms'] as const

/** A message that a person tries, as each channel would have it. Nothing is sent. */
export function PreviewPane({ solution }: { readonly solution: string }) {
  const t = useTexts(previewTexts)
  const [draft, setDraft] = useState<Draft>({
    title: t.exampleTitle,
    body: t.exampleBody,
    data: shownJson({ pump: 7 }),
    from: '',
  })
  const [shown, setShown] = useState<readonly Preview[]>()
  const { isBusy, error, run } = useChange<Message>(async (client, message) => {
    setShown(await previewMessage(client, solution, message))
  })
  const isWrong = draft.data.trim() !== '' && parseJson(draft.data).problem !== undefined
  const submit = () => run(toMessage(draft))
  const field = (name: 'title' | 'body' | 'from', path: (typeof fields)[number]) => ({
    label: t[name],
    size: 'xs' as const,
    autoComplete: 'off',
    value: draft[name],
    error: fieldError(error, path),
    onChange: (event: { readonly currentTarget: { readonly value: string } }) =>
      setDraft({ ...draft, [name]: event.currentTarget.value }),
  })
  return (
    <Paper component="section" aria-label={t.heading} withBorder p="md" className={panel.panel}>
      <Heading text={t.heading} />
      <Faint>{t.about}</Faint>
      <div className={styles.panes}>
        <Form onSubmit={submit} noValidate className={styles.form}>
          <TextInput {...field('title', 'Title')} />
          <Textarea {...field('body', 'Body')} autosize minRows={2} maxRows={8} />
          <JsonField
            label={t.data}
            text={draft.data}
            onChange={(data) => setDraft({ ...draft, data })}
          />
          {fieldError(error, 'Data') !== undefined && (
            <p role="alert" className={styles.error}>
              {fieldError(error, 'Data')}
            </p>
          )}
          <TextInput {...field('from', 'Sms')} placeholder="+15550100" />
          {error !== null && !isAtField(error, fields) && <Trouble error={error} />}
          <Group gap="xs">
            <Action text={t.show} submit busy={isBusy} disabled={isWrong} />
          </Group>
        </Form>
        {shown !== undefined && <PreviewCards channels={shown} />}
      </div>
    </Paper>
  )
}

type Draft = {
  readonly title: string
  readonly body: string
  /** JSON. */
  readonly data: string
  /** The sender of an SMS. */
  readonly from: string
}

function toMessage({ title, body, data, from }: Draft): Message {
  return {
    ...(title !== '' && { Title: title }),
    ...(body !== '' && { Body: body }),
    ...(data.trim() !== '' && { Data: JSON.parse(data) as unknown }),
    ...(from.trim() !== '' && { Sms: { from: from.trim() } }),
  }
}
