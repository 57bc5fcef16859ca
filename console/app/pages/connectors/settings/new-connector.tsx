import { Paper } from '@mantine/core'
import { enums } from '@millrace/client'
import { useNavigate } from '@tanstack/react-router'
import { createConnector } from '../../../api/connectors.ts'
import { LinkAction } from '../../../components/controls/link-action.tsx'
import { FieldsForm } from '../../../components/form/fields-form.tsx'
import { createConnectorForm } from '../../../generated/forms.ts'
import { hasCode } from '../../../ui/errors.ts'
import { defineTexts, useTexts } from '../../../ui/texts.ts'
import styles from './settings.module.css'
import { settingTexts } from './texts.ts'

const texts = defineTexts({
  id: ['Host label', 'Host-Name'],
  idHint: [
    'The first part of its host: lower-case letters, digits, dashes. Empty for a new one.',
    'Der erste Teil seines Hosts: Kleinbuchstaben, Ziffern, Bindestriche. Leer: ein neuer.',
  ],
  create: ['Create the connector', 'Konnektor anlegen'],
})

/** The form of a new connector; the rest of its settings have their own page. */
export function NewConnector() {
  const t = useTexts(texts)
  const s = useTexts(settingTexts)
  const navigate = useNavigate()
  return (
    <Paper withBorder p="md" className={styles.card}>
      <FieldsForm
        isTall
        action={t.create}
        form={createConnectorForm}
        fields={[
          { name: 'name', label: s.name, required: true, withAsterisk: false },
          { name: 'id', label: t.id, description: t.idHint },
          { name: 'protocol.name', label: s.protocol, data: enums.ProtocolName },
          { name: 'provisioning.generate_identity', label: s.selfRegistrationTick, value: false },
          { name: 'protocol.devmode', label: s.devmodeTick, value: false },
        ]}
        send={async (client, body) => {
          const made = await createConnector(client, body)
          await navigate({ to: '/connectors/$connector/{-$view}', params: { connector: made.id } })
        }}
        faultFor={(refusal) => hasCode(refusal, 'already_exists') && ['id', refusal.message]}
      >
        <LinkAction text={t.cancel} to="/connectors" />
      </FieldsForm>
    </Paper>
  )
}
