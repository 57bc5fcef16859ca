import { Checkbox, NativeSelect } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { createAsset } from '../../api/assets.ts'
import { listTemplates } from '../../api/templates.ts'
import { SelectField } from '../../components/controls/fields.tsx'
import { FieldsDialog } from '../../components/form/fields-dialog.tsx'
import { toChoices, useGroups } from '../../components/groups/groups.ts'
import { useConnectors, useLive } from '../../ui/live-queries.ts'
import { useMay } from '../../ui/session.tsx'
import { defineTexts, useTexts } from '../../ui/texts.ts'

const texts = defineTexts({
  title: ['New asset', 'Neue Anlage'],
  kind: ['Made from', 'Grundlage'],
  nothing: ['nothing: signals come later', 'keine: Signale kommen später'],
  template: ['a template', 'eine Vorlage'],
  device: ['a device', 'ein Gerät'],
  whichTemplate: ['Template', 'Vorlage'],
  identity: ['Identity of the device', 'Identität des Geräts'],
  channels: [
    'Make a signal of each channel that the device describes',
    'Ein Signal für jeden Kanal anlegen, den das Gerät beschreibt',
  ],
})

type Kind = 'nothing' | 'template' | 'device'

type Props = { readonly groupId: string | undefined; readonly onClose: () => void }

/** Makes an asset, from nothing, a template or a device, and opens its page. */
export function NewAssetDialog({ groupId, onClose }: Props) {
  const t = useTexts(texts)
  const navigate = useNavigate()
  const groups = useGroups()
  const seesDevices = useMay('Setup')
  const [kind, setKind] = useState<Kind>('nothing')
  const isOf = { template: kind === 'template', device: kind === 'device' }
  const templates = useLive(['templates'], listTemplates, { enabled: isOf.template })
  const connectors = useConnectors({ enabled: isOf.device })
  const kinds: readonly Kind[] = [
    'nothing',
    'template',
    ...(seesDevices ? ['device' as const] : []),
  ]
  const choice = { as: NativeSelect, required: true } as const
  return (
    <FieldsDialog
      title={t.title}
      action={t.create}
      fields={[
        { name: 'name', label: t.name, required: true, maxLength: 200 },
        {
          name: 'group',
          as: NativeSelect,
          label: t.group,
          value: groupId,
          data: toChoices(groups.data),
        },
        <SelectField
          key="kind"
          label={t.kind}
          value={kind}
          data={kinds.map((value) => ({ value, label: t[value] }))}
          size="sm"
          onChange={(next) => setKind(next as Kind)}
        />,
        isOf.template && {
          ...choice,
          name: 'template',
          label: t.whichTemplate,
          data: toNameChoices(templates.data),
        },
        isOf.device && {
          ...choice,
          name: 'connector',
          label: t.connector,
          data: toNameChoices(connectors.data),
        },
        isOf.device && {
          name: 'identity',
          label: t.identity,
          required: true,
          autoComplete: 'off',
        },
        isOf.device && { name: 'channels', as: Checkbox, label: t.channels, value: true },
      ]}
      send={async (client, { name, group, template, connector, identity, channels }) => {
        const device = { connectorId: connector, identity }
        const input = {
          ...{ name, ...(group !== '' && { groupId: group }) },
          ...(isOf.template && { templateId: template }),
          ...(isOf.device && { device, channelsOfDevice: channels !== '' }),
        }
        const asset = await createAsset(client, { input })
        await navigate({ to: '/assets/$asset/{-$view}', params: { asset: asset?.id ?? '' } })
      }}
      onClose={onClose}
    />
  )
}

function toNameChoices(all: readonly { readonly id: string; readonly name: string }[] | undefined) {
  return (all ?? []).map(({ id, name }) => ({ value: id, label: name }))
}
