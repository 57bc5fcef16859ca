import { useNavigate } from '@tanstack/react-router'
import { createSolution } from '../../api/solutions.ts'
import { FieldsDialog } from '../../components/form/fields-dialog.tsx'
import { defineTexts, useTexts } from '../../ui/texts.ts'

const texts = defineTexts({
  title: ['New solution', 'Neue Lösung'],
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
  return (
    <FieldsDialog
      title={t.title}
      action={t.create}
      fields={[
        {
          name: 'name',
          label: t.name,
          fault: (name) => (name === '' || name.length > nameCharsMax) && t.nameWanted,
        },
        {
          name: 'id',
          label: t.id,
          description: t.idAbout,
          fault: (id) => id !== '' && !idShape.test(id) && t.idWanted,
        },
      ]}
      send={async (client, { name, id }) => {
        const made = await createSolution(client, { name, ...(id !== '' && { id }) })
        await navigate({ to: '/solutions/$solution/{-$view}', params: { solution: made.id } })
      }}
      onClose={onClose}
    />
  )
}
