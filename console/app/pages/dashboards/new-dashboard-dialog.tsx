import { TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { createDashboard, type DashboardDocument } from '../../api/dashboards/dashboards.ts'
import { FormDialog } from '../../components/dialogs/form-dialog.tsx'
import { useChange } from '../../ui/change.ts'
import { textOf } from '../../ui/submit.ts'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import { boardTexts } from './texts.ts'

const texts = defineTexts({
  title: ['New dashboard', 'Neues Dashboard'],
})

const nameCharsMax = 200

/** Creates a dashboard without panels, and opens it to be edited. */
export function NewDashboardDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(texts)
  const words = useTexts(boardTexts)
  const navigate = useNavigate()
  const [wrong, setWrong] = useState<string>()
  const create = useChange<DashboardDocument>(async (client, body) => {
    const { id } = await createDashboard(client, body)
    await navigate({
      to: '/dashboards/$dashboard',
      params: { dashboard: id },
      search: { edit: true },
    })
  })
  const submit = (form: FormData) => {
    const name = textOf(form, 'name')
    const isNamed = name !== '' && name.length <= nameCharsMax
    setWrong(isNamed ? undefined : words.nameWanted)
    if (isNamed) create.run({ name, description: textOf(form, 'description'), panels: [] })
  }
  return (
    <FormDialog
      title={t.title}
      action={t.create}
      isBusy={create.isBusy}
      error={create.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextInput name="name" label={words.name} error={wrong} data-autofocus />
      <TextInput name="description" label={words.description} />
    </FormDialog>
  )
}
