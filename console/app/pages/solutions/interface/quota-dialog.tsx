import { changeSubscriber, type Subscriber } from '../../../api/interfaces.ts'
import { FieldsDialog } from '../../../components/form/fields-dialog.tsx'
import { updateSubscriberForm } from '../../../generated/forms.ts'
import { defineTexts, useTexts } from '../../../ui/texts.ts'

const texts = defineTexts({
  title: (id: string) => [`Quota of ${id}`, `Kontingent von ${id}`],
  day: ['Calls a day', 'Aufrufe am Tag'],
  month: ['Calls a month', 'Aufrufe im Monat'],
  about: ['Empty: what the definition says.', 'Leer: was die Definition sagt.'],
})

type Props = {
  readonly solution: string
  readonly subscriber: Subscriber
  readonly onClose: () => void
}

/** Changes how many calls a subscriber may make; an empty field is as the definition says. */
export function QuotaDialog({ solution, subscriber, onClose }: Props) {
  const t = useTexts(texts)
  const { id, solution_id: user } = subscriber
  return (
    <FieldsDialog
      title={t.title(user)}
      action={t.save}
      form={updateSubscriberForm}
      of={subscriber}
      fields={[
        { name: 'quota.calls_daily', label: t.day, description: t.about },
        { name: 'quota.calls_monthly', label: t.month, description: t.about },
      ]}
      send={(client, body) => changeSubscriber(client, solution, id, body)}
      onClose={onClose}
    />
  )
}
