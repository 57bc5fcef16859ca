import { useNavigate } from '@tanstack/react-router'
import { createDashboard } from '../../api/dashboards/dashboards.ts'
import { FieldsDialog } from '../../components/form/fields-dialog.tsx'
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
  return (
    <FieldsDialog
      title={t.title}
      action={t.create}
      fields={[
        {
          name: 'name',
          label: words.name,
          fault: (name) => (name === '' || name.length > nameCharsMax) && words.nameWanted,
        },
        { name: 'description', label: words.description },
      ]}
      send={async (client, { name, description }) => {
        const { id } = await createDashboard(client, { name, description, panels: [] })
        const params = { dashboard: id }
        await navigate({ to: '/dashboards/$dashboard', params, search: { edit: true } })
      }}
      onClose={onClose}
    />
  )
}
