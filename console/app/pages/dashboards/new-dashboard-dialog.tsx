import { useNavigate } from '@tanstack/react-router'
import { createDashboard } from '../../api/dashboards/dashboards.ts'
import { FieldsDialog } from '../../components/form/fields-dialog.tsx'
import { createDashboardForm } from '../../generated/forms.ts'
import { defineTexts, useTexts } from '../../ui/texts.ts'

const texts = defineTexts({
  title: ['New dashboard', 'Neues Dashboard'],
})

/** Creates a dashboard without panels, and opens it to be edited. */
export function NewDashboardDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(texts)
  const navigate = useNavigate()
  return (
    <FieldsDialog
      title={t.title}
      action={t.create}
      form={createDashboardForm}
      fields={[
        { name: 'name', label: t.name },
        { name: 'description', label: t.description },
      ]}
      send={async (client, body) => {
        const { id } = await createDashboard(client, { ...body, panels: [] })
        const params = { dashboard: id }
        await navigate({ to: '/dashboards/$dashboard', params, search: { edit: true } })
      }}
      onClose={onClose}
    />
  )
}
