import { TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { createSolution } from '../../api/solutions.ts'
import { FormDialog } from '../../components/dialogs/form-dialog.tsx'
import { useChange } from '../../ui/change.ts'
import { textOf } from '../../ui/submit.ts'
import { defineTexts, useTexts } from '../../ui/texts.ts'

const texts = defineTexts({
  title: ['New solution', 'Neue Lösung'],
  create: ['Create', 'Anlegen'],
  name: ['Name', 'Name'],
  nameWanted: ['A name has 1 to 200 characters.', 'Ein Name hat 1 bis 200 Zeichen.'],
  id: ['Id', 'Kennung'],
  idAbout: [
    'It stands in addresses, and stays. Empty: one is chosen.',
    'Sie steht in Adressen und bleibt. Leer: Eine wird gewählt.',
  ],
  idWanted: [
    'An id has 2 to 63 lower-case letters and digits, and begins with a letter.',
    'Eine Kennung hat 2 bis 63 Kleinbuchstaben und Ziffern; zuerst ein Buchstabe.',
  ],
})

const idShape = /^[a-z][a-z0-9]{1,62}$/
const nameCharsMax = 200

/** Creates a solution, and opens it. */
export function NewSolutionDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(texts)
  const navigate = useNavigate()
  const [wrong, setWrong] = useState<{ readonly name?: string; readonly id?: string }>({})
  const create = useChange<Parameters<typeof createSolution>[1]>(async (client, body) => {
    const { id } = await createSolution(client, body)
    await navigate({ to: '/solutions/$solution/{-$view}', params: { solution: id } })
  })
  const submit = (form: FormData) => {
    const name = textOf(form, 'name')
    const id = textOf(form, 'id')
    const isNamed = name !== '' && name.length <= nameCharsMax
    const isId = id === '' || idShape.test(id)
    setWrong({ ...(!isNamed && { name: t.nameWanted }), ...(!isId && { id: t.idWanted }) })
    if (isNamed && isId) create.run({ name, ...(id !== '' && { id }) })
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
      <TextInput name="name" label={t.name} error={wrong.name} data-autofocus />
      <TextInput name="id" label={t.id} description={t.idAbout} error={wrong.id} />
    </FormDialog>
  )
}
