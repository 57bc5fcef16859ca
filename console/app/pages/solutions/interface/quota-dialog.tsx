import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { type Subscriber, setQuota, type WantedQuota } from '../../../api/interfaces.ts'
import { FormDialog } from '../../../components/dialogs/form-dialog.tsx'
import { useChange } from '../../../ui/change.ts'
import { textOf } from '../../../ui/submit.ts'
import { defineTexts, useTexts } from '../../../ui/texts.ts'

const texts = defineTexts({
  title: (id: string) => [`Quota of ${id}`, `Kontingent von ${id}`],
  save: ['Save', 'Speichern'],
  day: ['Calls a day', 'Aufrufe am Tag'],
  month: ['Calls a month', 'Aufrufe im Monat'],
  about: ['Empty: what the definition says.', 'Leer: was die Definition sagt.'],
  wrong: ['must be a whole number, 0 or more', 'muss eine ganze Zahl ab 0 sein'],
})

type Props = {
  readonly solution: string
  readonly subscriber: Subscriber
  readonly onClose: () => void
}

const fields = { calls_daily: 'day', calls_monthly: 'month' } as const
type Name = keyof typeof fields
const names = Object.keys(fields) as Name[]

/** Changes how many calls a subscriber may make. */
export function QuotaDialog({ solution, subscriber, onClose }: Props) {
  const t = useTexts(texts)
  const { id, solution_id: user, quota } = subscriber
  const [wrong, setWrong] = useState<readonly Name[]>([])
  const { isBusy, error, run } = useChange<WantedQuota>((client, wanted) =>
    setQuota(client, solution, id, wanted),
  )
  const submit = (form: FormData) => {
    const found = names.filter((name) => !/^\d{0,15}$/.test(textOf(form, name)))
    setWrong(found)
    if (found.length > 0) return
    const number = (name: Name) => (textOf(form, name) === '' ? null : Number(textOf(form, name)))
    run({ calls_daily: number('calls_daily'), calls_monthly: number('calls_monthly') }, onClose)
  }
  return (
    <FormDialog
      title={t.title(user)}
      action={t.save}
      {...{ isBusy, error, onClose }}
      onSubmit={submit}
    >
      {names.map((name, at) => (
        <TextInput
          key={name}
          name={name}
          label={t[fields[name]]}
          description={t.about}
          inputMode="numeric"
          autoComplete="off"
          defaultValue={quota[name] ?? ''}
          error={wrong.includes(name) && t.wrong}
          data-autofocus={at === 0 ? true : undefined}
        />
      ))}
    </FormDialog>
  )
}
