import { useNavigate } from '@tanstack/react-router'
import { createSolution } from '../../api/solutions.ts'
import { FieldsDialog } from '../../components/form/fields-dialog.tsx'
import { createSolutionForm } from '../../generated/forms.ts'
import { defineTexts, useTexts } from '../../ui/texts.ts'

const texts = defineTexts({
  title: ['New solution', 'Neue Lösung'],
  id: ['Id', 'Kennung'],
  idAbout: [
    'It stands in addresses, and stays. Empty: one is chosen.',
    'Sie steht in Adressen und bleibt. Leer: Eine wird gewählt.',
  ],
})

/** Creates a solution, and opens it. */
export function NewSolutionDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(texts)
  const navigate = useNavigate()
  return (
    <FieldsDialog
      title={t.title}
      action={t.create}
      form={createSolutionForm}
      fields={[
        { name: 'name', label: t.name },
        { name: 'id', label: t.id, description: t.idAbout },
      ]}
      send={async (client, body) => {
        const made = await createSolution(client, body)
        await navigate({ to: '/solutions/$solution/{-$view}', params: { solution: made.id } })
      }}
      onClose={onClose}
    />
  )
}
