import { changeSubscriber, type Subscriber } from '../../../api/interfaces.ts'
import { FieldsDialog } from '../../../components/form/fields-dialog.tsx'
import { defineTexts, useTexts } from '../../../ui/texts.ts'

const texts = defineTexts({
  title: (id: string) => [`Quota of ${id}`, `Kontingent von ${id}`],
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

/** Changes how many calls a subscriber may make; an empty field is as the definition says. */
export function QuotaDialog({ solution, subscriber, onClose }: Props) {
  const t = useTexts(texts)
  const { id, solution_id: user, quota } = subscriber
  const numeric = {
    description: t.about,
    inputMode: 'numeric',
    autoComplete: 'off',
    fault: (text: string) => !/^\d{0,15}$/.test(text) && t.wrong,
  } as const
  const numberIn = (text: string) => (text === '' ? null : Number(text))
  return (
    <FieldsDialog
      title={t.title(user)}
      action={t.save}
      fields={[
        { ...numeric, name: 'day', label: t.day, value: quota.calls_daily },
        { ...numeric, name: 'month', label: t.month, value: quota.calls_monthly },
      ]}
      send={(client, { day, month }) => {
        const quota = { calls_daily: numberIn(day), calls_monthly: numberIn(month) }
        return changeSubscriber(client, solution, id, { quota })
      }}
      onClose={onClose}
    />
  )
}
